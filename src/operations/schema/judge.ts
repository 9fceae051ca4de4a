/**
 * Compiles a schema to closures that walk through a value: to validate a body (D3, D68), to check a value (D14), or to
 * copy a value with another spelling of names, for `serialize.ts`.
 *
 * In a body, unknown members such as `__proto__` are ignored, and the last duplicate wins. A violation has the JSON
 * Pointer with the names that were sent: `{"Name": 5}` gives `/Name`.
 */

import type { Violation } from '../../core/http/reply.ts';
import { isObject } from '../../core/log/thrown-value.ts';
import { selectedJudge, triedJudge } from './choices.ts';
import {
  isEnough,
  isLenient,
  isSelfWriting,
  type Judge,
  type Judging,
  newState,
  type Purpose,
  refuse,
  report,
  typedJudge,
} from './judging.ts';
import { typeText } from './keyword-checks.ts';
import { arrayJudge, objectJudge } from './members.ts';
import { type PropertyNaming, sentPath, unescapeToken } from './names.ts';
import {
  checksOf,
  type InferBody,
  joinedObject,
  type NamedSchemas,
  namedParts,
  type Schema,
  type ValueCheck,
  type ValueFault,
} from './schema.ts';

/** The maximum number of `$ref`s on the way to a value. Deeper values are violations: they could overflow the stack. */
const MAX_DEPTH = 200;
/** The maximum nesting of a value without a schema. */
const MAX_NESTING = 1000;

/**
 * Compiles a schema to a validator of bodies. The validator returns the errors, or a value whose properties have the
 * names of the code and the order of the schema. An absent property gets its default, or null if it is nullable;
 * otherwise it stays absent (D5). `readOnly` properties are always left out. The validator throws if a custom check
 * throws. Throws a `SyntaxError` if two names differ only in case, or if a `pattern` does not compile.
 *
 *     const validate = bodyValidator({ type: 'object', properties: { name: { type: 'string' } } }, 'PascalCase');
 *     const { value, errors } = validate({ Name: 'Rest' });
 */
export function bodyValidator<const S extends Schema>(
  schema: S,
  naming: PropertyNaming,
): (
  body: unknown,
) =>
  | { readonly value: InferBody<S>; readonly errors?: never }
  | { readonly errors: readonly Violation[]; readonly value?: never } {
  const judge = judgeOf(schema, { act: 'read', from: naming });
  return (body) => {
    const state = newState();
    const value = judge(body, state);
    const { errors } = state;
    return errors.length === 0 ? { value: value as InferBody<S> } : { errors };
  };
}

/**
 * Compiles a schema to a function that returns the violations of a value that the service sends. This check is stricter
 * than the validation of a body: names must match exactly, and unknown or `writeOnly` members are violations.
 */
export function valueChecker(schema: Schema, naming: PropertyNaming): (value: unknown) => Violation[] {
  const judge = judgeOf(schema, { act: 'check', from: naming });
  return (value) => faultsIn(judge, value);
}

/** Returns the violations of a default or an example, which may have `writeOnly` members. */
export const checkExample = (value: unknown, schema: Schema, named: NamedSchemas): Violation[] =>
  faultsIn(judgeOf(schema, { act: 'check', from: 'camelCase', allowsWriteOnly: true }, named), value);

function faultsIn(judge: Judge, value: unknown): Violation[] {
  const state = newState();
  judge(value, state);
  return state.errors;
}

/** Compiles a schema to a judge. `named` has the named schemas that contain the schema. */
export const judgeOf = (schema: Schema, purpose: Purpose, named: NamedSchemas = new Map()): Judge =>
  judgeIn(schema, scopeWith(new Map(), named, purpose), purpose);

/** The named schemas that contain a schema, by name, each with a function that returns its judge. */
type Scope = ReadonlyMap<string, { readonly schema: Schema; readonly judge: () => Judge }>;

function scopeWith(outer: Scope, parts: Iterable<readonly [name: string, part: Schema]>, purpose: Purpose): Scope {
  const scope = new Map(outer);
  for (const [name, schema] of parts) {
    let judge: Judge | undefined;
    if (outer.get(name)?.schema !== schema)
      scope.set(name, { schema, judge: () => (judge ??= judgeIn(schema, scope, purpose)) });
  }
  return scope;
}

function judgeIn(schema: Schema, outer: Scope, purpose: Purpose): Judge {
  const checks = purpose.act === 'read' ? checksOf(schema) : [];
  const judged = formJudge(schema, scopeWith(outer, namedParts(schema), purpose), purpose);
  const judge = checks.length === 0 ? judged : checkedJudge(judged, checks, purpose.from);
  return schema['x-nullable'] === true ? (value, state) => (value === null ? null : judge(value, state)) : judge;
}

function formJudge(schema: Schema, scope: Scope, purpose: Purpose): Judge {
  const { $ref, oneOf, discriminator, type, items } = schema;
  const part = (inner: Schema): Judge => judgeIn(inner, scope, purpose);
  if ($ref !== undefined) return referenceJudge(scope.get($ref)!.judge, purpose);
  if (oneOf !== undefined) {
    if (discriminator !== undefined) return selectedJudge(schema, oneOf.map(part), purpose);
    if (!isLenient(purpose)) return triedJudge(schema, oneOf.map(part), purpose);
    const named = new Map(Array.from(scope, ([name, entry]) => [name, entry.schema]));
    return judgeOf(schema, { ...purpose, isTrial: true }, named);
  }
  if (type === 'array')
    return items === undefined ? freeJudge(schema, purpose) : arrayJudge(schema, part(items), purpose);
  const object = joinedObject(schema);
  if (object === undefined) return typedJudge(schema, purpose);
  const isDescribed = (object.properties ?? object.additionalProperties) !== undefined;
  return isDescribed ? objectJudge(object, part, purpose) : freeJudge(object, purpose);
}

/**
 * Returns the judge of a `$ref`. `target` returns the referenced judge; it is called after all schemas are compiled.
 */
function referenceJudge(target: () => Judge, purpose: Purpose): Judge {
  if (purpose.act === 'copy') return (value, state) => target()(value, state);
  return (value, state) => {
    if (state.depth >= MAX_DEPTH)
      return refuse(state, purpose, `a value that is nested in at most ${MAX_DEPTH} of its kind`);
    state.depth += 1;
    const result = target()(value, state);
    state.depth -= 1;
    return result;
  };
}

/** Returns a judge that calls the checks if `judge` finds no violation. It throws if a check returns a wrong result. */
function checkedJudge(judge: Judge, checks: readonly ValueCheck[], naming: PropertyNaming): Judge {
  return (sent, state) => {
    const before = state.faults;
    const value = judge(sent, state);
    if (state.faults > before) return value;
    for (const check of checks)
      for (const fault of faultsOf(check(value))) {
        if (isEnough(state)) return value;
        const names = (fault.pointer ?? '').split('/').slice(1).map(unescapeToken);
        report(state, fault.detail, [...state.path, ...sentPath(sent, names, naming)]);
      }
    return value;
  };
}

function faultsOf(answer: ReturnType<ValueCheck>): readonly ValueFault[] {
  const faults = answer === undefined ? [] : ([answer].flat() as readonly ValueFault[]);
  if (faults.every((fault) => typeof fault?.detail === 'string')) return faults;
  const kind = answer instanceof Promise ? 'a promise' : JSON.stringify(answer);
  throw new TypeError(
    `Cannot use the check of a value: it returned ${kind}; return undefined or { pointer, detail }, and do asynchronous work in the handler`,
  );
}

/** Returns the judge of objects and arrays whose members have no schema. */
function freeJudge(schema: Schema, purpose: Purpose): Judge {
  if (purpose.act === 'copy') return typedJudge(schema, purpose, (value, state) => writable(value, schema, state));
  const levels = purpose.act === 'read' ? MAX_NESTING : Infinity;
  return typedJudge(schema, purpose, (value, state) => {
    const fault = unwritable(value, levels);
    return fault === undefined ? value : refuse(state, purpose, fault);
  });
}

/** Returns the violation of a value that has too many levels, or a number beyond the range of a double. */
function unwritable(value: unknown, levels: number): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a value with numbers in the range of a double';
  if (!isObject(value)) return undefined;
  if (levels === 0) return `a value with at most ${MAX_NESTING} objects and arrays inside one another`;
  for (const member of Object.values(value)) {
    const fault = unwritable(member, levels - 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Reports values that `JSON.stringify` would leave out or turn into null. */
function writable(value: unknown, schema: Schema, state: Judging): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return report(state, `is not written: ${error.message}`);
  }
  if (text?.[0] !== (schema.type === 'array' ? '[' : '{'))
    return report(state, `has a toJSON() that gives ${text}, not ${typeText(schema)}`);
  const place = text.includes('null') ? lostIn(value) : undefined;
  if (place === undefined) return value;
  return report(state, 'is not a JSON value; JSON would turn it into null', [...state.path, ...place]);
}

/** Returns the place of the first value other than null that `JSON.stringify` turns into null; else undefined. */
function lostIn(value: unknown): string[] | undefined {
  const written: unknown = isObject(value) && isSelfWriting(value) ? value.toJSON() : value;
  if (typeof written === 'number') return Number.isFinite(written) ? undefined : [];
  if (!isObject(written)) return LOST.includes(typeof written) ? [] : undefined;
  const isList = Array.isArray(written);
  for (const [name, member] of Object.entries(isList ? Array.from(written) : written)) {
    // `JSON.stringify` leaves out a member with such a value, which is not an error.
    const place = isList || !LOST.includes(typeof member) ? lostIn(member) : undefined;
    if (place !== undefined) return [name, ...place];
  }
  return undefined;
}
const LOST = ['undefined', 'function', 'symbol'];
