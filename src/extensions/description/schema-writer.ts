/** Writes the schemas of a document. */
import { isDeepStrictEqual } from 'node:util';
import { type PropertyNaming, wireName } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { branchesOf, definitionName, namedParts } from '../../operations/schema/schema.ts';
import { spelled } from '../../operations/schema/serialize.ts';
import { commentOf, type DescriptionOptions, present } from './document.ts';

/** A schema object of a document, or keywords of one. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

/**
 * Writes schemas of 3.1, which has null as a type: `["string", "null"]` (D5). What 2.0 says otherwise is overridden. A
 * named schema stands once among the definitions, and as a reference elsewhere (§2.1 rule 2).
 */
export class SchemaWriter {
  /** The named schemas, in the order in which they were first written. */
  readonly definitions: Record<string, DescribedSchema>;
  /** The named schemas that a reference can lead to. */
  protected readonly named = new Map<string, Schema>();
  /** What references begin with. */
  protected readonly place: string = '#/components/schemas/';
  readonly #options: DescriptionOptions;
  readonly #naming: PropertyNaming;

  /** `definitions` are those of another writer of the same document. */
  constructor(options: DescriptionOptions, naming: PropertyNaming, definitions: Record<string, DescribedSchema> = {}) {
    this.#options = options;
    this.#naming = naming;
    this.definitions = definitions;
  }

  /** The schema object, or a reference to it. Throws an Error for two different schemas of one name. */
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
        `Cannot describe two schemas named "${name}": they differ; rename one, or write { oneOf: [it], 'x-nullable': true } for it or null`,
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

  /** The members stand in the order of the reference (A.6). */
  #typed(schema: Schema): DescribedSchema {
    const { format, type, items, properties, additionalProperties } = schema;
    const { multipleOf, minLength, maxLength, pattern, minItems, maxItems, uniqueItems } = schema;
    const required = this.required(schema).map((name) => this.spelled(name));
    const members = Object.entries(properties ?? {}).map(([name, one]) => [this.spelled(name), this.write(one)]);
    return present({
      format,
      ...this.annotations(schema),
      required: required.length > 0 ? required : undefined,
      ...this.values(schema),
      ...{ multipleOf, minLength, maxLength, pattern, minItems, maxItems, uniqueItems },
      ...this.range(schema),
      items: type === 'array' ? (items ? this.write(items) : {}) : undefined,
      properties: properties && Object.fromEntries(members),
      // Generators take an object without members for an empty one.
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

  /** The name of a property as JSON spells it. */
  protected spelled(name: string): string {
    return wireName(name, this.#naming);
  }

  /** The names of the properties that are called required. */
  protected required({ required = [] }: Schema): readonly string[] {
    return required;
  }

  /** Where null is allowed, it has to be one of the values. */
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

  /** `allOf` are the written schemas. */
  protected joined(schema: Schema, allOf: readonly DescribedSchema[]): DescribedSchema {
    const annotations = this.annotations(schema);
    return schema['x-nullable'] === true ? orNull(annotations, { allOf }) : { ...annotations, allOf };
  }

  /** `parts` are the written schemas. */
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
