/**
 * Writes schemas into a document: a named one once, among the definitions, and as a reference elsewhere (§2.1 rule 2).
 *
 * The formats differ in the place of the definitions and in null, which is `"x-nullable": true` in 2.0 and
 * `["string", "null"]` in 3.1 (D5).
 */
import { isDeepStrictEqual } from 'node:util';
import { type PropertyNaming, wireName } from '../schema/property-naming.ts';
import { definitionName, type Schema } from '../schema/schema.ts';
import { type CommentFilter, commentFilter, type DescriptionOptions } from './description-options.ts';

/** A schema object of a document. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

/** How a format writes schemas. */
export interface SchemaFormat {
  /** The start of a reference: `#/definitions/`. */
  readonly prefix: string;
  readonly nullable: 'x-nullable' | 'type list';
}

/** Writes the schemas of one document and collects the named ones. */
export class SchemaWriter {
  /** The named schemas, in the order in which they were first written. */
  readonly definitions: Record<string, DescribedSchema> = {};
  readonly #format: SchemaFormat;
  readonly #naming: PropertyNaming;
  readonly #comment: CommentFilter;

  constructor(format: SchemaFormat, options: DescriptionOptions) {
    this.#format = format;
    this.#naming = options.naming ?? 'camelCase';
    this.#comment = commentFilter(options);
  }

  /**
   * Returns the schema object, or a reference for a named schema. `naming` is that of the document unless given. Throws
   * an Error for two different schemas of one name.
   */
  write(schema: Schema, naming: PropertyNaming = this.#naming): DescribedSchema {
    const name = schema[definitionName];
    const definition = this.#schemaObject(schema, naming);
    if (name === undefined) return definition;
    const known = this.definitions[name];
    if (known !== undefined && !isDeepStrictEqual(known, definition)) {
      throw new Error(`Cannot describe two schemas named "${name}": they differ; rename one`);
    }
    this.definitions[name] = definition;
    return { $ref: this.#format.prefix + name };
  }

  /** The members stand in the order of the reference (A.6). */
  #schemaObject(schema: Schema, naming: PropertyNaming): DescribedSchema {
    const { format, title, required, type, items, properties } = schema;
    const description = this.#comment(schema.description);
    const isNullable = schema['x-nullable'] === true;
    const hasTypeList = this.#format.nullable === 'type list';
    return {
      ...(format !== undefined && { format }),
      ...(title !== undefined && { title }),
      ...(description && { description }),
      ...(schema.default !== undefined && { default: schema.default }),
      ...(required?.length && { required: required.map((name) => wireName(name, naming)) }),
      type: isNullable && hasTypeList ? [type, 'null'] : type,
      ...(items && { items: this.write(items, naming) }),
      ...(properties && { properties: this.#properties(properties, naming) }),
      ...(isNullable && !hasTypeList && { 'x-nullable': true }),
    };
  }

  #properties(properties: Readonly<Record<string, Schema>>, naming: PropertyNaming): DescribedSchema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [wireName(name, naming), this.write(property, naming)]),
    );
  }
}
