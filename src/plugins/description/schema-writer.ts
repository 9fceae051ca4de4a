/** Converts declared schemas to the schema objects of a document. */
import { isDeepStrictEqual } from 'node:util';
import { type PropertyNaming, wireName } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { branchesOf, definitionName, namedParts } from '../../operations/schema/schema.ts';
import { spelled } from '../../operations/schema/serialize.ts';
import { commentOf, type DescriptionOptions, present } from './document.ts';

/** A schema object of a document, or some of its keywords. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

/**
 * Writes schemas in the format of OpenAPI 3.1, where null is a type: `["string", "null"]` (D5). A subclass overrides
 * the parts that differ in Swagger 2.0. A named schema is written once, to `definitions`; each use is a reference to it
 * (§2.1 rule 2).
 */
export class SchemaWriter {
  /** The named schemas, in the order in which they were first written. */
  readonly definitions: Record<string, DescribedSchema>;
  /** The named schemas that a `$ref` can refer to. */
  protected readonly named = new Map<string, Schema>();
  /** The beginning of every `$ref`. */
  protected readonly place: string = '#/components/schemas/';
  readonly #options: DescriptionOptions;
  readonly #naming: PropertyNaming;

  /** Pass `definitions` to share the definitions of another writer of the same document. */
  constructor(options: DescriptionOptions, naming: PropertyNaming, definitions: Record<string, DescribedSchema> = {}) {
    this.#options = options;
    this.#naming = naming;
    this.definitions = definitions;
  }

  /**
   * Returns the schema object; for a named schema, a reference. Throws an `Error` if two different schemas have the
   * same name.
   */
  write(schema: Schema): DescribedSchema {
    for (const [name, part] of namedParts(schema)) this.named.set(name, part);
    const name = schema[definitionName];
    const definition = this.written(schema);
    return name === undefined ? definition : this.defined(name, definition);
  }

  protected defined(name: string, definition: DescribedSchema): DescribedSchema {
    const known = this.definitions[name];
    if (known !== undefined && !isDeepStrictEqual(known, definition)) {
      throw new Error(
        `Cannot describe two schemas named "${name}": they differ; rename one of them. ` +
          `To allow null, write { oneOf: [${name}], 'x-nullable': true }`,
      );
    }
    this.definitions[name] = definition;
    return this.referenceTo(name);
  }

  protected referenceTo(name: string): { readonly $ref: string } {
    return { $ref: this.place + name };
  }

  protected written(schema: Schema): DescribedSchema {
    const { $ref, oneOf, allOf } = schema;
    const parts = (oneOf ?? allOf ?? []).map((part) => this.write(part));
    if ($ref !== undefined) return this.reference(schema, $ref);
    if (oneOf !== undefined) return this.choice(schema, parts);
    return allOf === undefined ? this.#typed(schema) : this.joined(schema, parts);
  }

  /** Returns the members in the order that the reference defines (A.6). */
  #typed(schema: Schema): DescribedSchema {
    const { format, type, items, properties, additionalProperties } = schema;
    const { multipleOf, minLength, maxLength, pattern, minItems, maxItems, uniqueItems } = schema;
    const required = this.required(schema).map((name) => this.spelled(name));
    const members = Object.entries(properties ?? {}).map(([name, part]) => [this.spelled(name), this.write(part)]);
    return present({
      format,
      ...this.annotations(schema),
      required: required.length > 0 ? required : undefined,
      ...this.values(schema),
      ...{ multipleOf, minLength, maxLength, pattern, minItems, maxItems, uniqueItems },
      ...this.range(schema),
      items: type === 'array' ? (items ? this.write(items) : {}) : undefined,
      properties: properties && Object.fromEntries(members),
      // Without this, generators assume that an object without `properties` is empty.
      additionalProperties: additionalProperties
        ? this.write(additionalProperties)
        : (additionalProperties ?? (type === 'object' && !properties ? true : undefined)),
    });
  }

  protected annotations(schema: Schema): DescribedSchema {
    const { title, description, readOnly, writeOnly } = schema;
    const [byDefault, example] = [schema.default, schema.example].map((value) =>
      typeof value === 'object' ? spelled(value, schema, this.#naming, this.named) : value,
    );
    return present({
      title,
      description: commentOf(this.#options, description),
      default: byDefault,
      examples: example === undefined ? undefined : [example],
      readOnly: readOnly || undefined,
      writeOnly: writeOnly || undefined,
    });
  }

  /** Returns the name of a property in JSON. */
  protected spelled(name: string): string {
    return wireName(name, this.#naming);
  }

  /** Returns the names of the required properties. */
  protected required({ required = [] }: Schema): readonly string[] {
    return required;
  }

  /** Returns `type`, and `const` or `enum`. If null is allowed, `enum` must contain null too. */
  protected values({ type, const: only, enum: values, 'x-nullable': isNullable }: Schema): DescribedSchema {
    if (!isNullable) return { type, ...(only !== undefined ? { const: only } : { enum: values }) };
    const allowed = only === undefined ? values : [only];
    return { type: [type, 'null'], enum: allowed && [...allowed, null] };
  }

  protected range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): DescribedSchema {
    return { minimum, maximum, exclusiveMinimum, exclusiveMaximum };
  }

  protected reference(schema: Schema, name: string): DescribedSchema {
    const [reference, beside] = [this.referenceTo(name), this.annotations(schema)];
    return schema['x-nullable'] === true ? orNull(beside, reference) : { ...reference, ...beside };
  }

  /** Returns an `allOf`. The parameter `allOf` contains the written schemas. */
  protected joined(schema: Schema, allOf: readonly DescribedSchema[]): DescribedSchema {
    const annotations = this.annotations(schema);
    return schema['x-nullable'] === true ? orNull(annotations, { allOf }) : { ...annotations, allOf };
  }

  /** Returns a `oneOf`. `parts` contains the written schemas. */
  protected choice(schema: Schema, parts: readonly DescribedSchema[]): DescribedSchema {
    const { discriminator } = schema;
    const branches = Array.from(branchesOf(schema), ([value, branch]) => [value, branch[definitionName]!] as const);
    const mapping = Object.fromEntries(branches.map(([value, name]) => [value, this.referenceTo(name).$ref]));
    const propertyName = discriminator && this.spelled(discriminator.propertyName);
    return {
      ...this.annotations(schema),
      oneOf: schema['x-nullable'] === true ? [...parts, { type: 'null' }] : parts,
      ...(discriminator && { discriminator: { propertyName, mapping } }),
    };
  }
}

const orNull = (annotations: DescribedSchema, written: DescribedSchema): DescribedSchema => ({
  ...annotations,
  anyOf: [written, { type: 'null' }],
});
