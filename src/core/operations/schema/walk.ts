/** Walks a schema: what its forms are, which names a `$ref` can lead to, and what `allOf` and `oneOf` come to. */
import { definitionName, type Scalar, type Schema } from './schema.ts';

/** What is made of a schema, by its form: functions that judge, write or read a value. */
export interface Visitor<Made> {
  /** `target` gives what is made of the schema to which the `$ref` leads; it can be called when all is made. */
  reference(target: () => Made): Made;
  /** `branches` has what is made of each schema of `oneOf`, `named` the schemas to which a `$ref` in them can lead. */
  choice(schema: Schema, branches: ReadonlyMap<Schema, Made>, named: NamedSchemas): Made;
  /** An object with described members, the parts of an `allOf` joined. `part` makes what a schema in it gives. */
  object(schema: Schema, part: (schema: Schema) => Made): Made;
  array(schema: Schema, item: Made): Made;
  /** An object or an array whose members are not described. */
  free(schema: Schema): Made;
  scalar(schema: Schema): Made;
  /** Of a schema with `x-nullable`, `made` is for every value but null. */
  orNull(made: Made): Made;
}

/** The named schemas around a value. */
export type NamedSchemas = ReadonlyMap<string, Schema>;

/** Makes what a visitor makes of a schema. `named` are the named schemas around it. */
export const compiled = <Made>(schema: Schema, visitor: Visitor<Made>, named: NamedSchemas = new Map()): Made =>
  madeOf(schema, visitor, scopeWith(new Map(), named));

/** A named schema, the scope in which it stands, and what is made of it, once that is known. */
interface Named<Made> {
  readonly schema: Schema;
  readonly scope: Scope<Made>;
  made?: Made;
}
type Scope<Made> = ReadonlyMap<string, Named<Made>>;

function scopeWith<Made>(outer: Scope<Made>, parts: Iterable<readonly [name: string, part: Schema]>): Scope<Made> {
  const scope = new Map(outer);
  for (const [name, schema] of parts) scope.set(name, { schema, scope });
  return scope;
}

function madeOf<Made>(schema: Schema, visitor: Visitor<Made>, outer: Scope<Made>): Made {
  const parts = namedParts(schema).filter(([name, part]) => outer.get(name)?.schema !== part);
  const scope = parts.length === 0 ? outer : scopeWith(outer, parts);
  const form = formOf(schema, visitor, scope);
  const made = schema['x-nullable'] === true ? visitor.orNull(form) : form;
  const own = scope.get(schema[definitionName] ?? '');
  if (own?.schema === schema) own.made = made;
  return made;
}

function formOf<Made>(schema: Schema, visitor: Visitor<Made>, scope: Scope<Made>): Made {
  const part = (one: Schema): Made => madeOf(one, visitor, scope);
  const { $ref, oneOf, type, items } = schema;
  if ($ref !== undefined) {
    const target = scope.get($ref)!;
    return visitor.reference(() => (target.made ??= madeOf(target.schema, visitor, target.scope)));
  }
  if (oneOf !== undefined) {
    const named = new Map(Array.from(scope, ([name, one]) => [name, one.schema]));
    return visitor.choice(schema, new Map(oneOf.map((one) => [one, part(one)])), named);
  }
  if (type === 'array') return items === undefined ? visitor.free(schema) : visitor.array(schema, part(items));
  const object = joinedObject(schema);
  if (object === undefined) return visitor.scalar(schema);
  const isDescribed = (object.properties ?? object.additionalProperties) !== undefined;
  return isDescribed ? visitor.object(object, part) : visitor.free(object);
}

/** The schema of an object: that itself, the parts of an `allOf` joined, or undefined for any other schema. */
export function joinedObject(schema: Schema): Schema | undefined {
  if (schema.type === 'object') return schema;
  if (schema.allOf === undefined) return undefined;
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const part of schema.allOf) {
    const joined = joinedObject(part);
    Object.assign(properties, joined?.properties);
    required.push(...(joined?.required ?? []));
  }
  const isNullable = schema['x-nullable'] === true;
  const name = schema[definitionName];
  return {
    type: 'object',
    properties,
    required,
    ...(isNullable && { 'x-nullable': true }),
    ...(name !== undefined && { [definitionName]: name }),
  };
}

/** The schema and the parts of its `allOf`, as far as they have names: those to which a `$ref` below can lead. */
export function namedParts(schema: Schema): (readonly [name: string, part: Schema])[] {
  const name = schema[definitionName];
  const parts = (schema.allOf ?? []).flatMap(namedParts);
  return name === undefined ? parts : [[name, schema], ...parts];
}

/** The schemas of `oneOf` by the value of the discriminator. A schema without such a property is left out. */
export function branchesOf({ oneOf = [], discriminator }: Schema): ReadonlyMap<Scalar, Schema> {
  const branches = new Map<Scalar, Schema>();
  for (const branch of oneOf) {
    const property = joinedObject(branch)?.properties?.[discriminator?.propertyName ?? ''];
    const values = property?.const === undefined ? (property?.enum ?? []) : [property.const];
    for (const value of values) branches.set(value, branch);
  }
  return branches;
}
