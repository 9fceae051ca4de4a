/** The shape of a description in format version 2.0, as far as this service writes it (§2.2). */

import type { PathItem } from './described-paths.ts';
import type { DescribedSchema } from './described-schema.ts';
import type { DescriptionInfo } from './description-options.ts';

/** A Swagger 2.0 document. */
export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: DescriptionInfo;
  readonly basePath: string;
  readonly paths: Readonly<Record<string, PathItem<SwaggerOperation>>>;
  readonly definitions: Readonly<Record<string, DescribedSchema>>;
  readonly securityDefinitions: Readonly<Record<string, never>>;
}

/** One operation of a path. */
export interface SwaggerOperation {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly SwaggerParameter[];
  readonly responses: Readonly<Record<string, SwaggerResponse>>;
  readonly deprecated: false;
}

/** A parameter in the path, or the body. */
export interface SwaggerParameter {
  readonly name: string;
  readonly in: 'path' | 'body';
  readonly description: string;
  readonly required: true;
  readonly type?: 'string';
  readonly schema?: DescribedSchema;
}

/** One response of an operation. */
export interface SwaggerResponse {
  readonly description: string;
  readonly schema?: DescribedSchema;
  readonly headers?: Readonly<Record<string, { readonly type: 'string'; readonly description?: string }>>;
}
