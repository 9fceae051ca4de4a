/**
 * Describes routes in Swagger 2.0: the members of the specification (§2.2), in the order of the reference (A.6).
 *
 * Error responses have no schema: `produces` lists the media types of successes, and a validating proxy would hold a
 * problem to them (D14).
 */
import type { Route } from '../../routing/route/route.ts';
import type { ResponseHeaders } from '../operation/answers.ts';
import { producedMediaTypes } from '../operation/produced-media-types.ts';
import { type DescribedOperation, describedOperations } from './described-operation.ts';
import type { DescribedResponse } from './described-response.ts';
import { commentFilter, type DescriptionOptions, infoOf } from './description-options.ts';
import { pathItems } from './path-items.ts';
import { SchemaWriter } from './schema-writer.ts';
import type { SwaggerDocument, SwaggerParameter, SwaggerResponse } from './swagger-document.ts';

/**
 * Describes the routes that carry an operation and ignores all others. Throws an Error if two routes have one
 * operationId (D15) or two different schemas have one name, and a TypeError for a license without a name.
 */
export function describe(routes: Iterable<Route>, options: DescriptionOptions): SwaggerDocument {
  const schemas = new SchemaWriter({ prefix: '#/definitions/', nullable: 'x-nullable' }, options);
  const paths = pathItems(describedOperations(routes), commentFilter(options), {
    input: (described) => ({
      consumes: described.operation.body ? ['application/json'] : [],
      produces: producedMediaTypes(described.operation),
      parameters: parametersOf(described, schemas),
    }),
    response: (response) => responseObject(response, schemas),
  });
  return {
    swagger: '2.0',
    info: infoOf(options),
    basePath: options.basePath || '/',
    paths,
    definitions: schemas.definitions,
    securityDefinitions: {},
  };
}

/** A parameter without a text has an empty description (§2.2). */
function parametersOf({ operation, parameters }: DescribedOperation, schemas: SchemaWriter): SwaggerParameter[] {
  const inPath = parameters.map(
    ({ name, description }) => ({ name, in: 'path', description, required: true, type: 'string' }) as const,
  );
  if (operation.body === undefined) return inPath;
  const { name = 'body', description = '' } = operation.bodyParameter ?? {};
  return [...inPath, { name, in: 'body', description, required: true, schema: schemas.write(operation.body) }];
}

function responseObject(response: DescribedResponse, schemas: SchemaWriter): SwaggerResponse {
  const { status, description, schema, headers } = response;
  return {
    description,
    ...(schema && status < 400 && { schema: schemas.write(schema) }),
    ...(headers && { headers: headersOf(headers) }),
  };
}

const headersOf = (headers: ResponseHeaders): NonNullable<SwaggerResponse['headers']> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { type, description }]) => [
      name,
      { type, ...(description && { description }) },
    ]),
  );
