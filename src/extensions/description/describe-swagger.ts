/**
 * Describes routes in Swagger 2.0: the members of the specification (§2.2), in the order of the reference (A.6).
 * Errors have no schema: `produces` lists the media types of successes, and a proxy would hold a problem to them (D14).
 */
import type { Route } from '../../core/routing/route.ts';
import { producedMediaTypes } from '../../operations/media-types/body-writers.ts';
import type { ResponseHeaders } from '../../operations/operation/operation.ts';
import { type SentPlace, schemaOf } from '../../operations/parameters/parameter.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { branchesOf, definitionName, joinedObject } from '../../operations/schema/schema.ts';
import type { SecurityScheme } from '../../operations/security.ts';
import { BINARY, type DescribedOperation, describedOperations, namingOf } from './described-operations.ts';
import {
  commentOf,
  type DescribedResponse,
  type DescribedScheme,
  type DescribedTag,
  type DescriptionInfo,
  type DescriptionOptions,
  describedTags,
  infoOf,
  type OperationMembers,
  type PathItem,
  pathItems,
  present,
  schemesOf,
  unlessEmpty,
} from './document.ts';
import { type DescribedSchema, SchemaWriter } from './schema-writer.ts';

/** A description in Swagger 2.0. */
export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: DescriptionInfo;
  readonly basePath: string;
  readonly paths: Readonly<Record<string, PathItem<SwaggerOperation>>>;
  readonly definitions: Readonly<Record<string, DescribedSchema>>;
  readonly securityDefinitions: Readonly<Record<string, DescribedScheme>>;
  /** The controllers, where one of them has a text. */
  readonly tags?: readonly DescribedTag[];
}

/** An operation. */
export interface SwaggerOperation extends OperationMembers<SwaggerResponse> {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly SwaggerParameter[];
}

/** A parameter, a field of a form, or the body. The keywords of its schema stand beside its name. */
export interface SwaggerParameter {
  readonly name: string;
  readonly in: SentPlace | 'body';
  readonly description: string;
  readonly required?: true;
  readonly collectionFormat?: string;
  readonly schema?: DescribedSchema;
  readonly [keyword: string]: unknown;
}

/** A response, by its status. */
export interface SwaggerResponse {
  readonly description: string;
  readonly schema?: DescribedSchema;
  readonly headers?: Readonly<Record<string, DescribedSchema>>;
  readonly examples?: Readonly<Record<string, unknown>>;
}

/**
 * Describes the routes that carry an operation. Throws an Error if two routes have one operationId (D15) or two
 * different schemas have one name, and a TypeError for a license without a name.
 */
export function describe(routes: Iterable<Route>, options: DescriptionOptions): SwaggerDocument {
  const operations = describedOperations(routes);
  const schemas = new SwaggerSchemas(options, namingOf(operations));
  const inputOf = (described: DescribedOperation) => ({
    ...remarksOf(described, options),
    consumes: described.inputs.flatMap(({ mediaTypes }) => mediaTypes),
    produces: producedMediaTypes(described.operation),
    parameters: parametersOf(described, schemas),
  });
  const responseOf = ({ description, schema, headers, bodies }: DescribedResponse): SwaggerResponse =>
    present({
      description,
      schema: bodies.length > 0 ? responseSchema(schema ?? bodies[0]!.schema, schemas) : undefined,
      headers: headers && headersOf(headers, schemas),
      examples: unlessEmpty(present(Object.fromEntries(bodies.map(({ mediaType, example }) => [mediaType, example])))),
    });
  // 2.0 has no roles beside these schemes.
  const paths = pathItems<SwaggerOperation>(operations, options, inputOf, responseOf, () => []);
  return present({
    swagger: '2.0' as const,
    info: infoOf(options),
    basePath: options.basePath || '/',
    paths,
    definitions: schemas.definitions,
    securityDefinitions: schemesOf(operations, swaggerScheme),
    tags: describedTags(routes, options),
  });
}

/** The schema of bytes. */
const FILE: DescribedSchema = { type: 'file' };

/** The one schema of all media types of a response. */
function responseSchema(schema: Schema | undefined, schemas: SchemaWriter): DescribedSchema {
  if (schema === undefined) return {};
  return schema.format === 'binary' ? FILE : schemas.write(schema);
}

/** 2.0 has one body, or the fields of one form: of several kinds the first is described, and the others are named. */
function remarksOf({ operation, inputs: [, ...others] }: DescribedOperation, options: DescriptionOptions): object {
  if (others.length === 0) return {};
  const types = others.flatMap(({ mediaTypes }) => mediaTypes).join(', ');
  const note = `A body may be ${types} too, which Swagger 2.0 cannot describe beside the first.`;
  return { description: [commentOf(options, operation.remarks), note].filter(Boolean).join('\n\n') };
}

/** A parameter without a text has an empty description (§2.2). */
function parametersOf(
  { operation, parameters, inputs: [input] }: DescribedOperation,
  schemas: SchemaWriter,
): SwaggerParameter[] {
  const written = [...parameters, ...(input?.fields ?? [])].map(
    ({ name, in: place, description, required, schema, list }) => {
      const keywords = schema === BINARY ? FILE : inPlace(schemas.write(schema));
      return present({
        name,
        in: place,
        description,
        required,
        ...keywords,
        collectionFormat: list,
      }) as SwaggerParameter;
    },
  );
  if (input?.schema === undefined) return written;
  const { name = 'body', description = '' } = operation.bodyParameter ?? {};
  return [...written, { name, in: 'body', description, required: true, schema: schemas.write(input.schema) }];
}

/** A parameter or a header of 2.0 has no such members, nor have its items; those that begin with `x-` are allowed. */
const inPlace = (schema: DescribedSchema): DescribedSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === 'items') return [name, inPlace(value as DescribedSchema)];
      return [['title', 'description', 'example'].includes(name) ? `x-${name}` : name, value];
    }),
  );

const headersOf = (headers: ResponseHeaders, schemas: SchemaWriter): NonNullable<SwaggerResponse['headers']> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description, ...header }]) => [
      name,
      { ...inPlace(schemas.write(schemaOf(header))), ...(description && { description }) },
    ]),
  );

/** Writes schemas of 2.0, which has null as `"x-nullable": true` (D5), and no `const`, `writeOnly` or `oneOf` (D68). */
export class SwaggerSchemas extends SchemaWriter {
  protected override readonly place = '#/definitions/';
  /** The names of definitions that are written, or being written, for a schema or null. */
  readonly #nullables = new Set<string>();

  /** The example stands last (A.6). A pattern that needs the flag `u`, which readers lack, is `x-pattern`. */
  protected override written(schema: Schema): DescribedSchema {
    const { examples, example = (examples as unknown[] | undefined)?.[0], ...written } = super.written(schema);
    const members = Object.entries(written).map(([name, value]) =>
      name === 'pattern' && NEEDS_FLAG.test(String(value)) ? ['x-pattern', value] : [name, value],
    );
    return present({ ...Object.fromEntries(members), 'x-nullable': schema['x-nullable'] || undefined, example });
  }

  protected override annotations(schema: Schema): DescribedSchema {
    return super.annotations({ ...schema, writeOnly: false });
  }

  /** 2.0 cannot say that a member is required of bodies alone, or of replies alone. */
  protected override required({ required = [], properties = {} }: Schema): readonly string[] {
    return required.filter((name) => !(properties[name]?.readOnly || properties[name]?.writeOnly));
  }

  protected override values({ type, const: only, enum: values }: Schema): DescribedSchema {
    return { type, enum: only === undefined ? values : [only] };
  }

  /** An exclusive limit is a flag beside the limit. Of two, the narrower is written. */
  protected override range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): DescribedSchema {
    const isAbove = exclusiveMinimum !== undefined && !(minimum !== undefined && minimum > exclusiveMinimum);
    const isBelow = exclusiveMaximum !== undefined && !(maximum !== undefined && maximum < exclusiveMaximum);
    return {
      ...(isAbove ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : { minimum }),
      ...(isBelow ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : { maximum }),
    };
  }

  /** Nothing may stand beside a reference. */
  protected override reference(schema: Schema, name: string): DescribedSchema {
    const beside = this.annotations(schema);
    if (schema['x-nullable'] === true) return this.#nullable(beside, this.named.get(name)!);
    const reference = this.referenceTo(name);
    return unlessEmpty(beside) === undefined ? reference : { ...beside, allOf: [reference] };
  }

  protected override joined(schema: Schema, allOf: readonly DescribedSchema[]): DescribedSchema {
    const annotations = this.annotations(schema);
    return schema['x-nullable'] === true
      ? this.#nullable(annotations, joinedObject({ allOf: schema.allOf! })!)
      : { ...annotations, allOf };
  }

  /** A schema or null, which a proxy refuses beside a reference: what has a name is a definition, `TreeOrNull`. */
  #nullable(annotations: DescribedSchema, schema: Schema): DescribedSchema {
    const nullable: Schema = { ...schema, 'x-nullable': true };
    const name = schema[definitionName];
    if (name === undefined) return { ...annotations, ...this.written(nullable) };
    const orNull = `${name}OrNull`;
    if (!this.#nullables.has(orNull)) {
      this.#nullables.add(orNull);
      this.defined(orNull, this.written(nullable));
    }
    return { ...annotations, allOf: [this.referenceTo(orNull)] };
  }

  /** Of several schemas, what all have in common: an object, and its discriminator. A single one is told whole. */
  protected override choice(schema: Schema, parts: readonly DescribedSchema[]): DescribedSchema {
    const { oneOf = [], discriminator } = schema;
    const annotations = this.annotations(schema);
    if (oneOf.length === 1)
      return schema['x-nullable'] ? this.#nullable(annotations, oneOf[0]!) : { ...annotations, allOf: parts };
    const values = [...branchesOf(schema).keys()];
    const name = discriminator && this.spelled(discriminator.propertyName);
    return {
      ...annotations,
      ...(name !== undefined && { required: [name] }),
      ...(oneOf.every((part) => joinedObject(part) !== undefined) && { type: 'object' }),
      ...(name !== undefined && { properties: { [name]: { type: typeof values[0], enum: values } } }),
    };
  }
}

/** What an expression has only with the flag `u`: properties, escapes in braces, characters above U+FFFF. */
const NEEDS_FLAG = /^(?:[^\\]|\\[^pPu]|\\u[^{])*(?:\\[pP]|\\u\{|[\u{10000}-\u{10ffff}])/u;

/** A scheme, of which 2.0 knows no bearer tokens: there they are a key in `Authorization`. */
export function swaggerScheme({ kind }: SecurityScheme): DescribedScheme {
  if (kind.type === 'apiKey') return present({ ...kind });
  const { description } = kind;
  if (kind.scheme === 'basic') return { type: 'basic', ...(description && { description }) };
  // The page sends what its user writes, as it is.
  const written = 'Write the word Bearer, a space and the token: `Bearer abc123`';
  const text = description ? `${description}\n\n${written}` : written;
  return { type: 'apiKey', in: 'header', name: 'Authorization', description: text };
}
