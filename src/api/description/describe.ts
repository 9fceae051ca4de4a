/**
 * Routes → the description in format version 2.0 (§2.2): exactly the members of the specification, in the reference's order.
 *
 * Problem answers are listed by status, without schema: `produces` speaks of successes, and a validating proxy would compare
 * the two (D14). Their media type is told in the text of the info member.
 */
import type { Route } from '../../routing/route/route.ts';
import type { ResponseHeaders } from '../operation/answers.ts';
import { producedMediaTypes } from '../operation/produced-media-types.ts';
import { type DescribedOperation, describedOperations } from './described-operation.ts';
import { pathsOf } from './described-paths.ts';
import { type DeclaredResponse, responsesOf, responseText } from './described-response.ts';
import { type SchemaWriter, schemaWriter } from './described-schema.ts';
import { type Comment, commentsOf, type DescriptionOptions, infoOf } from './description-options.ts';
import type { SwaggerDocument, SwaggerOperation, SwaggerParameter, SwaggerResponse } from './swagger-document.ts';
import { withoutUndefined } from './without-undefined.ts';

export type { SwaggerDocument } from './swagger-document.ts';

/**
 * Describes the routes that carry an operation; all others are passed over. Throws an Error where two routes make one
 * operationId (D15) or two different schemas bear one name, and a TypeError for a license without a name.
 */
export function describe(routes: Iterable<Route>, options: DescriptionOptions): SwaggerDocument {
  const comment = commentsOf(options),
    { naming = 'camelCase', basePath } = options;
  const write = schemaWriter({ prefix: '#/definitions/', nullable: 'x-nullable', naming, comment });
  const paths = pathsOf(describedOperations(routes), (described) => operationIn(described, write, comment));
  return {
    swagger: '2.0',
    info: infoOf(options),
    basePath: basePath || '/',
    paths,
    definitions: write.definitions,
    securityDefinitions: {},
  };
}

function operationIn(described: DescribedOperation, write: SchemaWriter, comment: Comment): SwaggerOperation {
  const { controller, operation, id } = described;
  return withoutUndefined({
    tags: [controller.name],
    summary: comment(operation.summary),
    description: comment(operation.remarks),
    operationId: id,
    consumes: operation.body ? ['application/json'] : [],
    produces: producedMediaTypes(operation),
    parameters: parametersIn(described, write),
    responses: Object.fromEntries(
      responsesOf(operation).map((response) => [response.status, responseIn(response, write, comment)]),
    ),
    deprecated: false,
  }) as SwaggerOperation;
}

/** Their texts are members of the format and no comments, empty where there is none (§2.2). */
function parametersIn({ operation, path }: DescribedOperation, write: SchemaWriter): SwaggerParameter[] {
  const texts: Readonly<Record<string, string | undefined>> = operation.parameters ?? {};
  const parameters = path.parameters.map(
    ({ name }): SwaggerParameter => ({
      name,
      in: 'path',
      description: texts[name] ?? '',
      required: true,
      type: 'string',
    }),
  );
  if (operation.body === undefined) return parameters;
  const { name = 'body', description = '' } = operation.bodyParameter ?? {};
  return [...parameters, { name, in: 'body', description, required: true, schema: write(operation.body) }];
}

function responseIn(response: DeclaredResponse, write: SchemaWriter, comment: Comment): SwaggerResponse {
  const {
    status,
    declaration: { schema, headers },
  } = response;
  return withoutUndefined({
    description: responseText(response, comment),
    // An error is answered with a problem, whatever is declared.
    schema: schema && status < 400 ? write(schema) : undefined,
    headers: headers && headersIn(headers),
  }) as SwaggerResponse;
}

const headersIn = (headers: ResponseHeaders): SwaggerResponse['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { type, description }]) => [
      name,
      withoutUndefined({ type, description: description || undefined }),
    ]),
  );
