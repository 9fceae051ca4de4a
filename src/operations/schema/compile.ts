/**
 * Compiles a schema to a function, with one function for each part of the schema. `read-value.ts` and `write-value.ts`
 * have the functions of each form.
 */
import { branchesOf, joinedObject, type NamedSchemas, namedParts, type Schema } from './schema.ts';

/** Creates the functions of one walk through a value. */
export interface Forms<Part> {
  scalar(schema: Schema): Part;
  /** An array whose items have no schema, or an object whose members have no schema. */
  free(schema: Schema): Part;
  array(schema: Schema, item: Part): Part;
  object(schema: Schema, partOf: (inner: Schema) => Part): Part;
  /** A choice (`oneOf`) without a discriminator. `branches` compiles it; `named` has the schemas that contain it. */
  choice(schema: Schema, branches: () => readonly Part[], named: NamedSchemas): Part;
  /** A choice whose branch the value of a property selects. */
  selection(property: string, branches: ReadonlyMap<unknown, Part>): Part;
  /** A `$ref`. Call `target` with a value, because the referenced schema is compiled later. */
  reference(target: () => Part): Part;
  /** Completes the part of a schema of any form: null, and custom checks. */
  whole(schema: Schema, part: Part): Part;
}

/** Compiles a schema. `named` has the named schemas that contain it. */
export const compiled = <Part>(schema: Schema, forms: Forms<Part>, named: NamedSchemas = new Map()): Part =>
  compiledIn(schema, scopeWith(new Map(), named, forms), forms);

/** The named schemas that contain a schema, by name, each with a function that returns its part. */
type Scope<Part> = ReadonlyMap<string, { readonly schema: Schema; readonly part: () => Part }>;

function scopeWith<Part>(
  outer: Scope<Part>,
  inner: Iterable<readonly [name: string, schema: Schema]>,
  forms: Forms<Part>,
): Scope<Part> {
  const scope = new Map(outer);
  for (const [name, schema] of inner) {
    let part: Part | undefined;
    if (outer.get(name)?.schema !== schema)
      scope.set(name, { schema, part: () => (part ??= compiledIn(schema, scope, forms)) });
  }
  return scope;
}

function compiledIn<Part>(schema: Schema, outer: Scope<Part>, forms: Forms<Part>): Part {
  const scope = scopeWith(outer, namedParts(schema), forms);
  return forms.whole(schema, formOf(schema, scope, forms));
}

function formOf<Part>(schema: Schema, scope: Scope<Part>, forms: Forms<Part>): Part {
  const { $ref, oneOf, discriminator, type, items } = schema;
  const partOf = (inner: Schema): Part => compiledIn(inner, scope, forms);
  if ($ref !== undefined) return forms.reference(scope.get($ref)!.part);
  if (discriminator !== undefined) {
    const branches = Array.from(branchesOf(schema), ([value, branch]) => [value, partOf(branch)] as const);
    return forms.selection(discriminator.propertyName, new Map(branches));
  }
  if (oneOf !== undefined) {
    const named = new Map(Array.from(scope, ([name, entry]) => [name, entry.schema]));
    return forms.choice(schema, () => oneOf.map(partOf), named);
  }
  if (type === 'array') return items === undefined ? forms.free(schema) : forms.array(schema, partOf(items));
  const object = joinedObject(schema);
  if (object === undefined) return forms.scalar(schema);
  const isDescribed = (object.properties ?? object.additionalProperties) !== undefined;
  return isDescribed ? forms.object(object, partOf) : forms.free(object);
}
