/** Declares the types of a description in Swagger 2.0, as far as this service writes it (§2.2). */
import type { DescriptionInfo } from './description-options.ts';
import type { OperationMembers, PathItem } from './path-items.ts';
import type { DescribedSchema } from './schema-writer.ts';

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
export interface SwaggerOperation extends OperationMembers<SwaggerResponse> {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly SwaggerParameter[];
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
