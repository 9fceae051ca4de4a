/** Declares the types of a description in OpenAPI 3.1, as far as this service writes it. */
import type { DescriptionInfo } from './description-options.ts';
import type { OperationMembers, PathItem } from './path-items.ts';
import type { DescribedSchema } from './schema-writer.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: DescriptionInfo;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem<OpenApiOperation>>>;
  readonly components: OpenApiComponents;
  readonly tags: readonly { readonly name: string }[];
}

/** The schemas and headers to which operations refer. */
export interface OpenApiComponents {
  readonly schemas: Readonly<Record<string, DescribedSchema>>;
  readonly headers: Readonly<Record<string, OpenApiHeader>>;
}

/** One operation of a path. */
export interface OpenApiOperation extends OperationMembers<OpenApiResponse> {
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly description?: string; readonly content: OpenApiContent; readonly required: true };
}

/** A parameter in the path. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path';
  readonly description?: string;
  readonly required: true;
  readonly schema: { readonly type: 'string' };
}

/** Schemas by media type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema: DescribedSchema }>>;

/** One response of an operation. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader | { readonly $ref: string }>>;
  readonly content?: OpenApiContent;
}

/** One response header. */
export interface OpenApiHeader {
  readonly description?: string;
  /** Every response of the status carries the header. */
  readonly required?: true;
  readonly schema: { readonly type: 'string' };
}
