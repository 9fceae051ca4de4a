/**
 * Describes routes in Swagger 2.0: the members of the specification (§2.2), in the order of the reference (A.6).
 *
 * Error responses have no schema: `produces` lists the media types of successes, and a validating proxy would hold a
 * problem to them (D14).
 */

import type { Route, Schema } from '../../index.ts';
import { producedMediaTypes, type ResponseHeaders, type SentPlace, schemaOf } from '../../operations.ts';
import { type DescribedOperation, describedOperations } from './described-operation.ts';
import { commentFilter, type DescriptionInfo, type DescriptionOptions, infoOf } from './description-options.ts';
import { type OperationMembers, type PathItem, pathItems } from './path-items.ts';
import { BINARY, bodyMediaTypes, bodySchema, formFields } from './request-body.ts';
import { type DescribedBody, responseBodies } from './response-bodies.ts';
import { type DescribedSchema, SchemaWriter } from './schema-writer.ts';
import { type DescribedScheme, schemesOf, swaggerScheme } from './security-members.ts';

/** A description in Swagger 2.0. */
export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: DescriptionInfo;
  readonly basePath: string;
  readonly paths: Readonly<Record<string, PathItem<SwaggerOperation>>>;
  readonly definitions: Readonly<Record<string, DescribedSchema>>;
  readonly securityDefinitions: Readonly<Record<string, DescribedScheme>>;
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

/** The schema of bytes. */
const FILE: DescribedSchema = { type: 'file' };

/**
 * Describes the routes that carry an operation and ignores all others. Throws an Error if two routes have one
 * operationId (D15) or two different schemas have one name, and a TypeError for a license without a name.
 */
export function describe(routes: Iterable<Route>, options: DescriptionOptions): SwaggerDocument {
  const schemas = new SchemaWriter({ prefix: '#/definitions/', version: '2.0' }, options);
  const operations = describedOperations(routes);
  const paths = pathItems(
    false,
    operations,
    commentFilter(options),
    (described) => ({
      consumes: bodyMediaTypes(described.operation),
      produces: producedMediaTypes(described.operation),
      parameters: parametersOf(described, schemas),
    }),
    (response, operation): SwaggerResponse => {
      const { status, description, schema, headers } = response;
      const bodies = status >= 400 ? [] : responseBodies(response, operation, options.naming);
      const examples = examplesOf(bodies);
      return {
        description,
        ...(bodies.length > 0 && { schema: responseSchema(schema ?? bodies[0]!.schema, schemas) }),
        ...(headers && { headers: headersOf(headers, schemas) }),
        ...(examples && { examples }),
      };
    },
  );
  return {
    swagger: '2.0',
    info: infoOf(options),
    basePath: options.basePath || '/',
    paths,
    definitions: schemas.definitions,
    securityDefinitions: schemesOf(operations, swaggerScheme),
  };
}

/** A parameter without a text has an empty description (§2.2). */
function parametersOf({ operation, parameters }: DescribedOperation, schemas: SchemaWriter): SwaggerParameter[] {
  const written = [...parameters, ...(formFields(operation) ?? [])].map(
    ({ name, in: place, description, required, schema, list }): SwaggerParameter => ({
      name,
      in: place,
      description,
      ...(required && { required }),
      ...(schema === BINARY ? FILE : inPlace(schemas.write(schema))),
      ...(list !== undefined && { collectionFormat: list }),
    }),
  );
  const body = bodySchema(operation);
  if (body === undefined) return written;
  const { name = 'body', description = '' } = operation.bodyParameter ?? {};
  return [...written, { name, in: 'body', description, required: true, schema: schemas.write(body) }];
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

/** The one schema of all media types of a response. */
function responseSchema(schema: Schema | undefined, schemas: SchemaWriter): DescribedSchema {
  if (schema === undefined) return {};
  return schema.format === 'binary' ? FILE : schemas.write(schema);
}

/** Examples by media type; undefined where there are none. */
function examplesOf(bodies: readonly DescribedBody[]): Readonly<Record<string, unknown>> | undefined {
  const examples = bodies.flatMap(({ mediaType, example }) => (example === undefined ? [] : [[mediaType, example]]));
  return examples.length === 0 ? undefined : Object.fromEntries(examples);
}
