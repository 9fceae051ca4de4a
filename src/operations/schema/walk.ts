/** Walks a schema: what its forms are, which names a `$ref` can lead to, and what `allOf` and `oneOf` come to. */
import { definitionName, type Scalar, type Schema, type ValueCheck, valueCheck } from './schema.ts';

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
  /** What is made of a schema whose whole value is checked, or parts of whose `allOf` are. */
  checked?(made: Made, checks: readonly ValueCheck[]): Made;
}

/** The named schemas around a value. */
export type NamedSchemas = ReadonlyMap<string, Schema>;

/** A named schema, and what is made of it in the scope where it stands. */
interface Named<Made> {
  readonly schema: Schema;
  readonly made: () => Made;
}

/** Makes what a visitor makes of a schema. `around` are the named schemas around it. */
export function compiled<Made>(schema: Schema, visitor: Visitor<Made>, around: NamedSchemas = new Map()): Made {
  type Scope = ReadonlyMap<string, Named<Made>>;

  function scopeWith(outer: Scope, parts: Iterable<readonly [name: string, part: Schema]>): Scope {
    const scope = new Map(outer);
    for (const [name, part] of parts) {
      let made: Made | undefined;
      if (outer.get(name)?.schema !== part)
        scope.set(name, { schema: part, made: () => (made ??= madeOf(part, scope)) });
    }
    return scope;
  }

  function madeOf(one: Schema, outer: Scope): Made {
    const plain = formOf(one, scopeWith(outer, namedParts(one)));
    const checks = visitor.checked ? checksOf(one) : [];
    const form = checks.length === 0 ? plain : visitor.checked!(plain, checks);
    return one['x-nullable'] === true ? visitor.orNull(form) : form;
  }

  function formOf(one: Schema, scope: Scope): Made {
    const part = (inner: Schema): Made => madeOf(inner, scope);
    const { $ref, oneOf, type, items } = one;
    if ($ref !== undefined) return visitor.reference(scope.get($ref)!.made);
    if (oneOf !== undefined) {
      const named = new Map(Array.from(scope, ([name, { schema: inner }]) => [name, inner]));
      return visitor.choice(one, new Map(oneOf.map((branch) => [branch, part(branch)])), named);
    }
    if (type === 'array') return items === undefined ? visitor.free(one) : visitor.array(one, part(items));
    const object = joinedObject(one);
    if (object === undefined) return visitor.scalar(one);
    const isDescribed = (object.properties ?? object.additionalProperties) !== undefined;
    return isDescribed ? visitor.object(object, part) : visitor.free(object);
  }

  return madeOf(schema, scopeWith(new Map(), around));
}

/** The schema of an object: that itself, the parts of an `allOf` joined, or undefined for any other schema. */
export function joinedObject(schema: Schema): Schema | undefined {
  const { type, allOf, 'x-nullable': isNullable, [definitionName]: name } = schema;
  if (type === 'object') return schema;
  if (allOf === undefined) return undefined;
  const parts = allOf.map(joinedObject);
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part?.properties)),
    required: parts.flatMap((part) => part?.required ?? []),
    ...(isNullable && { 'x-nullable': isNullable }),
    ...(name !== undefined && { [definitionName]: name }),
  };
}

/** The schema and the parts of its `allOf`, as far as they have names: those to which a `$ref` below can lead. */
export function namedParts(schema: Schema): (readonly [name: string, part: Schema])[] {
  const name = schema[definitionName];
  const parts = (schema.allOf ?? []).flatMap(namedParts);
  return name === undefined ? parts : [[name, schema], ...parts];
}

/** The checks of the whole value: those of the parts of its `allOf`, and its own. */
const checksOf = ({ allOf = [], [valueCheck]: own }: Schema): readonly ValueCheck[] =>
  own === undefined ? allOf.flatMap(checksOf) : [...allOf.flatMap(checksOf), own];

/** The schemas of `oneOf` by the value of the discriminator. A schema without such a property is left out. */
export function branchesOf({ oneOf = [], discriminator }: Schema): ReadonlyMap<Scalar, Schema> {
  const name = discriminator?.propertyName ?? '';
  return new Map(oneOf.flatMap((branch) => valuesOf(branch, name).map((value) => [value, branch] as const)));
}

/** The values that a property of an object can have; none where it has no `const` and no `enum`. */
export function valuesOf(schema: Schema, name: string): readonly Scalar[] {
  const { const: only, enum: values = [] } = joinedObject(schema)?.properties?.[name] ?? {};
  return only === undefined ? values : [only];
}
