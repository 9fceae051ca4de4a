/**
 * Validates values in one walk, which returns the faults or the value: a body from a client (D3, D68), or a value that
 * the service sends (D14).
 *
 * In a body, unknown members such as `__proto__` are ignored, and the last duplicate wins. A fault has the JSON Pointer
 * with the names that were sent: `{"Name": 5}` gives `/Name`.
 */
import type { Violation } from '../../core/http/problem.ts';
import { isObject } from '../../core/log/thrown-value.ts';
import { isRecord } from '../../core/options/shape.ts';
import { compiled, type Forms } from './compile.ts';
import { choiceNames, expected, Fault, type Flaw, MISSING, NOT_ALLOWED, otherThan, wrongType } from './faults.ts';
import { freeValue, jsonOf, setMember } from './free-value.ts';
import { type KeywordCheck, keywordChecks, scalarType } from './keyword-checks.ts';
import { type PropertyNaming, propertyLookup, sentPath, unescapeToken, wireName } from './names.ts';
import {
  checksOf,
  type InferBody,
  type NamedSchemas,
  nullIsAbsent,
  type Schema,
  staysAbsent,
  type ValueCheck,
  type ValueFault,
} from './schema.ts';

const MAX_FAULTS = 100;
/** The maximum number of `$ref`s on the way to a value. Deeper values are faults: they could overflow the stack. */
const MAX_DEPTH = 200;
/** The maximum nesting of a value without a schema. */
const MAX_NESTING = 1000;

/** Returns `bodyValidator` for a schema that `assertSchema` has accepted. */
export function uncheckedValidator<const S extends Schema>(schema: S, naming: PropertyNaming): Validator<InferBody<S>> {
  return validator<InferBody<S>>(schema, { naming, kind: 'body' });
}

/** Does the same for the values of a form or a query, where a CRLF has the length 1 (D128). */
export const formValidator = (schema: Schema): Validator<unknown> =>
  validator(schema, { naming: 'camelCase', kind: 'body', isForm: true });

type Validator<Value> = (
  value: unknown,
) =>
  | { readonly value: Value; readonly errors?: never }
  | { readonly errors: readonly Violation[]; readonly value?: never };

/**
 * Compiles a schema to a function that returns the faults of a value that the service sends. This check is stricter
 * than the validation of a body: names must match exactly, and unknown or `writeOnly` members are faults.
 */
export function valueChecker(schema: Schema, naming: PropertyNaming): (value: unknown) => readonly Violation[] {
  const validate = validator(schema, { naming, kind: 'reply' });
  return (value) => validate(value).errors ?? [];
}

/** Returns the faults of a default or an example, which may have `writeOnly` members. `named` has the outer schemas. */
export const exampleFaults = (value: unknown, schema: Schema, named: NamedSchemas): readonly Violation[] =>
  validator(schema, { naming: 'camelCase', kind: 'example' }, named)(value).errors ?? [];

function validator<Value>(schema: Schema, rules: Rules, named?: NamedSchemas): Validator<Value> {
  const read = compiled(schema, readForms(rules), named);
  return (sent) => {
    const faults: Fault[] = [];
    const value = read(sent, { faults, path: [], depth: 0 });
    if (faults.length === 0) return { value: value as Value };
    return { errors: faults.map(({ pointer, flaw }) => ({ pointer, ...flaw })) };
  };
}

interface Rules {
  /** The spelling of the names in the value. */
  readonly naming: PropertyNaming;
  /** A client sends a body, and the service a reply. An example may have the properties of both. */
  readonly kind: 'body' | 'reply' | 'example';
  /** True for the values of a form or a query. */
  readonly isForm?: true;
}

interface Reading {
  /** The walk stops after `MAX_FAULTS`. */
  readonly faults: Fault[];
  /** The names and indexes that lead to the part that is read. */
  readonly path: (string | number)[];
  depth: number;
}

/** Reports faults, and returns the value with the names of the code. After a fault, do not use the value. */
type Read = (value: unknown, reading: Reading) => unknown;

/** `below` leads from the part that is read to the part that is wrong. */
function report({ faults, path }: Reading, flaw: Flaw, below: readonly string[] = []): undefined {
  if (faults.length < MAX_FAULTS) faults.push(new Fault(flaw, [...path, ...below]));
}

function reportEach(checks: readonly KeywordCheck[], value: unknown, reading: Reading): void {
  for (const check of checks) {
    const flaw = check(value);
    if (flaw !== undefined) report(reading, flaw);
  }
}

const readForms = (rules: Rules): Forms<Read> => ({
  scalar(schema) {
    const { kind, fits } = scalarType(schema, rules.kind === 'body');
    const checks = [...keywordChecks(schema, rules.isForm)];
    return (value, reading) => {
      if (typeof value !== kind || (fits !== undefined && !fits(value)))
        return report(reading, wrongType(schema, value));
      if (checks.length > 0) reportEach(checks, value, reading);
      return value;
    };
  },

  array(schema, readItem) {
    const checks = [...keywordChecks(schema)];
    const { maxItems = Infinity } = schema;
    return (value, reading) => {
      if (!Array.isArray(value)) return report(reading, wrongType(schema, value));
      reportEach(checks, value, reading);
      // If a list is too long, its items are not read.
      if (value.length > maxItems) return undefined;
      const items: unknown[] = [];
      for (let at = 0; at < value.length && reading.faults.length < MAX_FAULTS; at += 1) {
        reading.path.push(at);
        items.push(readItem(value[at], reading));
        reading.path.pop();
      }
      return items;
    };
  },

  free(schema) {
    const checks = [...keywordChecks(schema)];
    const isOfType = schema.type === 'array' ? Array.isArray : isRecord;
    return (value, reading) => {
      if (!isOfType(value)) return report(reading, wrongType(schema, value));
      reportEach(checks, value, reading);
      const free = freeValue(jsonOf(value), MAX_NESTING);
      return free instanceof Fault ? report(reading, free.flaw) : free;
    };
  },

  object: (schema, partOf) => objectReader(schema, partOf, rules),

  choice(schema, branches) {
    const names = choiceNames(schema);
    const readers = branches();
    return (value, reading) => {
      const fitting = readers.flatMap((read, at) => {
        const trial: Reading = { ...reading, faults: [] };
        const result = read(value, trial);
        return trial.faults.length > 0 ? [] : [{ result, name: names[at] }];
      });
      if (fitting.length === 1) return fitting[0]!.result;
      const found = fitting.length === 0 ? 'it fits none' : `it fits ${fitting.map(({ name }) => name).join(', ')}`;
      return report(reading, expected('oneOf', names, `exactly one of ${names.join(', ')}; ${found}`));
    };
  },

  selection(property, branches) {
    const name = wireName(property, rules.naming);
    const lookUp = rules.kind === 'body' ? propertyLookup([name]) : undefined;
    const other = otherThan(branches.keys());
    return (value, reading) => {
      if (!isRecord(value)) return report(reading, wrongType({ type: 'object' }, value));
      const sent = (lookUp && Object.keys(value).findLast((key) => lookUp(key) !== undefined)) ?? name;
      const read = branches.get(value[sent]);
      return read === undefined ? report(reading, other, [sent]) : read(value, reading);
    };
  },

  reference: (target) => (value, reading) => {
    if (reading.depth >= MAX_DEPTH)
      return report(
        reading,
        expected('depth', MAX_DEPTH, `a value that is nested in at most ${MAX_DEPTH} of its kind`),
      );
    reading.depth += 1;
    const result = target()(value, reading);
    reading.depth -= 1;
    return result;
  },

  whole(schema, part) {
    const checks = rules.kind === 'body' ? checksOf(schema) : [];
    const read = checks.length === 0 ? part : checkedReader(part, checks, rules.naming);
    return schema['x-nullable'] === true ? (value, reading) => (value === null ? null : read(value, reading)) : read;
  },
});

function objectReader(schema: Schema, partOf: (inner: Schema) => Read, rules: Rules): Read {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, property]) =>
    memberOf(name, property, required.includes(name), partOf(property), rules),
  );
  const sentNames = members.map(({ sentName }) => sentName);
  const exact = new Map(sentNames.map((name, at) => [name, at]));
  const lookUp = rules.kind === 'body' ? propertyLookup(sentNames) : undefined;
  const ignoresFurther = additionalProperties === undefined && rules.kind === 'body';
  const readFurther = additionalProperties
    ? partOf(additionalProperties)
    : (_: unknown, reading: Reading) => report(reading, NOT_ALLOWED);

  return (value, reading) => {
    if (!isRecord(value)) return report(reading, wrongType(schema, value));
    const { faults, path } = reading;
    // If a body has several spellings of a name, the last one counts (D3).
    const found: (string | undefined)[] = [];
    const others: string[] = [];
    for (const sent of Object.keys(value)) {
      const at = exact.get(sent) ?? lookUp?.(sent);
      if (at !== undefined) found[at] = sent;
      else if (!ignoresFurther) others.push(sent);
    }
    const result: Record<string, unknown> = {};
    for (let at = 0; at < members.length && faults.length < MAX_FAULTS; at += 1) {
      const { name, sentName, read, isIgnored, isRequired, byDefault, shared, isNullAbsent } = members[at]!;
      if (isIgnored) continue;
      const sent = found[at];
      let member = sent === undefined ? undefined : value[sent];
      if (member === undefined || (member === null && isNullAbsent)) {
        if (isRequired) report(reading, MISSING, [sentName]);
        member = shared === undefined ? byDefault : shared();
      } else {
        path.push(sent!);
        member = read(member, reading);
        path.pop();
      }
      if (member === undefined) continue;
      if (name === '__proto__') setMember(result, name, member);
      else result[name] = member;
    }
    for (const name of others) {
      const further = value[name];
      if (further === undefined) continue;
      if (faults.length >= MAX_FAULTS) break;
      path.push(name);
      setMember(result, name, readFurther(further, reading));
      path.pop();
    }
    return result;
  };
}

/** Returns a function that returns a default. All bodies share a list or an object, so it is frozen. */
function sharedDefault(value: object, read: Read): () => unknown {
  let shared: unknown;
  return () => (shared ??= frozen(read(JSON.parse(JSON.stringify(value)), { faults: [], path: [], depth: 0 })));
}

function frozen(value: unknown): unknown {
  if (isObject(value)) for (const member of Object.values(Object.freeze(value))) frozen(member);
  return value;
}

function memberOf(name: string, schema: Schema, isNeeded: boolean, read: Read, rules: Rules) {
  const isBody = rules.kind === 'body';
  const { readOnly = false, writeOnly = false, 'x-nullable': isNullable = false } = schema;
  const isRequired = isNeeded && !(isBody ? readOnly : writeOnly);
  // The value that the handler gets for an absent property (D5).
  const fallback = schema.default !== undefined ? schema.default : isNullable ? null : undefined;
  const byDefault = isBody && !schema[staysAbsent] ? fallback : undefined;
  return {
    name,
    sentName: wireName(name, rules.naming),
    read: writeOnly && rules.kind === 'reply' ? refuseHidden : read,
    isIgnored: readOnly && isBody,
    isRequired,
    byDefault,
    shared: isObject(byDefault) ? sharedDefault(byDefault, read) : undefined,
    isNullAbsent: isBody && schema[nullIsAbsent] === true,
  };
}

const refuseHidden: Read = (_, reading) =>
  report(reading, { detail: 'This member is writeOnly, so it is never sent', keyword: 'writeOnly' });

/** Returns a reader that calls the checks if `read` finds no fault. It throws if a check returns a wrong result. */
function checkedReader(read: Read, checks: readonly ValueCheck[], naming: PropertyNaming): Read {
  return (sent, reading) => {
    const before = reading.faults.length;
    const value = read(sent, reading);
    if (reading.faults.length > before) return value;
    for (const check of checks)
      for (const { pointer = '', detail, keyword = 'check', limit } of faultsIn(check(value))) {
        const names = pointer.split('/').slice(1).map(unescapeToken);
        report(reading, { detail, keyword, limit }, sentPath(sent, names, naming));
      }
    return value;
  };
}

function faultsIn(answer: ReturnType<ValueCheck>): readonly ValueFault[] {
  const faults = answer === undefined ? [] : ([answer].flat() as readonly ValueFault[]);
  if (faults.every((fault) => typeof fault?.detail === 'string' && /^(?:\/|$)/.test(fault.pointer ?? '')))
    return faults;
  const kind = answer instanceof Promise ? 'a promise' : JSON.stringify(answer);
  throw new TypeError(
    `Cannot use the check of a value: it returned ${kind}; return undefined or { pointer: '/…', detail }, and do asynchronous work in the handler`,
  );
}
