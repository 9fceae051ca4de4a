/**
 * Schemas as a document shows them: a named one once among the definitions, a reference wherever it is used (§2.1 rule 2).
 *
 * The two formats differ in two points: where definitions live, and how null is said – `"x-nullable": true` in 2.0,
 * `["string", "null"]` in 3.1 (D5).
 */
import { isDeepStrictEqual } from 'node:util';
import { type PropertyNaming, wireName } from '../schema/property-naming.ts';
import { definitionName, type Schema } from '../schema/schema.ts';
import type { Comment } from './description-options.ts';
import { withoutUndefined } from './without-undefined.ts';

/** A schema object of a document. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

/** How a document writes schemas. */
export interface SchemaStyle {
  /** What a reference begins with: `#/definitions/`. */
  readonly prefix: string;
  readonly nullable: 'x-nullable' | 'type list';
  readonly naming: PropertyNaming;
  readonly comment: Comment;
}

/** Writes schemas and keeps the named ones among them. */
export interface SchemaWriter {
  /** `naming` is the document's own unless given. */
  (schema: Schema, naming?: PropertyNaming): DescribedSchema;
  /** By name, in the order in which they were met. */
  readonly definitions: Readonly<Record<string, DescribedSchema>>;
}

/** A writer for one document. It throws an Error for a second schema of the same name that says something else. */
export function schemaWriter(style: SchemaStyle): SchemaWriter {
  const definitions: Record<string, DescribedSchema> = {};

  function write(schema: Schema, naming: PropertyNaming = style.naming): DescribedSchema {
    const name = schema[definitionName];
    if (name === undefined) return inFull(schema, naming);
    const known = definitions[name];
    const definition = inFull(schema, naming);
    if (known !== undefined && !isDeepStrictEqual(known, definition)) {
      throw new Error(`Cannot describe two schemas named "${name}": they differ; rename one`);
    }
    definitions[name] = definition;
    return { $ref: style.prefix + name };
  }

  function inFull(schema: Schema, naming: PropertyNaming): DescribedSchema {
    const nullable = schema['x-nullable'] === true,
      asList = style.nullable === 'type list';
    // The order of the reference (A.6); undefined members are dropped when the document is written.
    return withoutUndefined({
      format: schema.format,
      title: schema.title,
      description: style.comment(schema.description),
      default: schema.default,
      required: schema.required?.length ? schema.required.map((name) => wireName(name, naming)) : undefined,
      type: nullable && asList ? [schema.type, 'null'] : schema.type,
      items: schema.items && write(schema.items, naming),
      properties: schema.properties && propertiesOf(schema.properties, naming),
      'x-nullable': nullable && !asList ? true : undefined,
    });
  }

  const propertiesOf = (properties: Readonly<Record<string, Schema>>, naming: PropertyNaming): DescribedSchema =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [wireName(name, naming), write(property, naming)]),
    );

  return Object.assign(write, { definitions });
}
