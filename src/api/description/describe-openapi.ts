/**
 * Routes → the description in OpenAPI 3.1, from the same declarations: current generators have dropped 2.0.
 *
 * Here a response has media types of its own, so problem answers are told in full: `application/problem+json` and the schema
 * `Problem` (D10, D14). Header texts are kept once, among the components.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Route } from '../../routing/route/route.ts';
import type { ResponseHeaders } from '../operation/answers.ts';
import { producedMediaTypes } from '../operation/produced-media-types.ts';
import { PROBLEM } from '../schema/problem-schema.ts';
import { type DescribedOperation, describedOperations } from './described-operation.ts';
import { pathsOf } from './described-paths.ts';
import { type DeclaredResponse, responsesOf, responseText } from './described-response.ts';
import { type SchemaWriter, schemaWriter } from './described-schema.ts';
import {
  type Comment,
  commentsOf,
  type DescriptionInfo,
  type DescriptionOptions,
  infoOf,
} from './description-options.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './openapi-document.ts';
import { withoutUndefined } from './without-undefined.ts';

export type { OpenApiDocument } from './openapi-document.ts';

interface Writers {
  readonly schema: SchemaWriter;
  readonly headers: Record<string, OpenApiHeader>;
  readonly comment: Comment;
}

/** Describes the routes that carry an operation. Throws what `describe` throws; `Problem` is a schema name of ours. */
export function describeOpenApi(routes: Iterable<Route>, options: DescriptionOptions): OpenApiDocument {
  const comment = commentsOf(options),
    { naming = 'camelCase', basePath } = options;
  const schema = schemaWriter({ prefix: '#/components/schemas/', nullable: 'type list', naming, comment });
  const writers: Writers = { schema, headers: {}, comment };
  const operations = describedOperations(routes);
  const paths = pathsOf(operations, (described) => operationIn(described, writers));
  return {
    openapi: '3.1.0',
    info: openApiInfo(options),
    servers: [{ url: basePath || '/' }],
    paths,
    components: { schemas: schema.definitions, headers: writers.headers },
    tags: [...new Set(operations.map(({ controller }) => controller.name))].map((name) => ({ name })),
  };
}

/** In 3.1 the terms of service are an address; any other text goes behind the description. */
function openApiInfo(options: DescriptionOptions): DescriptionInfo {
  const { description, termsOfService } = options;
  if (!termsOfService || URL.canParse(termsOfService)) return infoOf(options);
  const texts = [description, `Terms of service: ${termsOfService}`];
  return infoOf({ ...options, termsOfService: undefined, description: texts.filter(Boolean).join('\n\n') });
}

function operationIn({ controller, operation, id, path }: DescribedOperation, writers: Writers): OpenApiOperation {
  const { comment } = writers,
    texts: Readonly<Record<string, string | undefined>> = operation.parameters ?? {};
  const produces = producedMediaTypes(operation);
  return withoutUndefined({
    tags: [controller.name],
    summary: comment(operation.summary),
    description: comment(operation.remarks),
    operationId: id,
    parameters: path.parameters.map(
      ({ name }): OpenApiParameter =>
        withoutUndefined({
          name,
          in: 'path',
          description: texts[name] || undefined,
          required: true,
          schema: { type: 'string' },
        } as const),
    ),
    requestBody:
      operation.body &&
      withoutUndefined({
        description: operation.bodyParameter?.description || undefined,
        content: { 'application/json': { schema: writers.schema(operation.body) } },
        required: true,
      }),
    responses: Object.fromEntries(
      responsesOf(operation).map((response) => [response.status, responseIn(response, produces, writers)]),
    ),
    deprecated: false,
  }) as OpenApiOperation;
}

function responseIn(response: DeclaredResponse, produces: readonly string[], writers: Writers): OpenApiResponse {
  const { headers } = response.declaration;
  return withoutUndefined({
    description: responseText(response, writers.comment),
    headers: headers && headersIn(headers, writers.headers),
    content: contentOf(response, produces, writers.schema),
  }) as OpenApiResponse;
}

function contentOf(
  response: DeclaredResponse,
  produces: readonly string[],
  write: SchemaWriter,
): OpenApiContent | undefined {
  const {
    status,
    declaration: { schema },
  } = response;
  if (status >= 400) return { 'application/problem+json': { schema: write(PROBLEM, 'camelCase') } };
  return schema && Object.fromEntries(produces.map((mediaType) => [mediaType, { schema: write(schema) }]));
}

/** References to components, or a header itself where another operation means something else by its name. */
function headersIn(declared: ResponseHeaders, headers: Writers['headers']): OpenApiResponse['headers'] {
  return Object.fromEntries(
    Object.entries(declared).map(([name, { type, description, always }]) => {
      const required = always || undefined;
      const header = withoutUndefined({
        description: description || undefined,
        required,
        schema: { type },
      }) as OpenApiHeader;
      headers[name] ??= header;
      return [name, isDeepStrictEqual(headers[name], header) ? { $ref: `#/components/headers/${name}` } : header];
    }),
  );
}
