/**
 * Judges values by a schema, in one walk: bodies that are read (D3, D68), and values that are sent (D14).
 *
 * A schema is compiled to closures once. Of a body unknown members are ignored, `__proto__` too, and the last duplicate
 * wins. A violation has the JSON Pointer of the member as it was sent: `{"Name": 5}` gives `/Name`.
 */

import { isObject } from '../../core/log/thrown-value.ts';
import type { Violation } from '../../core/message/reply.ts';
import { isRecord } from '../../core/options/shape.ts';
import { keywordChecks, typeCheck, typeText, uniqueFault, valueText } from './keyword-checks.ts';
import {
  type PropertyLookup,
  type PropertyNaming,
  pointerTo,
  propertyLookup,
  type SentNames,
  sentNames,
  spelledPath,
  unescapeToken,
  wireName,
} from './names.ts';
import { withRounded } from './rounded-numbers.ts';
import {
  type InferBody,
  type Keywords,
  type Scalar,
  type Schema,
  staysAbsent,
  type ValueCheck,
  type ValueFault,
} from './schema.ts';
import { branchesOf, compiled, type NamedSchemas, type Visitor } from './walk.ts';

/**
 * Compiles a schema to a validator. Its value has the names of the code in the order of the schema. An absent property
 * has its default, or null if it is nullable (D5), and is left out otherwise; a property that is `readOnly` is left out
 * always. `text` is the JSON from which `body` was parsed; of another format, `JSON.stringify(body)`. The validator throws
 * what a check of a value throws. Throws a SyntaxError if two properties differ only in case, and for a `pattern` that
 * does not compile.
 *
 *     const validate = bodyValidator({ type: 'object', properties: { name: { type: 'string' } } }, 'PascalCase');
 *     const { value, errors } = validate({ Name: 'Rest' }, '{"Name":"Rest"}');
 */
export function bodyValidator<const S extends Schema>(
  schema: S,
  naming: PropertyNaming,
): (
  body: unknown,
  text: string,
) =>
  | { readonly value: InferBody<S>; readonly errors?: never }
  | { readonly errors: readonly Violation[]; readonly value?: never } {
  const judge = judgeOf(schema, { naming, isBody: true });
  return (body, text) => {
    const state = newState(text, body);
    const value = judge(body, state);
    const errors = withRounded(state.errors, text, body);
    return errors.length === 0 ? { value: value as InferBody<S> } : { errors };
  };
}

/**
 * Returns every difference of a value that is sent, each with its place. This is stricter than the validation of a
 * body: names are compared exactly, and a member that is not described, or is `writeOnly`, is a difference.
 */
export function checkValue(value: unknown, schema: Schema, naming: PropertyNaming): Violation[] {
  const known = CHECKS[naming];
  let check = known.get(schema);
  if (check === undefined) known.set(schema, (check = judgeOf(schema, { naming })));
  return differences(value, check);
}

/** A lasting store checks each of its texts with one schema, so a schema is compiled once. */
const CHECKS = { camelCase: new WeakMap<Schema, Judge>(), PascalCase: new WeakMap<Schema, Judge>() };

/** Does the same for a default or an example, which may have what is `writeOnly`. */
export const checkExample = (value: unknown, schema: Schema, named: NamedSchemas): Violation[] =>
  differences(value, judgeOf(schema, { naming: 'camelCase', allowsWriteOnly: true }, named));

function differences(value: unknown, check: Judge): Violation[] {
  const state = newState();
  check(value, state);
  return state.errors;
}

/** The state for a body, which was parsed from `text` to `root`, or for a value that is sent. */
export const newState = (text?: string, root?: unknown): Judging => ({
  errors: [],
  isTrying: false,
  isRefused: false,
  path: [],
  depth: 0,
  text,
  root,
  known: text === undefined ? new Map() : undefined,
});

/** The state while one value is judged. */
export interface Judging {
  readonly errors: Violation[];
  /** Is a schema of a choice tried? What is wrong with the value is not told then, only that something is. */
  isTrying: boolean;
  /** Is something wrong with the value for which a schema is tried? */
  isRefused: boolean;
  /** The names and indexes that lead to the value that is judged. */
  readonly path: (string | number)[];
  /** How many references lead to the value that is judged. */
  depth: number;
  readonly text: string | undefined;
  readonly root: unknown;
  sentNames?: SentNames;
  /** Of a value that is sent: what was found before of a part that is judged more than once. */
  readonly known: Map<Judge, Map<unknown, Attempt | undefined>> | undefined;
}

/** Reports violations, and returns the value with the names of the code; after a violation it is not used. */
type Judge = (value: unknown, state: Judging) => unknown;

/** Says what was expected, and what was found. */
type Refuse = (state: Judging, expected: string, found?: string) => undefined;

/** Who sends a value, and how strictly it is judged. */
interface Side {
  readonly naming: PropertyNaming;
  /** A client: names ignore case, absent members are filled in, and further ones are ignored. */
  readonly isBody?: boolean;
  /** Of a value that is sent: whether a member may be there that is not described or `writeOnly`. */
  readonly isOpen?: boolean;
  readonly allowsWriteOnly?: boolean;
}

/** How often `$ref` is followed into a value. Deeper values are refused: the stack of the engine has an end. */
const MAX_DEPTH = 200;
/** How deep a value is nested that no schema describes. */
const MAX_NESTING = 1000;
/** Limits what is told of a long array of wrong values. */
const MAX_VIOLATIONS = 100;

/** Compiles the judge of a schema. `named` are the named schemas around it. */
export const judgeOf = (schema: Schema, side: Side, named?: NamedSchemas): Judge =>
  compiled(schema, judges(side), named);

/** Makes the judges of one side. */
export function judges(side: Side): Visitor<Judge> {
  const { naming, isBody = false } = side;
  const refuse: Refuse = (state, expected, found) =>
    report(state, isBody ? `Expected ${expected}${found === undefined ? '' : `, not ${found}`}` : `is not ${expected}`);
  const refuseType = (state: Judging, schema: Schema, value: unknown): undefined => {
    // The words take longer than the check.
    if (state.isTrying) return void (state.isRefused = true);
    return refuse(state, typeText(schema), valueText(schema, value));
  };

  /** Reports the type and the keywords that a value does not have. Returns whether it has the type. */
  function typed(schema: Schema): (value: unknown, state: Judging) => boolean {
    const isOfType = typeCheck(schema, isBody);
    const checks = [...keywordChecks(schema)];
    return (value, state) => {
      if (!isOfType(value)) {
        refuseType(state, schema, value);
        return false;
      }
      for (const check of checks) {
        const fault = check(value);
        if (fault !== undefined) refuse(state, fault);
      }
      return true;
    };
  }

  function refuseRepeated(items: readonly unknown[], state: Judging): void {
    const fault = uniqueFault(items);
    if (fault !== undefined) refuse(state, fault);
  }

  return {
    orNull: (judge) => (value, state) => (value === null ? null : judge(value, state)),

    ...(isBody && { checked: (judge, checks) => checkedJudge(judge, checks, naming) }),

    reference: (target) => (value, state) => {
      if (state.depth >= MAX_DEPTH) return refuse(state, `a value that is nested in at most ${MAX_DEPTH} of its kind`);
      state.depth += 1;
      const result = target()(value, state);
      state.depth -= 1;
      return result;
    },

    choice(schema, branches) {
      const { discriminator } = schema;
      if (discriminator === undefined) {
        const candidates = [...branches.values()];
        return (value, state) => {
          let matching = 0;
          let result: unknown;
          for (const judge of candidates) {
            const attempted = tryJudge(judge, value, state);
            if (attempted === undefined) continue;
            matching += 1;
            result = attempted.result;
          }
          if (matching === 1) return result;
          return refuse(state, `a value of exactly one of ${candidates.length} schemas; this one has ${matching}`);
        };
      }
      const selected = new Map(Array.from(branchesOf(schema), ([value, branch]) => [value, branches.get(branch)!]));
      const allowed = Array.from(selected.keys(), (value) => JSON.stringify(value)).join(', ');
      const name = wireName(discriminator.propertyName, naming);
      const lookUp = propertyLookup([name], isBody);
      const refuseName: Judge = (_, state) => refuse(state, `one of ${allowed}`);
      return (value, state) => {
        if (!isRecord(value)) return refuse(state, 'an object', valueText({}, value));
        const [sent] = sentNamesOf(value, [undefined], lookUp, state);
        const judge = sent === undefined ? undefined : selected.get(value[sent] as Scalar);
        return judge === undefined ? judgeMember(refuseName, value, sent ?? name, state) : judge(value, state);
      };
    },

    object: (schema, part) => objectJudge(schema, side, part, refuseType),

    array(schema, judgeItem) {
      const isTyped = typed(schema);
      // A list of a client that is too long is not looked into.
      const { maxItems = Infinity }: Keywords = isBody ? schema : {};
      return (value, state) => {
        if (!isTyped(value, state)) return undefined;
        const items = value as readonly unknown[];
        if (items.length > maxItems) return [];
        const before = state.errors.length;
        const result = items.map((item, at) => judgeMember(judgeItem, item, at, state));
        if (schema.uniqueItems && state.errors.length === before && !state.isRefused) refuseRepeated(items, state);
        return result;
      };
    },

    free(schema) {
      const isTyped = typed(schema);
      return (value, state) => {
        if (!isTyped(value, state)) return undefined;
        // Each level has two brackets.
        if (state.text !== undefined && state.text.length > 2 * MAX_NESTING && isDeeper(value, MAX_NESTING))
          return refuse(state, `a value with at most ${MAX_NESTING} objects and arrays inside one another`);
        if (hasInfinity(value)) refuse(state, 'a value with numbers in the range of a double');
        if (schema.uniqueItems) refuseRepeated(value as readonly unknown[], state);
        return value;
      };
    },

    scalar(schema) {
      const isTyped = typed(schema);
      return (value, state) => {
        isTyped(value, state);
        return value;
      };
    },
  };
}

/** What a schema of a choice made of a value that matches it. */
interface Attempt {
  readonly result: unknown;
}

/** Tries one schema of a choice; undefined where the value does not match. */
export function tryJudge(judge: Judge, value: unknown, state: Judging): Attempt | undefined {
  const { isTrying, isRefused, known } = state;
  if (known !== undefined && !known.has(judge)) known.set(judge, new Map());
  const tried = known?.get(judge);
  if (tried?.has(value)) return tried.get(value);
  state.isTrying = true;
  state.isRefused = false;
  const result = judge(value, state);
  const attempted = state.isRefused ? undefined : { result };
  state.isTrying = isTrying;
  state.isRefused = isRefused;
  tried?.set(value, attempted);
  return attempted;
}

function report(state: Judging, detail: string): undefined {
  const { errors, isTrying, path } = state;
  // The pointer of a value that is deep inside takes longer than to judge it.
  if (isTrying) state.isRefused = true;
  else if (errors.length < MAX_VIOLATIONS) errors.push({ pointer: pointerTo(path), detail });
}

/** Is so much wrong that the rest is not judged? */
const isEnough = ({ errors, isTrying, isRefused }: Judging): boolean =>
  isTrying ? isRefused : errors.length >= MAX_VIOLATIONS;

/**
 * Calls the checks of a value in which the judge finds nothing. Throws a `TypeError` for an answer that is not a fault.
 */
function checkedJudge(judge: Judge, checks: readonly ValueCheck[], naming: PropertyNaming): Judge {
  return (sent, state) => {
    const before = state.errors.length;
    const value = judge(sent, state);
    if (state.isRefused || state.errors.length > before || before >= MAX_VIOLATIONS) return value;
    for (const check of checks)
      for (const fault of faultsOf(check(value))) {
        if (state.isTrying) state.isRefused = true;
        if (isEnough(state)) return value;
        const names = (fault.pointer ?? '').split('/').slice(1).map(unescapeToken);
        const known = names.length === 0 ? NO_NAMES : (state.sentNames ??= sentNames(state.text ?? '', state.root));
        state.errors.push({
          pointer: pointerTo([...state.path, ...spelledPath(sent, names, naming, known)]),
          detail: fault.detail,
        });
      }
    return value;
  };
}
const NO_NAMES: SentNames = new Map();

function faultsOf(answer: ReturnType<ValueCheck>): readonly ValueFault[] {
  const faults = answer === undefined ? [] : ([answer].flat() as readonly ValueFault[]);
  if (faults.every((fault) => typeof fault?.detail === 'string')) return faults;
  const kind = answer instanceof Promise ? 'a promise' : JSON.stringify(answer);
  throw new TypeError(
    `Cannot judge a value by its check, which returned ${kind}; return undefined where nothing is wrong, else { pointer, detail }, and ask what takes time in the handler`,
  );
}

/** Judges a member, unless the list of violations is full. */
function judgeMember(judge: Judge, value: unknown, member: string | number, state: Judging): unknown {
  if (isEnough(state)) return undefined;
  state.path.push(member);
  const result = judge(value, state);
  state.path.pop();
  return result;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  isObject(value) && (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** Whether a number inside cannot be written back as it was read, such as `1e999`. */
const hasInfinity = (value: unknown): boolean =>
  isObject(value) ? Object.values(value).some(hasInfinity) : typeof value === 'number' && !Number.isFinite(value);

function objectJudge(
  schema: Schema,
  side: Side,
  part: (schema: Schema) => Judge,
  refuse: (state: Judging, schema: Schema, value: unknown) => undefined,
): Judge {
  const { isBody = false, isOpen = isBody } = side;
  const { properties: declared = {}, required = [], additionalProperties } = schema;
  const properties = Object.entries(declared).map(([name, one]) =>
    propertyOf(name, one, required.includes(name), part(one), side),
  );
  const lookUp = propertyLookup(
    properties.map((property) => property.sentName),
    isBody,
  );
  const [missing, surplus] = isBody
    ? ['This member is required', 'This member is not allowed here']
    : ['is required and missing', 'is not described'];
  const refuseMissing: Judge = (_, state) => report(state, missing);
  const refuseFurther: Judge = (_, state) => report(state, surplus);
  const ignoresFurther = isOpen && additionalProperties === undefined;
  const judgeFurther = additionalProperties ? part(additionalProperties) : refuseFurther;
  return (object, state) => {
    if (!isRecord(object)) return refuse(state, schema, object);
    const unsent = new Array<SentName>(properties.length).fill(undefined);
    const sentNames = sentNamesOf(object, unsent, lookUp, state);
    const result: Record<string, unknown> = {};
    for (let at = 0; at < properties.length; at += 1) {
      const property = properties[at]!;
      const sentName = sentNames[at];
      let value: unknown;
      if (sentName === undefined || (property.isNullAbsent && object[sentName] === null)) {
        if (property.isRequired) judgeMember(refuseMissing, undefined, property.sentName, state);
        value = copyOf(property.byDefault, property.judge);
      } else value = judgeMember(property.judge, object[sentName], sentName, state);
      if (value !== undefined) result[property.name] = value;
    }
    if (ignoresFurther) return result;
    for (const name of Object.keys(object)) {
      if (lookUp(name) !== undefined) continue;
      const value = judgeMember(judgeFurther, object[name], name, state);
      // An assignment to `__proto__` would change the prototype.
      if (value !== undefined)
        Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return result;
  };
}

function propertyOf(name: string, schema: Schema, isNeeded: boolean, judge: Judge, side: Side) {
  const { naming, isBody = false, isOpen = false, allowsWriteOnly = isOpen } = side;
  const { readOnly = false, writeOnly = false, 'x-nullable': isNullable = false } = schema;
  const sentName = wireName(name, naming);
  const isIgnored = isBody && readOnly;
  const isHidden = !isBody && writeOnly && !allowsWriteOnly;
  const judgeHidden: Judge = (value, state) => {
    report(state, 'is never sent: it is writeOnly');
    return judge(value, state);
  };
  const isRequired = isNeeded && !(isBody ? readOnly : writeOnly);
  // What the handler is given for an absent property (D5).
  const fallback = schema.default !== undefined ? schema.default : isNullable ? null : undefined;
  const byDefault = isBody && !readOnly && !schema[staysAbsent] ? fallback : undefined;
  return {
    name,
    sentName,
    judge: isIgnored ? () => undefined : isHidden ? judgeHidden : judge,
    isRequired,
    byDefault,
    /** Null in a body is as good as that, where it is no value (D3). */
    isNullAbsent: isBody && !isRequired && byDefault === undefined && !(isNullable && schema[staysAbsent]),
  };
}

/** A copy of a default with its own defaults. */
function copyOf(value: unknown, judge: Judge): unknown {
  if (!isObject(value)) return value;
  const text = JSON.stringify(value);
  const root: unknown = JSON.parse(text);
  return judge(root, newState(text, root));
}

/** The name under which a property was sent. */
type SentName = string | undefined;

/** Sets `found` to the name that each property has in the object. Of several, the last counts (D3). */
function sentNamesOf(object: object, found: SentName[], lookUp: PropertyLookup, state: Judging): SentName[] {
  if (collectNames(Object.keys(object), lookUp, found)) {
    state.sentNames ??= sentNames(state.text!, state.root);
    collectNames(state.sentNames.get(object)!, lookUp, found);
  }
  return found;
}

/** Sets `found` to the last name of each property. Returns whether a property has several names. */
function collectNames(names: readonly string[], lookUp: PropertyLookup, found: SentName[]): boolean {
  let hasDuplicates = false;
  for (const name of names) {
    const at = lookUp(name);
    if (at === undefined) continue;
    hasDuplicates ||= found[at] !== undefined;
    found[at] = name;
  }
  return hasDuplicates;
}
