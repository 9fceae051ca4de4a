/**
 * Walks a schema and a value side by side: bodies that are read (D3, D68), values that are checked (D14), and values
 * that are copied from one spelling of names to another, which `serialize.ts` does.
 *
 * A schema is compiled to closures once. Of a body unknown members are ignored, `__proto__` too, and the last duplicate
 * wins. A violation has the JSON Pointer of the member as it was sent: `{"Name": 5}` gives `/Name`.
 */
import { isObject } from '../../core/log/thrown-value.ts';
import type { Violation } from '../../core/message/reply.ts';
import { choiceJudge } from './choices.ts';
import {
  isEnough,
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
import { arrayJudge, objectJudge, refuseRepeated } from './members.ts';
import { type PropertyNaming, type SentNames, sentNames, spelledPath, unescapeToken, withRounded } from './names.ts';
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

/** How often `$ref` is followed into a value. Deeper values are refused: the stack of the engine has an end. */
const MAX_DEPTH = 200;
/** How deep a value is nested that no schema describes. */
const MAX_NESTING = 1000;

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
  const judge = judgeOf(schema, { act: 'read', from: naming });
  return (body, text) => {
    const state = newState(text, body);
    const value = judge(body, state);
    const errors = withRounded(state.errors, text, body);
    return errors.length === 0 ? { value: value as InferBody<S> } : { errors };
  };
}

/**
 * Compiles a schema to a function that returns every difference of a value that is sent, each with its place. This is
 * stricter than the validation of a body: names are compared exactly, and a member that is not described, or is
 * `writeOnly`, is a difference.
 */
export function valueChecker(schema: Schema, naming: PropertyNaming): (value: unknown) => Violation[] {
  const judge = judgeOf(schema, { act: 'check', from: naming });
  return (value) => faultsIn(judge, value);
}

/** Returns the same for a default or an example, which may have what is `writeOnly`. */
export const checkExample = (value: unknown, schema: Schema, named: NamedSchemas): Violation[] =>
  faultsIn(judgeOf(schema, { act: 'check', from: 'camelCase', allowsWriteOnly: true }, named), value);

function faultsIn(judge: Judge, value: unknown): Violation[] {
  const state = newState();
  judge(value, state);
  return state.errors;
}

/** Compiles the judge of a schema. `named` are the named schemas around it. */
export const judgeOf = (schema: Schema, purpose: Purpose, named: NamedSchemas = new Map()): Judge =>
  judgeIn(schema, scopeWith(new Map(), named, purpose), purpose);

/** The named schemas around a value, each with its judge in the scope where it stands. */
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
  const { $ref, oneOf, type, items } = schema;
  const part = (inner: Schema): Judge => judgeIn(inner, scope, purpose);
  if ($ref !== undefined) return referenceJudge(scope.get($ref)!.judge, purpose);
  if (oneOf !== undefined) {
    const named = new Map(Array.from(scope, ([name, one]) => [name, one.schema]));
    return choiceJudge(schema, oneOf.map(part), purpose, (other) => judgeOf(schema, other, named));
  }
  if (type === 'array')
    return items === undefined ? freeJudge(schema, purpose) : arrayJudge(schema, part(items), purpose);
  const object = joinedObject(schema);
  if (object === undefined) return typedJudge(schema, purpose);
  const isDescribed = (object.properties ?? object.additionalProperties) !== undefined;
  return isDescribed ? objectJudge(object, part, purpose) : freeJudge(object, purpose);
}

/** `target` gives the judge to which the `$ref` leads; it can be called when all are compiled. */
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

/**
 * Calls the checks of a value in which the judge finds nothing. Throws a `TypeError` for an answer that is not a fault.
 */
function checkedJudge(judge: Judge, checks: readonly ValueCheck[], naming: PropertyNaming): Judge {
  return (sent, state) => {
    const before = state.faults;
    const value = judge(sent, state);
    if (state.faults > before) return value;
    for (const check of checks)
      for (const fault of faultsOf(check(value))) {
        if (isEnough(state)) return value;
        const names = (fault.pointer ?? '').split('/').slice(1).map(unescapeToken);
        const known = names.length === 0 ? NO_NAMES : (state.sentNames ??= sentNames(state.text ?? '', state.root));
        report(state, fault.detail, [...state.path, ...spelledPath(sent, names, naming, known)]);
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

/** The judge of objects and arrays whose members no schema describes. */
function freeJudge(schema: Schema, purpose: Purpose): Judge {
  if (purpose.act === 'copy') return typedJudge(schema, purpose, (value, state) => writable(value, schema, state));
  const levels = purpose.act === 'read' ? MAX_NESTING : Infinity;
  return typedJudge(schema, purpose, (value, state) => {
    const fault = unwritable(value, levels);
    if (fault !== undefined) return refuse(state, purpose, fault);
    refuseRepeated(value, schema, state, purpose);
    return value;
  });
}

/** What is wrong with a value that cannot be written back as it was read. */
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

/** Reports what `JSON.stringify` does not write of a value, or would make null. */
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
  return report(state, 'is no value of JSON, which would make it null', [...state.path, ...place]);
}

/** The place of the first value that `JSON.stringify` makes null and that is not; undefined for none. */
function lostIn(value: unknown): string[] | undefined {
  const written: unknown = isObject(value) && isSelfWriting(value) ? value.toJSON() : value;
  if (typeof written === 'number') return Number.isFinite(written) ? undefined : [];
  if (!isObject(written)) return LOST.includes(typeof written) ? [] : undefined;
  const isList = Array.isArray(written);
  for (const [name, member] of Object.entries(isList ? Array.from(written) : written)) {
    // A member that JSON lacks is left out, as an absent one.
    const place = isList || !LOST.includes(typeof member) ? lostIn(member) : undefined;
    if (place !== undefined) return [name, ...place];
  }
  return undefined;
}
const LOST = ['undefined', 'function', 'symbol'];
