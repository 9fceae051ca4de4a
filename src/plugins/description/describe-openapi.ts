/**
 * Describes routes in OpenAPI 3.1, for generators that no longer read Swagger 2.0. In 3.1, each response lists its own
 * media types, so errors can have the schema `Problem` under `application/problem+json` (D10, D14).
 */
import { isDeepStrictEqual } from 'node:util';
import type { Route } from '../../core/routing/route.ts';
import type { Operation, ResponseHeaders } from '../../operations/operation/operation.ts';
import { RFC_9457 } from '../../operations/operation/problems.ts';
import { canRepeat, type SentPlace, schemaOf } from '../../operations/parameters/parameter.ts';
import { responsesOf } from '../../operations/routes/responses-of.ts';
import { partsOf } from '../../operations/schema/assert-schema.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import { branchesOf, definitionName, type Schema } from '../../operations/schema/schema.ts';
import { type DescribedOperation, describedOperations, namingOf } from './described-operations.ts';
import {
  type Content,
  type DescribedBody,
  type DescribedDocument,
  type DescribedResponse,
  type DescribedSchema,
  type DescribedScheme,
  type DescribedTag,
  type DescriptionInfo,
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
import { type SchemaWriter, type Sides, schemaWriter } from './schema-writer.ts';

/** A description in OpenAPI 3.1. Operations refer to the schemas, headers and security schemes of `components`. */
export interface OpenApiDocument extends DescribedDocument {
  readonly openapi: '3.1.0';
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly DescribedTag[];
  readonly components: {
    readonly schemas: Readonly<Record<string, DescribedSchema>>;
    readonly headers: Readonly<Record<string, DescribedSchema>>;
    readonly securitySchemes?: Readonly<Record<string, DescribedScheme>>;
  };
}

/**
 * Returns the description of all routes that have an operation. Throws the errors of `describe`, and an `Error` if a
 * declared schema has the name `Problem` but differs from the schema of problems.
 */
export function describeOpenApi(routes: Iterable<Route>, options: DescriptionOptions): OpenApiDocument {
  const components: Record<string, DescribedSchema> = {};
  const operations = describedOperations(routes);
  const definitions: Record<string, DescribedSchema> = {};
  const sides = namedSides(operations);
  const writerOn = (side: 'body' | 'reply') =>
    openApiSchemas(options, namingOf(operations), definitions, new Set([side]), sides);
  const [bodySchemas, replySchemas] = [writerOn('body'), writerOn('reply')];
  // The members of a problem are in camelCase, even if the application uses another property naming.
  const problemSchemas = openApiSchemas(options, 'camelCase', definitions);
  const problems = operations.find((described) => described.problems !== undefined)?.problems ?? RFC_9457;
  const responseOf = ({ status, description, headers, bodies }: DescribedResponse): ResponseObject => {
    const content =
      status >= 400
        ? contentOf([{ ...problems, example: undefined }], problemSchemas)
        : contentOf(bodies, replySchemas);
    const written = headers && headersOf(headers, components, replySchemas);
    return present({ description, headers: written, content: unlessEmpty(content) });
  };
  const input = (described: DescribedOperation) => inputOf(described, bodySchemas);
  const paths = pathItems(operations, options, input, responseOf, ({ roles }) => roles);
  const securitySchemes = unlessEmpty(schemesOf(operations, ({ kind }) => present({ ...kind })));
  return {
    openapi: '3.1.0',
    info: openApiInfo(options),
    servers: [{ url: options.basePath || '/' }],
    paths,
    components: present({ schemas: definitions, headers: components, securitySchemes }),
    tags:
      describedTags(routes, options) ??
      [...new Set(operations.map(({ controller }) => controller.name))].map((name) => ({ name })),
  };
}

/** Returns the sides of each named schema: one in a body can also be in a reply. */
function namedSides(operations: readonly DescribedOperation[]): ReadonlyMap<string, Sides> {
  const found = new Map<string, Set<'body' | 'reply'>>();
  const visit = (side: 'body' | 'reply', schema: Schema | undefined): void => {
    if (schema === undefined) return;
    const name = schema[definitionName];
    if (name !== undefined) found.set(name, (found.get(name) ?? new Set()).add(side));
    for (const [, part] of partsOf(schema)) visit(side, part);
  };
  for (const described of operations) {
    for (const { schema } of described.inputs) visit('body', schema);
    for (const { schema } of Object.values(responsesOf(described))) visit('reply', schema);
  }
  return found;
}

/** Returns a writer in which null is a type (D5). The last parameters are those of `schemaWriter`. */
export function openApiSchemas(
  options: DescriptionOptions,
  naming: PropertyNaming,
  definitions?: Record<string, DescribedSchema>,
  sides?: Sides,
  namedSides?: ReadonlyMap<string, Sides>,
): SchemaWriter {
  const writer = schemaWriter(describe, '#/components/schemas/', options, naming, definitions, sides, namedSides);

  function describe(schema: Schema): DescribedSchema {
    const { $ref, oneOf, allOf, discriminator, 'x-nullable': isNullable } = schema;
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
    const parts = (oneOf ?? allOf ?? []).map((part) => writer.write(part));
    if ($ref === undefined && oneOf === undefined && allOf === undefined)
      return writer.typed(schema, valuesOf(schema), { minimum, maximum, exclusiveMinimum, exclusiveMaximum });
    const annotations = writer.annotations(schema);
    const choice = {
      oneOf: parts,
      ...(discriminator && { discriminator: discriminatorOf(schema, discriminator.propertyName) }),
    };
    const whole = $ref !== undefined ? writer.referenceTo($ref) : allOf !== undefined ? { allOf: parts } : choice;
    // In oneOf, null would match both this branch and a branch that allows null.
    if (isNullable) return { ...annotations, anyOf: [whole, { type: 'null' }] };
    return $ref === undefined ? { ...annotations, ...whole } : { ...whole, ...annotations };
  }

  function discriminatorOf(schema: Schema, property: string): object {
    const branches = Array.from(branchesOf(schema), ([value, branch]) => [value, branch[definitionName]!] as const);
    const mapping = Object.fromEntries(branches.map(([value, name]) => [value, writer.referenceTo(name).$ref]));
    return { propertyName: writer.spelledName(property), mapping };
  }

  return writer;
}

/** Returns `type`, and `const` or `enum`. If null is allowed, `enum` must contain null too. */
function valuesOf({ type, const: only, enum: values, 'x-nullable': isNullable }: Schema): DescribedSchema {
  if (!isNullable) return { type, ...(only !== undefined ? { const: only } : { enum: values }) };
  const allowed = only === undefined ? values : [only];
  return { type: [type, 'null'], enum: allowed && [...allowed, null] };
}

const contentOf = (bodies: readonly DescribedBody[], schemas: SchemaWriter): Content =>
  Object.fromEntries(
    bodies.map(({ mediaType, schema, example }) => [
      mediaType,
      present({ schema: schema === undefined ? {} : schemas.write(schema), example }),
    ]),
  );

/** Returns `info`. In 3.1 `termsOfService` must be a URL, so any other text is appended to `description`. */
function openApiInfo(options: DescriptionOptions): DescriptionInfo {
  const { description, termsOfService } = options;
  if (!termsOfService || URL.canParse(termsOfService)) return infoOf(options);
  const texts = [description, `Terms of service: ${termsOfService}`];
  return infoOf({ ...options, termsOfService: undefined, description: texts.filter(Boolean).join('\n\n') });
}

function inputOf({ operation, parameters, inputs }: DescribedOperation, schemas: SchemaWriter) {
  const declared = parameters.map((parameter) => {
    const { name, in: place, description, required, deprecated, list } = parameter;
    // The example is moved from the schema to the parameter, because Swagger UI fills its input fields only from there.
    const { example, ...schema } = parameter.schema;
    const marks = { description: description || undefined, required, deprecated };
    const written = { name, in: place, ...marks, ...listFormat(list, place), schema: schemas.write(schema), example };
    return present(written) as ParameterObject;
  });
  const written = [...declared, ...conditionsOf(operation)];
  if (operation.body === undefined) return { parameters: written };
  const bodies = inputs.flatMap(({ mediaTypes, schema, fields }) => {
    const body = fields ? formOf(fields, schemas) : { schema: schemas.write(schema!) };
    return mediaTypes.map((mediaType) => [mediaType, body] as const);
  });
  const content = Object.fromEntries(bodies);
  const description = operation.bodyParameter?.description || undefined;
  return { parameters: written, requestBody: present({ description, content, required: true }) };
}

/** Returns the conditional headers of a 304 or 412, unless the operation declares them (D14, RFC 9110 §13.1). */
function conditionsOf({ method, responses, headers = {} }: Operation): ParameterObject[] {
  const declared = Object.keys(headers).map((name) => name.toLowerCase());
  const conditions = [
    ['If-Match', 412, 'is not'],
    ['If-None-Match', method === 'GET' ? 304 : 412, 'is'],
  ] as const;
  return conditions
    .filter(([name, status]) => status in responses && !declared.includes(name.toLowerCase()))
    .map(([name, status, verb]) => {
      const description = `Entity tags, or \`*\`. The response is ${status} if the current entity tag ${verb} among them.`;
      return { name, in: 'header', description, schema: { type: 'string' } };
    });
}

/** Returns references to headers in the components. A second, different `ETag` is named `ETag2`. */
function headersOf(
  headers: ResponseHeaders,
  components: Record<string, DescribedSchema>,
  schemas: SchemaWriter,
): NonNullable<ResponseObject['headers']> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, always, ...declared }]) => {
      const schema = schemas.write(schemaOf(declared));
      const required = always ? (true as const) : undefined;
      const header = present({ description: description || undefined, required, schema });
      // Component names allow fewer characters than header names.
      const plain = name.replace(/[^\w.-]/g, '_');
      let key = plain;
      for (let at = 2; !isDeepStrictEqual((components[key] ??= header), header); at++) key = plain + at;
      return [name, { $ref: `#/components/headers/${key}` }];
    }),
  );
}

function formOf(fields: NonNullable<DescribedOperation['inputs'][number]['fields']>, schemas: SchemaWriter): object {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = fields.map(({ name, description, deprecated, schema }) => [
    name,
    present({ ...schemas.write(schema), ...(description && { description }), deprecated }),
  ]);
  const encoding = fields.map(({ name, list, mediaTypes }): [string, object] => [
    name,
    mediaTypes === undefined ? listFormat(list, 'formData') : { contentType: mediaTypes },
  ]);
  return present({
    schema: { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(properties) },
    encoding: unlessEmpty(Object.fromEntries(encoding.filter(([, members]) => unlessEmpty(members)))),
  });
}

/** Returns the list format. The style of comma-separated values is `form` in queries and forms, `simple` elsewhere. */
function listFormat(
  list: string | undefined,
  place: SentPlace,
): { readonly style?: string; readonly explode?: boolean } {
  if (list === undefined) return {};
  const style = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' }[list] ?? (canRepeat(place) ? 'form' : 'simple');
  return { style, explode: list === 'multi' };
}
