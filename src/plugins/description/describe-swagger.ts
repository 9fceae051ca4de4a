/**
 * Describes routes in Swagger 2.0. The document has the members that the specification defines (§2.2), in the order
 * that the reference defines (A.6). Errors do not have a schema: `produces` lists only the media types of successes, so
 * a validating proxy would reject a problem that has a schema (D14). The conditional headers are not listed, because
 * the specification fixes the content of this document (D13, D14).
 */
import type { Route } from '../../core/routing/route.ts';
import { producedMediaTypes } from '../../operations/media-types/body-writers.ts';
import type { ResponseHeaders } from '../../operations/operation/operation.ts';
import { schemaOf } from '../../operations/parameters/parameter.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { branchesOf, definitionName, joinedObject } from '../../operations/schema/schema.ts';
import type { SecurityScheme } from '../../operations/security.ts';
import { BINARY, type DescribedOperation, describedOperations, namingOf } from './described-operations.ts';
import {
  commentOf,
  type DescribedDocument,
  type DescribedResponse,
  type DescribedSchema,
  type DescribedScheme,
  type DescriptionOptions,
  describedTags,
  infoOf,
  type ParameterObject,
  pathItems,
  present,
  type ResponseObject,
  schemesOf,
  unlessEmpty,
} from './document.ts';
import { type SchemaWriter, schemaWriter } from './schema-writer.ts';

/** A description in Swagger 2.0. `tags` lists the controllers, if at least one of them has a text. */
export interface SwaggerDocument extends DescribedDocument {
  readonly swagger: '2.0';
  readonly basePath: string;
  readonly definitions: Readonly<Record<string, DescribedSchema>>;
  readonly securityDefinitions: Readonly<Record<string, DescribedScheme>>;
}

/**
 * Returns the description of all routes that have an operation. Throws an `Error` if two routes have the same
 * operationId, or if two different schemas have the same name, in a generated client (D15, D129). Throws a `TypeError`
 * for a license without a name.
 */
export function describe(routes: Iterable<Route>, options: DescriptionOptions): SwaggerDocument {
  const operations = describedOperations(routes);
  const schemas = swaggerSchemas(options, namingOf(operations));
  const inputOf = (described: DescribedOperation) => ({
    ...remarksOf(described, options),
    consumes: described.inputs.flatMap(({ mediaTypes }) => mediaTypes),
    produces: producedMediaTypes(described.operation),
    parameters: parametersOf(described, schemas),
  });
  const responseOf = ({ description, schema, headers, bodies }: DescribedResponse): ResponseObject =>
    present({
      description,
      schema: bodies.length > 0 ? responseSchema(schema ?? bodies[0]!.schema, schemas) : undefined,
      headers: headers && headersOf(headers, schemas),
      examples: unlessEmpty(present(Object.fromEntries(bodies.map(({ mediaType, example }) => [mediaType, example])))),
    });
  // 2.0 has no roles for these schemes.
  const paths = pathItems(operations, options, inputOf, responseOf, ({ scheme }) => swaggerScheme(scheme) && []);
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

const FILE: DescribedSchema = { type: 'file' };

/** Returns the schema of a response, which in 2.0 applies to all media types. */
function responseSchema(schema: Schema | undefined, schemas: SchemaWriter): DescribedSchema {
  if (schema === undefined) return {};
  return schema.format === 'binary' ? FILE : schemas.write(schema);
}

/** Appends the media types of all kinds of body except the first to the remarks: 2.0 can describe only one kind. */
function remarksOf({ operation, inputs: [, ...others] }: DescribedOperation, options: DescriptionOptions): object {
  if (others.length === 0) return {};
  const types = others.flatMap(({ mediaTypes }) => mediaTypes).join(', ');
  const note = `The body may also be ${types}. Swagger 2.0 can describe only one kind of body.`;
  return { description: [commentOf(options, operation.remarks), note].filter(Boolean).join('\n\n') };
}

/** Returns the parameters. A parameter without a text has an empty `description` (§2.2). */
function parametersOf(
  { operation, parameters, inputs: [input] }: DescribedOperation,
  schemas: SchemaWriter,
): ParameterObject[] {
  const written = [...parameters, ...(input?.fields ?? [])].map(
    ({ name, in: place, description, required, schema, list }) => {
      const isFileList = schema.items === BINARY;
      const keywords = schema === BINARY || isFileList ? FILE : inPlace(schemas.write(schema));
      return present({
        name,
        in: place,
        description: isFileList ? [description, manyFiles(schema)].filter(Boolean).join('\n\n') : description,
        required,
        ...keywords,
        collectionFormat: list,
      }) as ParameterObject;
    },
  );
  if (input?.schema === undefined) return written;
  const { name = 'body', description = '' } = operation.bodyParameter ?? {};
  return [...written, { name, in: 'body', description, required: true, schema: schemas.write(input.schema) }];
}

/** Describes a list of files in words: 2.0 can describe only one file. */
const manyFiles = ({ maxItems }: Schema): string =>
  `The form may have ${maxItems === undefined ? 'several files' : `up to ${maxItems} files`} of this name. Swagger 2.0 can describe only one.`;

/** Adds the prefix `x-` to the keywords that 2.0 does not allow in parameters and headers. */
const inPlace = (schema: DescribedSchema): DescribedSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === 'items') return [name, inPlace(value as DescribedSchema)];
      return [['title', 'description', 'example'].includes(name) ? `x-${name}` : name, value];
    }),
  );

const headersOf = (headers: ResponseHeaders, schemas: SchemaWriter): NonNullable<ResponseObject['headers']> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description, ...header }]) => [
      name,
      { ...inPlace(schemas.write(schemaOf(header))), ...(description && { description }) },
    ]),
  );

/**
 * Returns a writer of schemas. If null is allowed, a schema has `"x-nullable": true` (D5). 2.0 does not have `const`,
 * `writeOnly` or `oneOf`. Therefore, `const` becomes an `enum` with one value, and `writeOnly` is omitted. For `oneOf`,
 * only the common parts of the schemas are written (D68). Its `required` lacks `readOnly` and `writeOnly` names (D130).
 */
export function swaggerSchemas(options: DescriptionOptions, naming: PropertyNaming): SchemaWriter {
  const writer = schemaWriter(described, '#/definitions/', options, naming);
  /** The names of the definitions that allow null, such as `TreeOrNull`, and whose writing has begun. */
  const nullables = new Set<string>();

  /** Puts the example last (A.6). A `pattern` that readers without the flag `u` misread becomes `x-pattern`. */
  function described(schema: Schema): DescribedSchema {
    const {
      examples,
      example = (examples as unknown[] | undefined)?.[0],
      'x-nullable': isNullable = schema['x-nullable'],
      ...written
    } = membersOf(schema);
    const members = Object.entries(written).map(([name, value]) =>
      name === 'pattern' && NEEDS_FLAG.test(String(value)) ? ['x-pattern', value] : [name, value],
    );
    return present({ ...Object.fromEntries(members), 'x-nullable': isNullable || undefined, example });
  }

  function membersOf(declared: Schema): DescribedSchema {
    const schema = { ...declared, writeOnly: false } as Schema;
    const { $ref, oneOf, allOf, type, const: only, enum: values, 'x-nullable': isNullable } = schema;
    const parts = (oneOf ?? allOf ?? []).map((part) => writer.write(part));
    if ($ref === undefined && oneOf === undefined && allOf === undefined)
      return writer.typed(schema, { type, enum: only === undefined ? values : [only] }, rangeOf(schema));
    const annotations = writer.annotations(schema);
    // 2.0 does not allow other members next to `$ref`.
    if ($ref !== undefined && !isNullable && unlessEmpty(annotations) === undefined) return writer.referenceTo($ref);
    if ($ref === undefined && oneOf !== undefined && oneOf.length !== 1)
      return { ...annotations, ...commonParts(schema, oneOf) };
    if (isNullable) {
      const whole = $ref === undefined ? (oneOf?.[0] ?? joinedObject({ allOf: allOf! })!) : writer.named.get($ref)!;
      return { ...annotations, ...nullable(whole) };
    }
    return { ...annotations, allOf: $ref === undefined ? parts : [writer.referenceTo($ref)] };
  }

  /** A named schema gets a second definition, because proxies reject `x-nullable` next to `$ref`. */
  function nullable(schema: Schema): DescribedSchema {
    const name = schema[definitionName];
    if (name === undefined) return described({ ...schema, 'x-nullable': true });
    const orNull = `${name}OrNull`;
    if (!nullables.has(orNull)) {
      nullables.add(orNull);
      writer.define(orNull, described({ ...schema, 'x-nullable': true }));
    }
    return { allOf: [writer.referenceTo(orNull)] };
  }

  /** Returns the common parts of several schemas: `type: object` and the discriminator. One may allow null for all. */
  function commonParts(schema: Schema, oneOf: readonly Schema[]): DescribedSchema {
    const values = [...branchesOf(schema).keys()];
    const name = schema.discriminator && writer.spelledName(schema.discriminator.propertyName);
    return {
      ...(oneOf.some(allowsNull) && { 'x-nullable': true }),
      ...(name !== undefined && { required: [name] }),
      ...(oneOf.every((part) => joinedObject(part) !== undefined) && { type: 'object' }),
      ...(name !== undefined && { properties: { [name]: { type: typeof values[0], enum: values } } }),
    };
  }

  const allowsNull = ({ $ref, oneOf = [], 'x-nullable': isNullable = false }: Schema): boolean =>
    isNullable || ($ref === undefined ? oneOf.some(allowsNull) : allowsNull(writer.named.get($ref)!));

  return writer;
}

/** Returns the stricter of two limits, because `exclusiveMinimum` and `exclusiveMaximum` are flags in 2.0. */
function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): DescribedSchema {
  const isAbove = exclusiveMinimum !== undefined && !(minimum !== undefined && minimum > exclusiveMinimum);
  const isBelow = exclusiveMaximum !== undefined && !(maximum !== undefined && maximum < exclusiveMaximum);
  return {
    ...(isAbove ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : { minimum }),
    ...(isBelow ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : { maximum }),
  };
}

/** Matches a pattern that needs the flag `u`: it has property escapes, `\u{…}` or characters above U+FFFF. */
const NEEDS_FLAG = /^(?:[^\\]|\\[^pPu]|\\u[^{])*(?:\\[pP]|\\u\{|[\u{10000}-\u{10ffff}])/u;

/**
 * Returns a security scheme; undefined for a cookie, which 2.0 cannot describe. 2.0 does not have bearer tokens, so they
 * become an API key in `Authorization`.
 */
export function swaggerScheme({ kind }: SecurityScheme): DescribedScheme | undefined {
  if (kind.type === 'apiKey') return kind.in === 'cookie' ? undefined : present({ ...kind });
  const { description } = kind;
  if (kind.scheme === 'basic') return { type: 'basic', ...(description && { description }) };
  // Swagger UI sends the input of the user as the whole value of the header, so the user must also type "Bearer".
  const hint = 'Write the word Bearer, a space and the token: `Bearer abc123`';
  const text = description ? `${description}\n\n${hint}` : hint;
  return { type: 'apiKey', in: 'header', name: 'Authorization', description: text };
}
