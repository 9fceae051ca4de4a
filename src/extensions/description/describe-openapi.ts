/**
 * Describes routes in OpenAPI 3.1, for generators that no longer read Swagger 2.0.
 *
 * A response has its own media types here, so errors have the schema `Problem` under `application/problem+json`
 * (D10, D14). Headers stand once, among the components.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Operation, Route, Schema } from '../../index.ts';
import {
  branchesOf,
  canRepeat,
  definitionName,
  type ParameterPlace,
  PROBLEM,
  type ResponseHeaders,
  type SentPlace,
  schemaOf,
} from '../../operations.ts';
import { type FormBody, fileFields } from '../uploads/upload.ts';
import {
  bodyMediaTypes,
  bodySchema,
  type DescribedBody,
  type DescribedOperation,
  describedOperations,
  formFields,
} from './described-operation.ts';
import {
  type DescribedScheme,
  type DescriptionInfo,
  type DescriptionOptions,
  infoOf,
  type OperationMembers,
  type PathItem,
  pathItems,
  present,
  schemesOf,
} from './document.ts';
import { type DescribedSchema, type Parts, SchemaWriter } from './schema-writer.ts';

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
  const schemas = new OpenApiSchemas(options);
  const components: Record<string, OpenApiHeader> = {};
  const operations = describedOperations(routes);
  // The members of a problem keep their spelling under every naming.
  const problems = new OpenApiSchemas({ ...options, naming: 'camelCase' }, schemas.definitions);
  const { mediaType, schema } = options.problems ?? { mediaType: 'application/problem+json', schema: PROBLEM };
  const paths = pathItems(operations, options, {
    input: (described) => inputOf(described, schemas),
    response({ status, description, headers, bodies }): OpenApiResponse {
      const content = status >= 400 ? { [mediaType]: { schema: problems.write(schema) } } : contentOf(bodies, schemas);
      return present({
        description,
        headers: headers && headersOf(headers, components, schemas),
        content: Object.keys(content).length > 0 ? content : undefined,
      });
    },
    roles: (roles) => roles,
  });
  const securitySchemes = schemesOf(operations, ({ kind }) => ({ ...kind }));
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
      present({ schema: schema === undefined ? {} : schemas.write(schema), example }),
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
  const written = parameters.map((parameter): OpenApiParameter => {
    const { name, in: place, description, required, deprecated, list } = parameter;
    const { example, ...schema } = parameter.schema;
    return present({
      name,
      in: place,
      description: description || undefined,
      required: required || undefined,
      deprecated: deprecated || undefined,
      style: list && listStyle(list, place),
      explode: list && list === 'multi',
      schema: schemas.write(schema),
      // The page fills a field with this one, and not with those of the schema.
      example,
    }) as OpenApiParameter;
  });
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
      const schema = schemas.write(schemaOf(declared));
      const required = always ? (true as const) : undefined;
      const header: OpenApiHeader = present({ description: description || undefined, required, schema });
      // The name of a component has fewer characters than that of a header.
      const plain = name.replace(/[^\w.-]/g, '_');
      let key = plain;
      for (let at = 2; !isDeepStrictEqual((components[key] ??= header), header); at++) key = plain + at;
      return [name, { $ref: `#/components/headers/${key}` }];
    }),
  );
}

/** A body of 3.1. `encoding` says how fields of a form are written, and the media types of its files. */
export interface OpenApiBody {
  readonly schema: DescribedSchema;
  readonly example?: unknown;
  readonly encoding?: Readonly<Record<string, Encoding>>;
}

type Encoding = Readonly<Record<string, unknown>>;

/** The body of an operation that has one: a form is an object there. */
export function openApiBody(operation: Operation, schemas: SchemaWriter): OpenApiBody {
  const fields = formFields(operation);
  if (fields === undefined) return { schema: schemas.write(bodySchema(operation)!) };
  const required = fields.flatMap((field) => (field.required ? [field.name] : []));
  const properties = fields.map(({ name, description, deprecated, schema }) => [
    name,
    { ...schemas.write(schema), ...(description && { description }), ...(deprecated && { deprecated }) },
  ]);
  const files = new Map(fileFields((operation.body as FormBody).fields));
  const encoding = fields.flatMap(({ name, list }): (readonly [string, Encoding])[] => {
    const contentType = files.get(name)?.mediaTypes?.join(', ');
    if (contentType !== undefined) return [[name, { contentType }]];
    return list === undefined ? [] : [[name, { style: listStyle(list, 'formData'), explode: list === 'multi' }]];
  });
  return {
    schema: { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(properties) },
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
}

/** The style of a list: comma-separated values are `form` in a query and in a form, and `simple` elsewhere. */
export const listStyle = (list: string, place: SentPlace): string =>
  ({ ssv: 'spaceDelimited', pipes: 'pipeDelimited' })[list] ?? (canRepeat(place) ? 'form' : 'simple');

/** Writes schemas of 3.1, which has null as a type: `["string", "null"]` (D5). */
export class OpenApiSchemas extends SchemaWriter {
  protected referenceTo(name: string) {
    return { $ref: `#/components/schemas/${name}` };
  }

  protected example(value: unknown): DescribedSchema {
    return { examples: [value] };
  }

  protected override annotations(schema: Schema): DescribedSchema {
    return { ...super.annotations(schema), ...(schema.writeOnly && { writeOnly: true }) };
  }

  protected required({ required = [] }: Schema): readonly string[] {
    return required;
  }

  /** Where null is allowed, it has to be one of the values. */
  protected values({ type, const: only, enum: values, 'x-nullable': isNullable }: Schema): DescribedSchema {
    if (!isNullable) return { type, ...(only !== undefined ? { const: only } : values && { enum: values }) };
    const allowed = only === undefined ? values : [only];
    return { type: [type, 'null'], ...(allowed !== undefined && { enum: [...allowed, null] }) };
  }

  protected range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): DescribedSchema {
    return { minimum, maximum, exclusiveMinimum, exclusiveMaximum };
  }

  protected reference(schema: Schema, name: string): DescribedSchema {
    const [reference, beside] = [this.referenceTo(name), this.annotations(schema)];
    return schema['x-nullable'] === true ? orNull(beside, reference) : { ...reference, ...beside };
  }

  protected joined(schema: Schema, _: readonly Schema[], allOf: Parts): DescribedSchema {
    const annotations = this.annotations(schema);
    return schema['x-nullable'] === true ? orNull(annotations, { allOf }) : { ...annotations, allOf };
  }

  protected choice(schema: Schema, _: readonly Schema[], parts: Parts): DescribedSchema {
    const { discriminator } = schema;
    const mapping = Array.from(branchesOf(schema), ([value, branch]) => [
      value,
      this.referenceTo(branch[definitionName]!).$ref,
    ]);
    return {
      ...this.annotations(schema),
      oneOf: schema['x-nullable'] === true ? [...parts, { type: 'null' }] : parts,
      ...(discriminator !== undefined && {
        discriminator: {
          propertyName: this.spelled(discriminator.propertyName),
          mapping: Object.fromEntries(mapping) as Readonly<Record<string, string>>,
        },
      }),
    };
  }
}

const orNull = (annotations: DescribedSchema, written: DescribedSchema): DescribedSchema => ({
  ...annotations,
  anyOf: [written, { type: 'null' }],
});
