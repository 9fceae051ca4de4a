/**
 * Writes schemas into a document: a named one once, among the definitions, and as a reference elsewhere (§2.1 rule 2).
 *
 * The formats differ in the place of the definitions, in null, which is `"x-nullable": true` in 2.0 and
 * `["string", "null"]` in 3.1 (D5), and in what 2.0 lacks (D68): `const`, `writeOnly` and `oneOf`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../index.ts';
import {
  branchesOf,
  definitionName,
  joinedObject,
  namedParts,
  type PropertyNaming,
  spelled,
  wireName,
} from '../../operations.ts';
import { type CommentFilter, commentFilter, type DescriptionOptions } from './description-options.ts';
import { commonLimits, openApiLimits, openApiValues, swaggerLimits, swaggerValues } from './schema-keywords.ts';

/** A schema object of a document. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

/** How a format writes schemas. */
export interface SchemaFormat {
  /** The start of a reference: `#/definitions/`. */
  readonly prefix: string;
  readonly version: '2.0' | '3.1';
}

/** Writes the schemas of one document and collects the named ones. */
export class SchemaWriter {
  /** The named schemas, in the order in which they were first written. */
  readonly definitions: Record<string, DescribedSchema> = {};
  readonly #format: SchemaFormat;
  readonly #naming: PropertyNaming;
  readonly #comment: CommentFilter;
  /** The named schemas that a reference can lead to. */
  readonly #named = new Map<string, Schema>();
  /** The names of definitions that are written, or being written, for a schema or null. */
  readonly #nullables = new Set<string>();

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
    for (const [name, part] of namedParts(schema)) this.#named.set(name, part);
    const name = schema[definitionName];
    const definition = this.#schemaObject(schema, naming);
    return name === undefined ? definition : this.#defined(name, definition);
  }

  #defined(name: string, definition: DescribedSchema): DescribedSchema {
    const known = this.definitions[name];
    if (known !== undefined && !isDeepStrictEqual(known, definition)) {
      throw new Error(
        `Cannot describe two schemas named "${name}": they differ; rename one, or write { oneOf: [it], 'x-nullable': true } for it or null`,
      );
    }
    this.definitions[name] = definition;
    return { $ref: this.#format.prefix + name };
  }

  /** The example of 2.0 stands last (A.6). */
  #schemaObject(schema: Schema, naming: PropertyNaming): DescribedSchema {
    const { example, ...written } = this.#written(schema, naming);
    return { ...written, ...(example !== undefined && { example }) };
  }

  #written(schema: Schema, naming: PropertyNaming): DescribedSchema {
    if (schema.$ref !== undefined) return this.#reference(schema, schema.$ref, naming);
    if (schema.oneOf !== undefined) return this.#choice(schema, schema.oneOf, naming);
    return schema.allOf === undefined ? this.#typed(schema, naming) : this.#joined(schema, schema.allOf, naming);
  }

  /** The members stand in the order of the reference (A.6). */
  #typed(schema: Schema, naming: PropertyNaming): DescribedSchema {
    const { format, type, items, properties, additionalProperties } = schema;
    const isNullable = schema['x-nullable'] === true;
    const isNewer = this.#format.version === '3.1';
    return {
      ...(format !== undefined && { format }),
      ...this.#annotations(schema, naming),
      ...this.#required(schema, naming),
      type: isNullable && isNewer ? [type, 'null'] : type,
      ...(isNewer ? openApiValues(schema) : swaggerValues(schema)),
      ...commonLimits(schema, isNewer),
      ...(isNewer ? openApiLimits(schema) : swaggerLimits(schema)),
      ...(type === 'array' && { items: items ? this.write(items, naming) : {} }),
      ...(properties && { properties: this.#properties(properties, naming) }),
      ...(additionalProperties !== undefined && {
        additionalProperties: additionalProperties && this.write(additionalProperties, naming),
      }),
      // Generators take an object without members for an empty one.
      ...(type === 'object' && !properties && additionalProperties === undefined && { additionalProperties: true }),
      ...(isNullable && !isNewer && { 'x-nullable': true }),
    };
  }

  /** 2.0 cannot say that a member is required of bodies alone, or of replies alone. */
  #required({ required = [], properties = {} }: Schema, naming: PropertyNaming): DescribedSchema {
    const isNewer = this.#format.version === '3.1';
    const names = required.filter((name) => isNewer || !(properties[name]?.readOnly || properties[name]?.writeOnly));
    return names.length === 0 ? {} : { required: names.map((name) => wireName(name, naming)) };
  }

  #annotations(schema: Schema, naming: PropertyNaming): DescribedSchema {
    const { title, readOnly, writeOnly } = schema;
    const [byDefault, example] = [schema.default, schema.example].map((value) =>
      typeof value === 'object' ? spelled(value, schema, naming, this.#named) : value,
    );
    const description = this.#comment(schema.description);
    const isNewer = this.#format.version === '3.1';
    return {
      ...(title !== undefined && { title }),
      ...(description && { description }),
      ...(byDefault !== undefined && { default: byDefault }),
      ...(example !== undefined && (isNewer ? { examples: [example] } : { example })),
      ...(readOnly && { readOnly: true }),
      ...(writeOnly && isNewer && { writeOnly: true }),
    };
  }

  /** In 2.0 nothing may stand beside a reference. */
  #reference(schema: Schema, name: string, naming: PropertyNaming): DescribedSchema {
    const reference = { $ref: this.#format.prefix + name };
    const beside = this.#annotations(schema, naming);
    if (schema['x-nullable'] === true) return this.#nullable(beside, reference, this.#named.get(name)!, naming);
    if (Object.keys(beside).length === 0) return reference;
    return this.#format.version === '3.1' ? { ...reference, ...beside } : { ...beside, allOf: [reference] };
  }

  #joined(schema: Schema, allOf: readonly Schema[], naming: PropertyNaming): DescribedSchema {
    const parts = allOf.map((part) => this.write(part, naming));
    const annotations = this.#annotations(schema, naming);
    return schema['x-nullable'] === true
      ? this.#nullable(annotations, { allOf: parts }, joinedObject({ allOf })!, naming)
      : { ...annotations, allOf: parts };
  }

  /**
   * Writes a schema or null. 2.0 has null beside a type alone: a proxy refuses null for `allOf` with a reference. So
   * what has a name gets a definition of its own there, `TreeOrNull`.
   */
  #nullable(
    annotations: DescribedSchema,
    written: DescribedSchema,
    schema: Schema,
    naming: PropertyNaming,
  ): DescribedSchema {
    if (this.#format.version === '3.1') return { ...annotations, anyOf: [written, { type: 'null' }] };
    const nullable: Schema = { ...schema, 'x-nullable': true };
    const name = schema[definitionName];
    if (name === undefined) return { ...annotations, ...this.#schemaObject(nullable, naming) };
    const orNull = `${name}OrNull`;
    if (!this.#nullables.has(orNull)) {
      this.#nullables.add(orNull);
      this.#defined(orNull, this.#schemaObject(nullable, naming));
    }
    return { ...annotations, allOf: [{ $ref: this.#format.prefix + orNull }], 'x-nullable': true };
  }

  /**
   * 2.0 has no `oneOf`. It is told what all its schemas have in common: an object, and its discriminator (D68). What is
   * one schema or null is told whole.
   */
  #choice(schema: Schema, oneOf: readonly Schema[], naming: PropertyNaming): DescribedSchema {
    const annotations = this.#annotations(schema, naming);
    const isNullable = schema['x-nullable'] === true;
    const parts = oneOf.map((part) => this.write(part, naming));
    const { discriminator } = schema;
    const propertyName = discriminator && wireName(discriminator.propertyName, naming);
    const branches = branchesOf(schema);
    if (this.#format.version === '3.1') {
      const mapping = Object.fromEntries(
        Array.from(branches, ([value, branch]) => [value, this.#format.prefix + branch[definitionName]!]),
      );
      return {
        ...annotations,
        oneOf: isNullable ? [...parts, { type: 'null' }] : parts,
        ...(propertyName !== undefined && { discriminator: { propertyName, mapping } }),
      };
    }
    const [only] = oneOf;
    if (only !== undefined && oneOf.length === 1)
      return isNullable ? this.#nullable(annotations, {}, only, naming) : { ...annotations, allOf: parts };
    const isObject = oneOf.every((part) => joinedObject(part) !== undefined);
    const property = { type: typeof [...branches.keys()][0], enum: [...branches.keys()] };
    return {
      ...annotations,
      ...(propertyName !== undefined && { required: [propertyName] }),
      ...(isObject && { type: 'object' }),
      ...(propertyName !== undefined && { properties: { [propertyName]: property } }),
      ...(isNullable && { 'x-nullable': true }),
    };
  }

  #properties(properties: Readonly<Record<string, Schema>>, naming: PropertyNaming): DescribedSchema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [wireName(name, naming), this.write(property, naming)]),
    );
  }
}
