/**
 * Writes schemas into a document: a named one once, among the definitions, and as a reference elsewhere (§2.1 rule 2).
 * Here stands what both formats share; each has a writer of its own beside its document.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../index.ts';
import { definitionName, namedParts, type PropertyNaming, spelled, wireName } from '../../operations.ts';
import { type CommentFilter, commentFilter, type DescriptionOptions, present } from './document.ts';

/** A schema object of a document, or keywords of one. */
export type DescribedSchema = Readonly<Record<string, unknown>>;
export type Parts = readonly DescribedSchema[];

/** Writes the schemas of one document and collects the named ones. */
export abstract class SchemaWriter {
  /** The named schemas, in the order in which they were first written. */
  readonly definitions: Record<string, DescribedSchema>;
  /** The named schemas that a reference can lead to. */
  protected readonly named = new Map<string, Schema>();
  readonly #naming: PropertyNaming;
  readonly #comment: CommentFilter;

  /** `definitions` are those of another writer of the same document. */
  constructor(options: DescriptionOptions, definitions: Record<string, DescribedSchema> = {}) {
    this.definitions = definitions;
    this.#naming = options.naming ?? 'camelCase';
    this.#comment = commentFilter(options);
  }

  /**
   * Returns the schema object, or a reference for a named schema. Throws an Error for two different schemas of one
   * name.
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
        `Cannot describe two schemas named "${name}": they differ; rename one, or write { oneOf: [it], 'x-nullable': true } for it or null`,
      );
    }
    this.definitions[name] = definition;
    return this.referenceTo(name);
  }

  protected written(schema: Schema): DescribedSchema {
    const { $ref, oneOf, allOf } = schema;
    if ($ref !== undefined) return this.reference(schema, $ref);
    if (oneOf !== undefined) return this.choice(schema, oneOf, this.#all(oneOf));
    return allOf === undefined ? this.typed(schema) : this.joined(schema, allOf, this.#all(allOf));
  }

  #all(parts: readonly Schema[]): Parts {
    return parts.map((part) => this.write(part));
  }

  /** The members stand in the order of the reference (A.6). */
  protected typed(schema: Schema): DescribedSchema {
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
    const { title, readOnly } = schema;
    const [byDefault, example] = [schema.default, schema.example].map((value) =>
      typeof value === 'object' ? spelled(value, schema, this.#naming, this.named) : value,
    );
    return present({
      title,
      description: this.#comment(schema.description),
      default: byDefault,
      ...(example !== undefined && this.example(example)),
      readOnly: readOnly || undefined,
    });
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
  protected abstract joined(schema: Schema, allOf: readonly Schema[], parts: Parts): DescribedSchema;
  protected abstract choice(schema: Schema, oneOf: readonly Schema[], parts: Parts): DescribedSchema;
}
