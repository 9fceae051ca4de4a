/** Converts declared schemas to the schema objects of a document. */
import { isDeepStrictEqual } from 'node:util';
import { nameInClient, type PropertyNaming, wireName } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { definitionName, namedParts } from '../../operations/schema/schema.ts';
import { spelled } from '../../operations/schema/serialize.ts';
import { commentOf, type DescribedSchema, type DescriptionOptions, present } from './document.ts';

/**
 * Makes a writer of schemas in the format of one document. `describe` writes one schema, and passes the schemas inside
 * it to `write`. A named schema is written once, to `definitions`; each use is a reference to it, which begins with
 * `place` (§2.1 rule 2). Two writers of one document can share `definitions`. `sides` are those of the written schemas,
 * and `namedSides` those of the named ones.
 */
export function schemaWriter(
  describe: (schema: Schema) => DescribedSchema,
  place: string,
  options: DescriptionOptions,
  naming: PropertyNaming,
  definitions: Record<string, DescribedSchema> = {},
  sides: Sides = BOTH,
  namedSides: ReadonlyMap<string, Sides> = new Map(),
) {
  /** The sides of the schema that is being written. */
  let current = sides;
  /** The named schemas that a `$ref` can refer to. */
  const named = new Map<string, Schema>();
  const spelledName = (name: string): string => wireName(name, naming);
  const referenceTo = (name: string) => ({ $ref: place + name });

  /**
   * Returns a schema, or a reference to a named one. Throws an `Error` if two schemas of one name differ, or if two
   * names are the same in a generated client (D129).
   */
  function write(schema: Schema): DescribedSchema {
    for (const [name, part] of namedParts(schema)) named.set(name, part);
    const name = schema[definitionName];
    const outer = current;
    if (name !== undefined) current = namedSides.get(name) ?? outer;
    const definition = describe(schema);
    current = outer;
    return name === undefined ? definition : define(name, definition);
  }

  function define(name: string, definition: DescribedSchema): DescribedSchema {
    const known = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (known !== undefined && !isDeepStrictEqual(known, definition)) {
      throw new Error(
        `Cannot describe two schemas named "${name}": they differ; rename one of them. ` +
          `To allow null, write { oneOf: [${name}], 'x-nullable': true }`,
      );
    }
    const other = Object.keys(definitions).find((one) => one !== name && nameInClient(one) === nameInClient(name));
    if (other !== undefined)
      throw new Error(
        `Cannot describe the schemas "${other}" and "${name}": both are the same name in a generated client, ` +
          'which ignores case, ".", "_" and "-"; rename one of them',
      );
    definitions[name] = definition;
    return referenceTo(name);
  }

  function annotations(schema: Schema): DescribedSchema {
    const { title, description, readOnly, writeOnly } = schema;
    const [byDefault, example] = [schema.default, schema.example].map((value) =>
      typeof value === 'object' ? spelled(value, schema, naming, named) : value,
    );
    return present({
      title,
      description: commentOf(options, description),
      default: byDefault,
      examples: example === undefined ? undefined : [example],
      readOnly: readOnly || undefined,
      writeOnly: writeOnly || undefined,
    });
  }

  /**
   * Returns a schema with a `type`. The members are in the order that the reference defines (A.6). The formats differ in
   * `values`, which has `type`, `const` and `enum`, and in `range`, which has the limits of a number.
   */
  function typed(schema: Schema, values: DescribedSchema, range: DescribedSchema): DescribedSchema {
    const { format, type, items, properties, additionalProperties } = schema;
    const required = requiredOf(schema, current);
    const { multipleOf, minLength, maxLength, pattern, minItems, maxItems, uniqueItems } = schema;
    const members = Object.entries(properties ?? {}).map(([name, part]) => [spelledName(name), write(part)]);
    return present({
      format,
      ...annotations(schema),
      required: required.length > 0 ? required.map(spelledName) : undefined,
      ...values,
      ...{ multipleOf, minLength, maxLength, pattern, minItems, maxItems, uniqueItems },
      ...range,
      items: type === 'array' ? (items ? write(items) : {}) : undefined,
      properties: properties && Object.fromEntries(members),
      // Without this, generators assume that an object without `properties` is empty.
      additionalProperties: additionalProperties
        ? write(additionalProperties)
        : (additionalProperties ?? (type === 'object' && !properties ? true : undefined)),
    });
  }

  return { definitions, named, write, define, referenceTo, annotations, typed, spelledName };
}

/** Where values of a schema are sent: in bodies of requests, in replies, or in both. */
export type Sides = ReadonlySet<'body' | 'reply'>;
const BOTH: Sides = new Set(['body', 'reply']);

/** Returns the names that are required on all sides: a body may lack `readOnly` ones, a reply lacks `writeOnly` ones. */
const requiredOf = ({ required = [], properties = {} }: Schema, sides: Sides): readonly string[] =>
  required.filter((name) => {
    const { readOnly = false, writeOnly = false } = properties[name]!;
    return !(readOnly && sides.has('body')) && !(writeOnly && sides.has('reply'));
  });

export type SchemaWriter = ReturnType<typeof schemaWriter>;
