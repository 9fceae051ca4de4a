/**
 * Describes routes in OpenAPI 3.1, for generators that no longer read Swagger 2.0.
 *
 * A response has its own media types here, so errors have the schema `Problem` under `application/problem+json`
 * (D10, D14). Headers stand once, among the components.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Operation, Route } from '../../index.ts';
import { type ParameterPlace, PROBLEM, type ResponseHeaders, schemaOf } from '../../operations.ts';
import { type DescribedOperation, describedOperations } from './described-operation.ts';
import { commentFilter, type DescriptionInfo, type DescriptionOptions, infoOf } from './description-options.ts';
import { type OperationMembers, type PathItem, pathItems } from './path-items.ts';
import { bodyMediaTypes, listStyle, type OpenApiBody, openApiBody } from './request-body.ts';
import { type DescribedBody, responseBodies } from './response-bodies.ts';
import { type DescribedSchema, SchemaWriter } from './schema-writer.ts';
import { type DescribedScheme, openApiScheme, schemesOf } from './security-members.ts';

/** A description in OpenAPI 3.1. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: DescriptionInfo;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem<OpenApiOperation>>>;
  readonly components: OpenApiComponents;
  readonly tags: readonly { readonly name: string }[];
}

/** The schemas, headers and security schemes to which operations refer. */
export interface OpenApiComponents {
  readonly schemas: Readonly<Record<string, DescribedSchema>>;
  readonly headers: Readonly<Record<string, OpenApiHeader>>;
  readonly securitySchemes?: Readonly<Record<string, DescribedScheme>>;
}

/** An operation. */
export interface OpenApiOperation extends OperationMembers<OpenApiResponse> {
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly description?: string; readonly content: OpenApiContent; readonly required: true };
}

/** A parameter. `style` and `explode` say how a list is written. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly description?: string;
  readonly required?: true;
  readonly deprecated?: true;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: DescribedSchema;
  readonly example?: unknown;
}

type ReferredHeaders = Readonly<Record<string, { readonly $ref: string }>>;

/** Bodies by media type. */
export type OpenApiContent = Readonly<Record<string, OpenApiBody>>;

/** A response, by its status. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: ReferredHeaders;
  readonly content?: OpenApiContent;
}

/** A header of a response. */
export interface OpenApiHeader {
  readonly description?: string;
  /** Every response of the status carries the header. */
  readonly required?: true;
  readonly schema: DescribedSchema;
}

/**
 * Describes the routes that carry an operation. Throws what `describe` throws, and an Error for another schema named
 * `Problem`.
 */
export function describeOpenApi(routes: Iterable<Route>, options: DescriptionOptions): OpenApiDocument {
  const schemas = new SchemaWriter({ prefix: '#/components/schemas/', version: '3.1' }, options);
  const components: Record<string, OpenApiHeader> = {};
  const operations = describedOperations(routes);
  const { problems: own } = options;
  const problem = (): OpenApiContent =>
    own === undefined
      ? { 'application/problem+json': { schema: schemas.write(PROBLEM, 'camelCase') } }
      : { [own.mediaType]: { schema: schemas.write(own.schema, 'camelCase') } };
  const paths = pathItems(
    true,
    operations,
    commentFilter(options),
    (described) => inputOf(described, schemas),
    (response, operation): OpenApiResponse => {
      const { status, description, headers } = response;
      const bodies = status >= 400 ? [] : responseBodies(response, operation, options.naming);
      const content = status >= 400 ? problem() : contentOf(bodies, schemas);
      return {
        description,
        ...(headers && { headers: headersOf(headers, components, schemas) }),
        ...(Object.keys(content).length > 0 && { content }),
      };
    },
  );
  const securitySchemes = schemesOf(operations, openApiScheme);
  return {
    openapi: '3.1.0',
    info: openApiInfo(options),
    servers: [{ url: options.basePath || '/' }],
    paths,
    components: {
      schemas: schemas.definitions,
      headers: components,
      ...(Object.keys(securitySchemes).length > 0 && { securitySchemes }),
    },
    tags: [...new Set(operations.map(({ controller }) => controller.name))].map((name) => ({ name })),
  };
}

const contentOf = (bodies: readonly DescribedBody[], schemas: SchemaWriter): OpenApiContent =>
  Object.fromEntries(
    bodies.map(({ mediaType, schema, example }) => [
      mediaType,
      { schema: schema === undefined ? {} : schemas.write(schema), ...(example !== undefined && { example }) },
    ]),
  );

/** The terms of service are a URL in 3.1; any other text is added to the description. */
function openApiInfo(options: DescriptionOptions): DescriptionInfo {
  const { description, termsOfService } = options;
  if (!termsOfService || URL.canParse(termsOfService)) return infoOf(options);
  const texts = [description, `Terms of service: ${termsOfService}`];
  return infoOf({ ...options, termsOfService: undefined, description: texts.filter(Boolean).join('\n\n') });
}

function inputOf(
  { operation, parameters }: DescribedOperation,
  schemas: SchemaWriter,
): Pick<OpenApiOperation, 'parameters' | 'requestBody'> {
  const written = parameters.map(
    ({
      name,
      in: place,
      description,
      required,
      deprecated,
      schema: { example, ...schema },
      list,
    }): OpenApiParameter => ({
      name,
      in: place,
      ...(description && { description }),
      ...(required && { required }),
      ...(deprecated && { deprecated }),
      ...(list !== undefined && { style: listStyle(list, place), explode: list === 'multi' }),
      schema: schemas.write(schema),
      // The page fills a field with this one, and not with those of the schema.
      ...(example !== undefined && { example }),
    }),
  );
  written.push(...conditionsOf(operation));
  if (operation.body === undefined) return { parameters: written };
  const description = operation.bodyParameter?.description;
  const body = openApiBody(operation, schemas);
  const content = Object.fromEntries(bodyMediaTypes(operation).map((mediaType) => [mediaType, body]));
  return { parameters: written, requestBody: { ...(description && { description }), content, required: true } };
}

/** The conditions that these statuses answer (RFC 9110 §13.1), but for headers that the operation declares (D14). */
function conditionsOf({ method, responses, headers = {} }: Operation): OpenApiParameter[] {
  const named = method === 'GET' ? 304 : 412;
  const texts = {
    'If-Match': 412 in responses && 'Entity tags, or `*`; the answer is 412 unless what is here has one of them',
    'If-None-Match':
      named in responses && `Entity tags, or \`*\`; the answer is ${named} if what is here has one of them`,
  };
  const own = Object.keys(headers).map((name) => name.toLowerCase());
  return Object.entries(texts).flatMap(([name, description]) =>
    description === false || own.includes(name.toLowerCase())
      ? []
      : [{ name, in: 'header' as const, description, schema: { type: 'string' } }],
  );
}

/** Adds headers to the components and refers to them: `ETag`, and `ETag2` for one of this name that differs. */
function headersOf(
  headers: ResponseHeaders,
  components: Record<string, OpenApiHeader>,
  schemas: SchemaWriter,
): ReferredHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, always, ...declared }]) => {
      const required = always && { required: true as const };
      const schema = schemas.write(schemaOf(declared));
      const header: OpenApiHeader = { ...(description && { description }), ...required, schema };
      // The name of a component has fewer characters than that of a header.
      const plain = name.replace(/[^\w.-]/g, '_');
      let key = plain;
      for (let at = 2; !isDeepStrictEqual((components[key] ??= header), header); at++) key = plain + at;
      return [name, { $ref: `#/components/headers/${key}` }];
    }),
  );
}
