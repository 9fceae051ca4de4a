/**
 * Checks JSON values against a schema: the type of one value, for bodies and for replies (D3), and everything in a
 * value that was sent (D14).
 */

import type { Violation } from '../../message/problem.ts';
import { article } from '../../options/assert-options.ts';
import { branchesOf } from './declaration/discriminator.ts';
import { joinedObject, namedParts } from './declaration/joined-object.ts';
import type { Scalar, Schema } from './declaration/schema.ts';
import { type CheckState, faultsOf, type KeywordCheck, keywordChecks } from './keyword-checks.ts';
import { type PropertyNaming, wireName } from './property-naming.ts';

/** The check of each type. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  int32: (value) => value === ((value as number) | 0),
  integer: Number.isInteger,
  number: Number.isFinite,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
};

/**
 * Returns the check whether a value has the type of the schema. Null has none. Members and elements are not checked. A
 * number beyond the range of a double, such as `1e999`, is a wrong type; so is `1.5` for an integer.
 */
export const typeCheck = ({ type, format }: Schema): ((value: unknown) => boolean) =>
  TYPES[type === 'integer' && format === 'int32' ? 'int32' : type!] ?? (() => false);

/** Returns the type in words: `a string or null`. */
export const typeText = ({ type, format, 'x-nullable': nullable }: Schema): string =>
  `${article(type ?? 'value')}${format === 'int32' ? ' of 32 bits' : ''}${nullable ? ' or null' : ''}`;

/** Returns a value of a wrong type in words: `a string`. Where the schema expects a number, a number is in digits. */
export function valueText({ type }: Schema, value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'number' || (type !== 'integer' && type !== 'number'))
    return article(Array.isArray(value) ? 'array' : typeof value);
  return Number.isFinite(value) ? String(value) : 'one beyond the range of a double';
}

/**
 * Returns every difference of a value that is sent, each with its place. This is stricter than the
 * validation of a body: names are compared exactly, and a member that is not described, or is `writeOnly`, is a
 * difference.
 */
export const checkValue = (value: unknown, schema: Schema, naming: PropertyNaming): Violation[] =>
  differences(value, schema, '', { naming, named: new Map(), isClosed: true, depth: 0, state: newState() });

/** Does the same for a default or an example, which may have what is `writeOnly`. */
export const checkExample = (value: unknown, schema: Schema, named: NamedSchemas): Violation[] =>
  differences(value, schema, '', {
    naming: 'camelCase',
    named,
    isClosed: true,
    allowsWriteOnly: true,
    depth: 0,
    state: newState(),
  });

/**
 * Of one value that is sent. Its expressions have an allowance of their own: what is sent does not depend on what the
 * request has spent (D37).
 */
export const newState = (): CheckState => ({ spending: { spentSteps: 0 } });

/** Returns whether a schema describes every member of a value. `state` is that of the value around it. */
export const describesValue = (
  value: unknown,
  schema: Schema,
  naming: PropertyNaming,
  named: NamedSchemas,
  state: CheckState,
): boolean => matches(value, schema, '', { naming, named, isClosed: true, depth: 0, state });

/** Returns whether a value of the code matches. Members that are not described or `writeOnly` make no difference. */
export const matchesSchema = (value: unknown, schema: Schema, named: NamedSchemas, state = newState()): boolean =>
  matches(value, schema, '', { naming: 'camelCase', named, isClosed: false, depth: 0, state });

/** How often `$ref` is followed into a value. Deeper values are refused: the stack of the engine has an end. */
export const MAX_DEPTH = 200;

/** Limits what is told of a long array of wrong values. */
export const MAX_VIOLATIONS = 100;

/** The named schemas around a value, to which a `$ref` leads. */
export type NamedSchemas = ReadonlyMap<string, Schema>;

interface Scope {
  readonly naming: PropertyNaming;
  readonly named: NamedSchemas;
  /** Whether every member has to be described. */
  readonly isClosed: boolean;
  readonly allowsWriteOnly?: boolean;
  /** How many references lead to the value. */
  readonly depth: number;
  readonly state: CheckState;
}

/** Whether a value that no schema describes has a number inside that JSON can spell but not write back, as `1e999`. */
export const hasInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasInfinity)
    : typeof value === 'number' && !Number.isFinite(value);

/** Every schema is compiled once: to judge the cost of a `pattern` takes longer than to use it. */
const compiled = new WeakMap<Schema, readonly KeywordCheck[]>();

function checksOf(schema: Schema): readonly KeywordCheck[] {
  let checks = compiled.get(schema);
  if (checks === undefined) compiled.set(schema, (checks = keywordChecks(schema)));
  return checks;
}

function differences(value: unknown, schema: Schema, pointer: string, outer: Scope): Violation[] {
  const parts = namedParts(schema);
  const scope = parts.length === 0 ? outer : { ...outer, named: new Map([...outer.named, ...parts]) };
  if (value === null && schema['x-nullable'] === true) return [];
  if (schema.$ref !== undefined) {
    const depth = scope.depth + 1;
    if (depth > MAX_DEPTH) return [{ pointer, detail: `is nested in more than ${MAX_DEPTH} of its kind` }];
    return differences(value, scope.named.get(schema.$ref)!, pointer, { ...scope, depth });
  }
  if (schema.oneOf !== undefined) return choiceDifferences(value, schema, pointer, scope);
  const typed = joinedObject(schema) ?? schema;
  if (!typeCheck(typed)(value)) return [{ pointer, detail: `is not ${typeText(typed)}` }];
  const faults: Violation[] = faultsOf(value, checksOf(typed), scope.state).map((fault) => ({
    pointer,
    detail: `is not ${fault}`,
  }));
  const { items, properties, additionalProperties, maxItems = Infinity } = typed;
  if ((items ?? properties ?? additionalProperties) === undefined && hasInfinity(value))
    return [{ pointer, detail: 'is no value of JSON: it has a number beyond the range of a double' }];
  if (Array.isArray(value)) {
    if (items === undefined || value.length > maxItems) return faults;
    for (let at = 0; at < value.length && faults.length < MAX_VIOLATIONS; at += 1)
      faults.push(...differences(value[at], items, `${pointer}/${at}`, scope));
    return faults;
  }
  return typed.type === 'object' ? memberDifferences(value as object, typed, pointer, scope) : faults;
}

function choiceDifferences(value: unknown, schema: Schema, pointer: string, scope: Scope): Violation[] {
  const { oneOf = [], discriminator } = schema;
  if (discriminator !== undefined) {
    const name = wireName(discriminator.propertyName, scope.naming);
    const choice = branchesOf(schema).get((value as Readonly<Record<string, Scalar>> | null)?.[name]!);
    return choice === undefined
      ? [{ pointer: `${pointer}/${name}`, detail: 'is none of the values that select a schema' }]
      : differences(value, choice, pointer, scope);
  }
  const matching = oneOf.filter((one) => matches(value, one, pointer, scope)).length;
  return matching === 1 ? [] : [{ pointer, detail: `matches ${matching} of ${oneOf.length} schemas, not exactly one` }];
}

/** Each part of a value is judged once, however many choices it is nested in. */
function matches(value: unknown, schema: Schema, pointer: string, scope: Scope): boolean {
  const { state, isClosed } = scope;
  const judge = (): boolean => differences(value, schema, pointer, scope).length === 0;
  if (typeof value !== 'object' || value === null) return judge();
  const judged = isClosed ? (state.described ??= new Map()) : (state.matching ??= new Map());
  let known = judged.get(value);
  if (known === undefined) judged.set(value, (known = new Map()));
  let isMatch = known.get(schema);
  if (isMatch === undefined) known.set(schema, (isMatch = judge()));
  return isMatch;
}

function memberDifferences(value: object, schema: Schema, pointer: string, scope: Scope): Violation[] {
  const { properties, required, additionalProperties } = schema;
  if (properties === undefined && additionalProperties === undefined) return [];
  const undescribed = new Map<string, unknown>(Object.entries(value));
  const violations: Violation[] = [];
  for (const [property, propertySchema] of Object.entries(properties ?? {})) {
    const name = wireName(property, scope.naming);
    const memberPointer = `${pointer}/${name}`;
    if (undescribed.has(name)) {
      if (propertySchema.writeOnly && scope.isClosed && !scope.allowsWriteOnly)
        violations.push({ pointer: memberPointer, detail: 'is never sent: it is writeOnly' });
      violations.push(...differences(undescribed.get(name), propertySchema, memberPointer, scope));
      undescribed.delete(name);
    } else if (required?.includes(property) && !propertySchema.writeOnly) {
      violations.push({ pointer: memberPointer, detail: 'is required and missing' });
    }
  }
  for (const [name, member] of undescribed) {
    if (violations.length >= MAX_VIOLATIONS) break;
    const memberPointer = `${pointer}/${name}`;
    if (typeof additionalProperties === 'object')
      violations.push(...differences(member, additionalProperties, memberPointer, scope));
    else if (scope.isClosed || additionalProperties === false)
      violations.push({ pointer: memberPointer, detail: 'is not described' });
  }
  return violations;
}
