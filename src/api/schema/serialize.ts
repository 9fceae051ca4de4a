/**
 * Writes values as JSON, with the properties in the order of the schema and in the spelling of the naming (D1).
 *
 * Properties that the schema does not name are left out. A schema is compiled to closures, because every changed item
 * is serialized.
 */

import { checkValue, matchesSchema, type NamedSchemas, typeCheck } from './check-value.ts';
import { branchesOf } from './declaration/discriminator.ts';
import type { InferReply } from './declaration/infer.ts';
import { joinedObject, namedParts } from './declaration/joined-object.ts';
import type { Scalar, Schema } from './declaration/schema.ts';
import { type PropertyNaming, wireName } from './property-naming.ts';

type Writer = (value: unknown) => string;

/**
 * Compiles a schema to the function that writes its values. The function leaves out undefined properties and those that
 * are `writeOnly`, and throws what `JSON.stringify` throws.
 *
 *     const write = serializer({ type: 'object', properties: { name: { type: 'string' } } }, 'PascalCase');
 *     const json = write({ name: 'Rest' });
 */
export function serializer<const S extends Schema>(
  schema: S,
  naming: PropertyNaming,
): (value: InferReply<S>) => string {
  return writerOf(schema, { naming, named: new Map(), schemas: new Map() });
}

/** Reads the text that `serializer` wrote: the value with the names of the code. */
export const deserializer =
  (schema: Schema, naming: PropertyNaming) =>
  (text: string): unknown =>
    naming === 'camelCase' ? JSON.parse(text) : unspelled(JSON.parse(text), schema, naming, new Map());

function unspelled(value: unknown, schema: Schema, naming: PropertyNaming, outer: NamedSchemas): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schemas = new Map([...outer, ...namedParts(schema)]);
  const { $ref, oneOf, items } = schema;
  const read = (part: unknown, one: Schema): unknown => unspelled(part, one, naming, schemas);
  if ($ref !== undefined) return read(value, schemas.get($ref)!);
  if (oneOf !== undefined) {
    const described = oneOf.find((one) => checkValue(value, one, naming, schemas).length === 0);
    return read(value, described ?? nearest(value, oneOf, naming, schemas));
  }
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => read(item, items));
  const { properties = {}, additionalProperties = false } = joinedObject(schema) ?? {};
  const names = new Map(Object.keys(properties).map((name) => [wireName(name, naming), name]));
  const members = Object.entries(value).map(([sent, member]) => {
    const name = names.get(sent);
    const part = name === undefined ? additionalProperties : properties[name]!;
    return [name ?? sent, part === false ? member : read(member, part)];
  });
  return Object.fromEntries(members);
}

/** A default or an example as JSON spells it, with what is `writeOnly`. `named` are the named schemas around. */
export function spelled(value: unknown, schema: Schema, naming: PropertyNaming, named: NamedSchemas): unknown {
  const writers = new Map([...named.keys()].map((name) => [name, {} as { write?: Writer }]));
  const scope: Scope = { naming, named: writers, schemas: named, keepsWriteOnly: true };
  for (const [name, part] of named) writers.get(name)!.write = writerOf(part, scope);
  return JSON.parse(writerOf(schema, scope)(value));
}

/** What a schema is compiled with: the naming, and the named schemas around it. */
interface Scope {
  readonly naming: PropertyNaming;
  readonly keepsWriteOnly?: boolean;
  readonly named: ReadonlyMap<string, { write?: Writer }>;
  readonly schemas: NamedSchemas;
}

function writerOf(schema: Schema, outer: Scope): Writer {
  const parts = namedParts(schema);
  if (parts.length === 0) return plainWriter(schema, outer);
  const entries = parts.map(([name]) => [name, {} as { write?: Writer }] as const);
  const schemas = new Map([...outer.schemas, ...parts]);
  const inner: Scope = { ...outer, schemas, named: new Map([...outer.named, ...entries]) };
  const write = plainWriter(schema, inner);
  for (const [at, [, part]] of parts.entries()) entries[at]![1].write = part === schema ? write : writerOf(part, inner);
  return write;
}

function plainWriter(schema: Schema, scope: Scope): Writer {
  if (schema.$ref !== undefined) {
    const target = scope.named.get(schema.$ref)!;
    return (value) => (value === null ? 'null' : target.write!(value));
  }
  if (schema.oneOf !== undefined) return choiceWriter(schema, scope);
  const object = joinedObject(schema);
  if (object !== undefined) return objectWriter(object, scope);
  const { type, items } = schema;
  if (type === 'array') return items ? arrayWriter(writerOf(items, scope)) : writeAny;
  if (type === 'string') return writeString;
  return type === 'boolean' ? writeBoolean : writeNumber;
}

/**
 * Writes by the schema that the discriminator selects, else by the first that describes every member of the value, else
 * by the first that it matches. A value that matches none is written by the one that names most of its members: what is
 * `writeOnly` stays back.
 */
function choiceWriter(schema: Schema, scope: Scope): Writer {
  const { oneOf = [], discriminator } = schema;
  const writers = new Map(oneOf.map((branch) => [branch, writerOf(branch, scope)]));
  const branches = branchesOf(schema);
  const branchFor = (value: unknown): Schema | undefined =>
    discriminator === undefined
      ? (oneOf.find((one) => checkValue(value, one, 'camelCase', scope.schemas).length === 0) ??
        oneOf.find((one) => matchesSchema(value, one, scope.schemas)))
      : branches.get((value as Readonly<Record<string, Scalar>> | null)?.[discriminator.propertyName]!);
  const branchNear = (value: unknown): Schema => nearest(value, oneOf, 'camelCase', scope.schemas);
  return (value) => (value === null ? 'null' : writers.get(branchFor(value) ?? branchNear(value))!(value));
}

/** The schema that names most members of a value, the first of several. `naming` is that of the value. */
function nearest(value: unknown, oneOf: readonly Schema[], naming: PropertyNaming, named: NamedSchemas): Schema {
  const counts = oneOf.map((branch) => nearness(value, branch, naming, named));
  return oneOf[counts.indexOf(Math.max(...counts))]!;
}

/** How many members of a value a schema names; -1 for a value of another type. */
function nearness(value: unknown, schema: Schema, naming: PropertyNaming, outer: NamedSchemas): number {
  const schemas = new Map([...outer, ...namedParts(schema)]);
  const { $ref, oneOf } = schema;
  if ($ref !== undefined) return nearness(value, schemas.get($ref)!, naming, schemas);
  if (oneOf !== undefined) return Math.max(...oneOf.map((one) => nearness(value, one, naming, schemas)));
  const typed = joinedObject(schema) ?? schema;
  if (!typeCheck(typed)(value)) return -1;
  if (typed.type !== 'object') return 0;
  const names = new Set(Object.keys(typed.properties ?? {}).map((name) => wireName(name, naming)));
  return Object.keys(value as object).filter((name) => names.has(name)).length;
}

function objectWriter({ properties, additionalProperties }: Schema, scope: Scope): Writer {
  const further = typeof additionalProperties === 'object' ? writerOf(additionalProperties, scope) : undefined;
  if (properties === undefined) return further === undefined ? writeAny : mapWriter(new Set(), further);
  const written = Object.entries(properties).filter(([, property]) => scope.keepsWriteOnly || !property.writeOnly);
  const names = written.map(([name]) => name);
  const labels = names.map((name) => `${JSON.stringify(wireName(name, scope.naming))}:`);
  const laterLabels = labels.map((label) => `,${label}`);
  const writers = written.map(([, property]) => writerOf(property, scope));
  // A property named `constructor` must not be read from the prototype.
  const isInherited = names.some((name) => name in Object.prototype);
  const write: Writer = (value) => {
    if (typeof value !== 'object' || value === null) return writeAny(value);
    let text = '{';
    for (let at = 0; at < names.length; at += 1) {
      const member = (value as Readonly<Record<string, unknown>>)[names[at]!];
      if (member === undefined || (isInherited && !Object.hasOwn(value, names[at]!))) continue;
      const label = text.length === 1 ? labels[at]! : laterLabels[at]!;
      text += label + (member === null ? 'null' : writers[at]!(member));
    }
    return `${text}}`;
  };
  if (further === undefined) return write;
  const known = Object.keys(properties).flatMap((name) => [name, wireName(name, scope.naming)]);
  const writeFurther = mapWriter(new Set(known), further);
  return (value) =>
    typeof value === 'object' && value !== null ? joined(write(value), writeFurther(value)) : writeAny(value);
}

/** Writes the members whose names are not in `known`. */
const mapWriter =
  (known: ReadonlySet<string>, write: Writer): Writer =>
  (value) => {
    if (typeof value !== 'object' || value === null) return writeAny(value);
    const members = Object.entries(value).filter(([name, member]) => !known.has(name) && member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${member === null ? 'null' : write(member)}`).join()}}`;
  };

/** The texts of two objects as one. */
const joined = (one: string, other: string): string =>
  one === '{}' ? other : other === '{}' ? one : `${one.slice(0, -1)},${other.slice(1)}`;

const arrayWriter =
  (write: Writer): Writer =>
  (value) => {
    if (!Array.isArray(value)) return writeAny(value);
    let text = '[';
    for (const item of value) text += text.length === 1 ? write(item) : `,${write(item)}`;
    return `${text}]`;
  };

/** Also writes values of a wrong type unconverted, so that the check of replies finds them (D14). */
const writeAny: Writer = (value) => JSON.stringify(value) ?? 'null';

// The characters that JSON.stringify escapes. Testing a short text for them is cheaper than calling it.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;
const writeString: Writer = (value) =>
  typeof value === 'string' && value.length < 64 && !ESCAPED.test(value) ? `"${value}"` : writeAny(value);
const writeBoolean: Writer = (value) => (value === true ? 'true' : value === false ? 'false' : writeAny(value));
const writeNumber: Writer = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : writeAny(value);
