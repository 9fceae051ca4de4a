/** Judges the items of arrays and the members of objects (D1, D3). */
import { isObject } from '../../core/log/thrown-value.ts';
import { isRecord } from '../../core/options/shape.ts';
import { isLenient, type Judge, judgeMember, newState, type Purpose, report, typedJudge } from './judging.ts';
import { type PropertyLookup, propertyLookup, wireName } from './names.ts';
import { type Keywords, type Schema, staysAbsent } from './schema.ts';

export function arrayJudge(schema: Schema, judgeItem: Judge, purpose: Purpose): Judge {
  // If a list from a client is too long, its items are not judged.
  const { maxItems = Infinity }: Keywords = purpose.act === 'read' ? schema : {};
  return typedJudge(schema, purpose, (value, state) => {
    const list = value as readonly unknown[];
    if (list.length > maxItems) return [];
    const result: unknown[] = [];
    for (let at = 0; at < list.length; at += 1) result.push(judgeMember(judgeItem, list[at], at, state));
    return result;
  });
}

type Members = Readonly<Record<string, unknown>>;

export function objectJudge(schema: Schema, part: (schema: Schema) => Judge, purpose: Purpose): Judge {
  const { act } = purpose;
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, property]) =>
    memberOf(name, property, required.includes(name), part(property), purpose),
  );
  const sentNames = members.map(({ sentName }) => sentName);
  const lookUp = propertyLookup(sentNames, act === 'read');
  const [missing, surplus] =
    act === 'read'
      ? ['This member is required', 'This member is not allowed here']
      : ['is required and missing', 'is not described'];
  const refuseMissing: Judge = (_, state) => report(state, missing);
  const refuseFurther: Judge = (_, state) => report(state, surplus);
  const ignoresFurther =
    !additionalProperties && (isLenient(purpose) || (act === 'read' && additionalProperties === undefined));
  const judgeFurther = additionalProperties ? part(additionalProperties) : refuseFurther;
  // In the copy, a further member must not have the name of a declared property, because JSON would then repeat it.
  const newNames = new Set(act === 'copy' ? members.map(({ newName }) => newName) : []);

  const judgeMembers: Judge = (value, state) => {
    const object = value as Members;
    const found = act === 'read' ? foundNames(object, lookUp) : sentNames;
    const result: Record<string, unknown> = {};
    for (let at = 0; at < members.length; at += 1) {
      const { sentName, newName, judge, isIgnored, isRequired, byDefault, isNullAbsent } = members[at]!;
      if (isIgnored) continue;
      const name = found[at];
      let member = name === undefined ? undefined : memberIn(object, name);
      if (member === undefined || (member === null && isNullAbsent)) {
        if (isRequired) judgeMember(refuseMissing, undefined, sentName, state);
        member = copyOf(byDefault, judge);
      } else member = judgeMember(judge, member, name!, state);
      if (member !== undefined) setMember(result, newName, member);
    }
    if (ignoresFurther) return result;
    for (const [name, further] of Object.entries(object)) {
      if (further === undefined || lookUp(name) !== undefined || newNames.has(name)) continue;
      const member = judgeMember(judgeFurther, further, name, state);
      if (member !== undefined) setMember(result, name, member);
    }
    return result;
  };

  if (act !== 'copy') return typedJudge(schema, purpose, judgeMembers);
  // The entries of an array or a `Map` are not properties.
  const isHolder = (value: object): boolean =>
    Symbol.iterator in value &&
    (Boolean(additionalProperties) || sentNames.every((name) => memberIn(value as Members, name) === undefined));
  return typedJudge(schema, purpose, judgeMembers, (value) => isRecord(value) && !isHolder(value));
}

/** Reads a member. Ignores inherited members, because `constructor` may be the name of a property. */
const memberIn = (object: Members, name: string): unknown =>
  name in Object.prototype && !Object.hasOwn(object, name) ? undefined : object[name];

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  // An assignment to `__proto__` would change the prototype.
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function memberOf(name: string, schema: Schema, isNeeded: boolean, judge: Judge, purpose: Purpose) {
  const { act, from, to = 'camelCase', allowsWriteOnly = act === 'read' } = purpose;
  const { readOnly = false, writeOnly = false, 'x-nullable': isNullable = false } = schema;
  const isRead = act === 'read';
  const isHidden = writeOnly && !allowsWriteOnly;
  const judgeHidden: Judge = (value, state) => {
    report(state, 'is never sent: it is writeOnly');
    return judge(value, state);
  };
  const isRequired = isNeeded && !(isRead ? readOnly : writeOnly);
  // The value that the handler gets for an absent property (D5).
  const fallback = schema.default !== undefined ? schema.default : isNullable ? null : undefined;
  const byDefault = isRead && !schema[staysAbsent] ? fallback : undefined;
  return {
    sentName: wireName(name, from),
    newName: wireName(name, to),
    judge: isHidden ? judgeHidden : judge,
    isIgnored: isRead ? readOnly : isHidden && act === 'copy',
    isRequired,
    byDefault,
    /** Whether null in a body means that the property is absent (D3). */
    isNullAbsent: isRead && !isRequired && byDefault === undefined && !(isNullable && schema[staysAbsent]),
  };
}

/** Returns a copy of a default, with the defaults of its members. */
function copyOf(value: unknown, judge: Judge): unknown {
  return isObject(value) ? judge(JSON.parse(JSON.stringify(value)), newState()) : value;
}

/** Returns the spelling of each property's name in an object of a body. If it has several, the last wins (D3). */
export function foundNames(object: Members, lookUp: PropertyLookup): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (const name of Object.keys(object)) {
    const at = lookUp(name);
    if (at !== undefined) found[at] = name;
  }
  return found;
}
