/** The shape of a description in OpenAPI 3.1, as far as this service writes it. */

import type { PathItem } from './described-paths.ts';
import type { DescribedSchema } from './described-schema.ts';
import type { DescriptionInfo } from './description-options.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: DescriptionInfo;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem<OpenApiOperation>>>;
  readonly components: OpenApiComponents;
  readonly tags: readonly { readonly name: string }[];
}

/** What operations refer to. */
export interface OpenApiComponents {
  readonly schemas: Readonly<Record<string, DescribedSchema>>;
  readonly headers: Readonly<Record<string, OpenApiHeader>>;
}

/** One operation of a path. */
export interface OpenApiOperation {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly description?: string; readonly content: OpenApiContent; readonly required: true };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly deprecated: false;
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
  /** Every response carries it. */
  readonly required?: true;
  readonly schema: { readonly type: 'string' };
}
