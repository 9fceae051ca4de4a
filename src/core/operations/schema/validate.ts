/**
 * Validates a parsed body against a schema and makes the value that the handler is given (D3, D68).
 *
 * A schema is compiled to closures once. Unknown members are ignored, `__proto__` too, and the last duplicate wins. A
 * violation has the JSON Pointer of the member as the client spelled it: `{"Name": 5}` gives `/Name`.
 */
import type { Violation } from '../../message/problem.ts';
import type { Spending } from '../../routing/constraints/expression-cost.ts';
import { hasInfinity, MAX_DEPTH, typeCheck } from './check-value.ts';
import { choiceValidator } from './choice-validator.ts';
import type { InferBody } from './declaration/infer.ts';
import { joinedObject, namedParts } from './declaration/joined-object.ts';
import type { Schema } from './declaration/schema.ts';
import { type KeywordCheck, keywordChecks } from './keyword-checks.ts';
import { objectValidator } from './object-validator.ts';
import type { PropertyNaming } from './property-naming.ts';
import {
  pointerTo,
  report,
  reportFaults,
  reportType,
  type Scope,
  type Validation,
  type ValueValidator,
} from './validation.ts';

/** The value for the handler, or the violations. */
export type ValidatedBody<Value> =
  | { readonly value: Value; readonly errors?: never }
  | { readonly errors: readonly Violation[]; readonly value?: never };

/**
 * Validates one parsed body. `text` is the JSON from which `value` was parsed; `spending` is that of the request, with
 * the steps that its other values have taken (D37). Never throws.
 */
export type BodyValidator<Value> = (value: unknown, text: string, spending?: Spending) => ValidatedBody<Value>;

/**
 * Compiles a schema to a validator. Its value has the names of the code in the order of the schema. An absent property
 * has its default, or null if it is nullable (D5), and is left out otherwise; a property that is `readOnly` is left out
 * always. Throws a SyntaxError if two properties differ only in case, and for a `pattern` that is not safe.
 */
export function bodyValidator<const S extends Schema>(schema: S, naming: PropertyNaming): BodyValidator<InferBody<S>> {
  const validate = valueValidator(schema, { naming, named: new Map(), compile: valueValidator });
  return (body, text, spending = { spentSteps: 0 }) => {
    const validation: Validation = { spending, text, root: body, errors: [], depth: 0 };
    const value = validate(body, '', undefined, validation);
    return validation.errors.length === 0 ? { value: value as InferBody<S> } : { errors: validation.errors };
  };
}

function valueValidator(schema: Schema, scope: Scope): ValueValidator {
  const parts = namedParts(schema);
  if (parts.length === 0) return plainValidator(schema, scope);
  const entries = parts.map(([name]) => [name, {} as { validate?: ValueValidator }] as const);
  const inner: Scope = { ...scope, named: new Map([...scope.named, ...entries]) };
  const validate = plainValidator(schema, inner);
  for (const [at, [, part]] of parts.entries())
    entries[at]![1].validate = part === schema ? validate : valueValidator(part, inner);
  return validate;
}

function plainValidator(schema: Schema, scope: Scope): ValueValidator {
  if (schema.$ref !== undefined) return referenceValidator(schema, schema.$ref, scope);
  if (schema.oneOf !== undefined) return choiceValidator(schema, schema.oneOf, scope);
  const object = joinedObject(schema);
  if (object?.properties !== undefined || object?.additionalProperties !== undefined)
    return objectValidator(object, scope);
  const checks = keywordChecks(schema);
  if (schema.type === 'array')
    return arrayValidator(schema, checks, schema.items && valueValidator(schema.items, scope));
  const isOfType = typeCheck(schema);
  const isNullable = schema['x-nullable'] === true;
  const isObject = schema.type === 'object';
  return (value, parent, member, validation) => {
    if (value === null && isNullable) return null;
    if (!isOfType(value)) return reportType(schema, value, pointerTo(parent, member), validation);
    reportFaults(value, checks, parent, member, validation);
    return isObject ? writable(value, parent, member, validation) : value;
  };
}

/** How deep a value is nested that no schema describes. */
const MAX_NESTING = 1000;

/** The object or array that no schema describes further; reports one that cannot be written as it was read. */
function writable(value: unknown, parent: string, member: string | undefined, validation: Validation): unknown {
  // Each level has two brackets.
  const isDeep = validation.text.length > 2 * MAX_NESTING && isDeeper(value, MAX_NESTING);
  if (!isDeep && !hasInfinity(value)) return value;
  const detail = isDeep
    ? `at most ${MAX_NESTING} objects and arrays inside one another`
    : 'numbers in the range of a double';
  return report(pointerTo(parent, member), `Expected a value with ${detail}`, validation);
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** A reference is followed when a value is there, because its schema is not compiled yet. */
function referenceValidator(schema: Schema, name: string, { named }: Scope): ValueValidator {
  const target = named.get(name)!;
  const isNullable = schema['x-nullable'] === true;
  return (value, parent, member, validation) => {
    if (value === null && isNullable) return null;
    if (validation.depth >= MAX_DEPTH) {
      const detail = `Expected a value that is nested in at most ${MAX_DEPTH} of its kind`;
      return report(pointerTo(parent, member), detail, validation);
    }
    validation.depth += 1;
    const result = target.validate!(value, parent, member, validation);
    validation.depth -= 1;
    return result;
  };
}

function arrayValidator(
  schema: Schema,
  checks: readonly KeywordCheck[],
  validateItem: ValueValidator | undefined,
): ValueValidator {
  const isOfType = typeCheck(schema);
  const { 'x-nullable': isNullable = false, maxItems = Infinity } = schema;
  return (value, parent, member, validation) => {
    if (value === null && isNullable) return null;
    if (!isOfType(value)) return reportType(schema, value, pointerTo(parent, member), validation);
    reportFaults(value, checks, parent, member, validation);
    const items = value as readonly unknown[];
    // One that is too long is not looked into.
    if (items.length > maxItems) return undefined;
    if (validateItem === undefined) return writable(value, parent, member, validation);
    const pointer = pointerTo(parent, member);
    return items.map((item, index) => validateItem(item, pointer, String(index), validation));
  };
}
