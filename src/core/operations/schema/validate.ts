/**
 * Validates a parsed body against a schema and makes the value that the handler is given (D3, D68).
 *
 * A schema is compiled to closures once. Unknown members are ignored, `__proto__` too, and the last duplicate wins. A
 * violation has the JSON Pointer of the member as the client spelled it: `{"Name": 5}` gives `/Name`.
 */
import type { Violation } from '../../message/reply.ts';
import type { Spending } from '../../routing/constraints/expression-cost.ts';
import { type JsonObject, type Judge, type Judging, judges, report } from './judge.ts';
import { keywordChecks, passes, typeCheck } from './keyword-checks.ts';
import {
  type PropertyLookup,
  type PropertyNaming,
  pointerTo,
  propertyLookup,
  type SentNames,
  sentNames,
  wireName,
} from './names.ts';
import type { InferBody, Schema } from './schema.ts';
import { compiled } from './walk.ts';

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
  const validate = compiled(
    schema,
    judges<Reading>({
      naming,
      wrong: (expected, found) => `Expected ${expected}${found === undefined ? '' : `, not ${found}`}`,
      nameFinder(name) {
        const lookUp = propertyLookup([name]);
        return (object, reading) => sentNamesOf(object, [undefined], lookUp, reading)[0];
      },
      members: (one, part) => objectReader(one, naming, part),
    }),
  );
  return (body, text, spending = { spentSteps: 0 }) => {
    const reading: Reading = { spending, text, root: body, errors: [], depth: 0 };
    const value = validate(body, '', undefined, reading);
    return reading.errors.length === 0 ? { value: value as InferBody<S> } : { errors: reading.errors };
  };
}

interface Reading extends Judging {
  readonly text: string;
  /** What the text was parsed to. */
  readonly root: unknown;
  sentNames?: SentNames;
}

/** Sets `found` to the name that each property has in the object, and returns it. Of several, the last counts (D3). */
function sentNamesOf(
  object: JsonObject,
  found: (string | undefined)[],
  lookUp: PropertyLookup,
  reading: Reading,
): (string | undefined)[] {
  if (collectNames(Object.keys(object), lookUp, found)) {
    reading.sentNames ??= sentNames(reading.text, reading.root);
    collectNames(reading.sentNames.get(object)!, lookUp, found);
  }
  return found;
}

/** Sets `found` to the last name of each property. Returns whether a property has several names. */
function collectNames(names: Iterable<string>, lookUp: PropertyLookup, found: (string | undefined)[]): boolean {
  let hasDuplicates = false;
  for (const name of names) {
    const index = lookUp(name);
    if (index === undefined) continue;
    hasDuplicates ||= found[index] !== undefined;
    found[index] = name;
  }
  return hasDuplicates;
}

/** A property of an object schema, compiled. */
type Property = ReturnType<typeof compiledProperty>;

function compiledProperty(
  name: string,
  naming: PropertyNaming,
  schema: Schema,
  read: Judge<Reading>,
  isNeeded: boolean,
) {
  const isIgnored = schema.readOnly === true;
  const isNullable = schema['x-nullable'] === true;
  const required = isNeeded && !isIgnored;
  // What the handler is given for an absent property (D5): a copy of the default with its own defaults, or null.
  const absentValue: unknown = isIgnored
    ? undefined
    : 'default' in schema
      ? schema.default
      : isNullable
        ? null
        : undefined;
  let filled: unknown;
  const absent = (): unknown => {
    if (typeof absentValue !== 'object' || absentValue === null) return absentValue;
    const text = JSON.stringify(absentValue);
    const reading: Reading = { spending: { spentSteps: 0 }, text, root: absentValue, errors: [], depth: 0 };
    filled ??= read(absentValue, '', undefined, reading);
    return structuredClone(filled);
  };
  const isScalar = schema.type !== undefined && schema.type !== 'object' && schema.type !== 'array';
  const checks = isScalar ? keywordChecks(schema) : [];
  const isOfType = typeCheck(schema);
  return {
    name,
    wireName: wireName(name, naming),
    read,
    required,
    absent,
    // The property is left out if it is absent, and null counts as absent where it is not a value (D3).
    omittable: !required && absentValue === undefined,
    isIgnored,
    isScalar,
    /** Whether the handler can be given the value as it was sent, and nothing is wrong with it. */
    mayBeKept: (value: unknown): boolean => (value === null ? isNullable : isOfType(value) && passes(value, checks)),
  };
}

function objectReader(schema: Schema, naming: PropertyNaming, part: (schema: Schema) => Judge<Reading>) {
  const properties = Object.entries(schema.properties ?? {}).map(([name, one]) =>
    compiledProperty(name, naming, one, part(one), schema.required?.includes(name) ?? false),
  );
  const lookUp = propertyLookup(properties.map((property) => property.wireName));
  const addFurther = furtherMembers(schema.additionalProperties, lookUp, part);
  const mayBeKept = properties.every(
    (property) => property.name === property.wireName && property.isScalar && !property.isIgnored,
  );
  return (object: JsonObject, parent: string, member: string | undefined, reading: Reading): unknown => {
    if (mayBeKept && isHandlerValue(object, properties)) return object;
    const pointer = pointerTo(parent, member);
    const unsent = new Array<string | undefined>(properties.length).fill(undefined);
    const sentNames = sentNamesOf(object, unsent, lookUp, reading);
    const result: Record<string, unknown> = {};
    for (let at = 0; at < properties.length; at += 1) {
      const property = properties[at]!;
      if (property.isIgnored) continue;
      const sentName = sentNames[at];
      let value: unknown;
      if (sentName === undefined || (property.omittable && object[sentName] === null)) {
        if (property.required) report(pointerTo(pointer, property.wireName), 'This member is required', reading);
        value = property.absent();
      } else value = property.read(object[sentName], pointer, sentName, reading);
      if (value !== undefined) result[property.name] = value;
    }
    addFurther?.(object, result, pointer, reading);
    return result;
  };
}

/** Refuses members that no property names, or adds them to the value. Undefined where they are ignored. */
function furtherMembers(
  schema: Schema['additionalProperties'],
  lookUp: PropertyLookup,
  part: (schema: Schema) => Judge<Reading>,
): ((object: JsonObject, result: object, pointer: string, reading: Reading) => void) | undefined {
  if (schema === undefined) return undefined;
  const refuse: Judge<Reading> = (_, parent, member, reading) =>
    report(pointerTo(parent, member), 'This member is not allowed here', reading);
  const read = schema === false ? refuse : part(schema);
  return (object, result, pointer, reading) => {
    for (const name of Object.keys(object)) {
      if (lookUp(name) !== undefined) continue;
      const value = read(object[name], pointer, name, reading);
      // An assignment to `__proto__` would change the prototype.
      if (value !== undefined)
        Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
    }
  };
}

/**
 * Returns whether an object already is the value for the handler, in names, order and types. Most bodies are; keeping
 * them without a copy makes a PUT 3 % faster, as measured.
 */
function isHandlerValue(object: JsonObject, properties: readonly Property[]): boolean {
  let at = 0;
  for (const name in object) {
    while (at < properties.length && properties[at]!.name !== name) {
      if (!properties[at]!.omittable) return false;
      at += 1;
    }
    if (at === properties.length || !properties[at]!.mayBeKept(object[name])) return false;
    at += 1;
  }
  for (; at < properties.length; at += 1) if (!properties[at]!.omittable) return false;
  return true;
}
