/** Writes schemas into a document. Here stands what both formats share; each has a writer of its own. */
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../index.ts';
import { definitionName, namedParts, spelled, wireName } from '../../operations.ts';
import { commentOf, type DescriptionOptions, present } from './document.ts';

/** A schema object of a document, or keywords of one. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

/** Writes a named schema once, among the definitions, and as a reference elsewhere (§2.1 rule 2). */
export abstract class SchemaWriter {
  /** The named schemas, in the order in which they were first written. */
  readonly definitions: Record<string, DescribedSchema>;
  /** The named schemas that a reference can lead to. */
  protected readonly named = new Map<string, Schema>();
  readonly #options: DescriptionOptions;

  /** `definitions` are those of another writer of the same document. */
  constructor(options: DescriptionOptions, definitions: Record<string, DescribedSchema> = {}) {
    this.#options = options;
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
    const { title, description, readOnly } = schema;
    const [byDefault, example] = [schema.default, schema.example].map((value) =>
      typeof value === 'object' ? spelled(value, schema, this.#naming, this.named) : value,
    );
    return present({
      title,
      description: commentOf(this.#options, description),
      default: byDefault,
      ...(example !== undefined && this.example(example)),
      readOnly: readOnly || undefined,
    });
  }

  get #naming() {
    return this.#options.naming ?? 'camelCase';
  }

  /** The name of a property as JSON spells it. */
  protected spelled(name: string): string {
    return wireName(name, this.#naming);
  }

  protected abstract referenceTo(name: string): { readonly $ref: string };
  protected abstract example(value: unknown): DescribedSchema;
  /** The names of the properties that are called required. */
  protected abstract required(schema: Schema): readonly string[];
  /** The keywords `type`, `enum` and `const`. */
  protected abstract values(schema: Schema): DescribedSchema;
  /** The limits of a number. */
  protected abstract range(schema: Schema): DescribedSchema;
  protected abstract reference(schema: Schema, name: string): DescribedSchema;
  /** `parts` are the written schemas of `allOf`, in a choice of `oneOf`. */
  protected abstract joined(schema: Schema, parts: readonly DescribedSchema[]): DescribedSchema;
  protected abstract choice(schema: Schema, parts: readonly DescribedSchema[]): DescribedSchema;
}
