/**
 * Declares the body of an operation that is not JSON, with a custom reader (D74).
 *
 * The declared object has methods that check the declaration when the application is composed, and that read the body
 * of a request.
 */

import type { Context } from '../../core/http/context.ts';
import type { Limits } from '../../core/http/limits.ts';
import { isObject } from '../../core/log/thrown-value.ts';
import type { ParameterDeclaration } from '../parameters/parameter.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Keywords, Schema } from '../schema/schema.ts';

/** The key of the methods that handle the body. A registered symbol is equal in all copies of the library. */
export const ownBody: unique symbol = Symbol.for('todo-item-service body');

/** The methods that an operation calls. `declared` is the `OwnBody` that has the methods, `id` is the operationId. */
export interface BodyHandling<Value> {
  /** Throws a `TypeError` with the cause and the remedy if the declaration is wrong. */
  assert(declared: OwnBody, id: string): void;
  /** Throws a `RangeError` if the limits of the server are too small for the largest allowed body. */
  assertFits(declared: OwnBody, id: string, limits: Limits): void;
  /** Returns the reader. It rejects with an `HttpProblem`: 400, 408, 413, 415 or 503. `naming` applies to JSON. */
  reader(declared: OwnBody, naming: PropertyNaming): (context: Context) => Promise<Value>;
}

/** What a file in a form may be. The client chooses the file's media type and name, so do not trust them. */
export interface FileLimits {
  readonly type: 'file';
  /** The allowed media types, or ranges such as `image/*`. Default: all. */
  readonly mediaTypes?: readonly `${string}/${string}`[] | undefined;
  /** The maximum size in bytes. Default: the limit of the body. */
  readonly maxBytes?: number | undefined;
}

/** A file in a form. */
export interface FileDeclaration
  extends FileLimits,
    Refusing<Exclude<keyof Keywords, 'type' | 'description' | 'required'>> {
  readonly description?: string | undefined;
  /** If true, a form without the file is refused with 400. */
  readonly required?: boolean | undefined;
}

/** A list of files in a form: the files of an input with `multiple`. `items` limits each file. */
export interface FileListDeclaration
  extends Refusing<
    Exclude<keyof Keywords, FileListMember> | 'collectionFormat' | 'deprecated' | 'mediaTypes' | 'maxBytes'
  > {
  readonly type: 'array';
  readonly items: FileLimits & Refusing<Exclude<keyof Keywords, 'type'>>;
  readonly description?: string | undefined;
  /** If true, a form without a file is refused with 400. */
  readonly required?: boolean | undefined;
  /** The maximum number of files. Default: the limit of the body. */
  readonly maxItems?: number | undefined;
}
type FileListMember = 'type' | 'items' | 'description' | 'required' | 'maxItems';

/** Makes the compiler reject these members. */
type Refusing<Members extends PropertyKey> = { readonly [Member in Members]?: undefined };

/** The fields of a form by name. */
export type FormFields = Readonly<Record<string, TextDeclaration | FileDeclaration | FileListDeclaration>>;
type TextDeclaration = ParameterDeclaration & Refusing<'mediaTypes' | 'maxBytes'>;

/** True if the field has a file or a list of files. */
export const hasFiles = (field: FormFields[string]): field is FileDeclaration | FileListDeclaration =>
  field?.type === 'file' || (field?.type === 'array' && field.items?.type === 'file');

/** A body that is not JSON. `Value` is the type of the value that the handler receives. */
export interface OwnBody<Value = unknown> {
  readonly [ownBody]: BodyHandling<Value>;
  /** The media types that the body may have. */
  readonly mediaTypes: readonly string[];
  /** The fields of a form. The description lists them in this order. */
  readonly fields?: FormFields | undefined;
  /** Several bodies by media type or range. `Content-Type` chooses the body. The description lists each body. */
  readonly kinds?: Readonly<Record<string, Schema | OwnBody>> | undefined;
}

/** Returns the bodies from which `Content-Type` chooses, each with its media type. */
export const kindsOf = (body: OwnBody): readonly (readonly [type: string, body: Schema | OwnBody])[] =>
  Object.entries(body.kinds ?? {}).map(([type, kind]) => [
    type,
    isOwnBody(kind) ? { ...kind, mediaTypes: [type] } : kind,
  ]);

export const isOwnBody = (body: unknown): body is OwnBody => isObject(body) && Object.hasOwn(body, ownBody);
