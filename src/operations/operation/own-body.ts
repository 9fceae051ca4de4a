/**
 * Declares a body that is not JSON: an object that brings its own reader (D74).
 *
 * The operation asks the object to check itself when the application is composed, and to read the body of a request.
 */
import { isObject } from '../../core/log/thrown-value.ts';
import type { Context } from '../../core/message/context.ts';
import type { Limits } from '../../core/wire/connection/limits.ts';
import type { ParameterDeclaration } from '../parameters/parameter.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Keywords, Schema } from '../schema/schema.ts';

/** The key of its handling; a registered symbol is the same in every copy of this library. */
export const ownBody: unique symbol = Symbol.for('todo-item-service body');

/** What an operation asks of such a body. `declared` is the object that was declared, `id` that of the operation. */
export interface BodyHandling<Value> {
  /** Throws a `TypeError` that names what is wrong and the remedy. */
  assert(declared: OwnBody, id: string): void;
  /** Throws a `RangeError` where a body within its limit can never be read within these limits. */
  assertFits(declared: OwnBody, id: string, limits: Limits): void;
  /** Makes what reads it; that rejects with an `HttpProblem`: 400, 408, 413, 415 or 503. `naming` is that of JSON. */
  reader(declared: OwnBody, naming: PropertyNaming): (context: Context) => Promise<Value>;
}

/** A file of a form. The client states its media type and its name; the bytes alone prove what it is. */
export interface FileDeclaration extends Refusing<Exclude<keyof Keywords, 'type' | 'description' | 'required'>> {
  readonly type: 'file';
  readonly description?: string | undefined;
  /** The request is answered 400 without it. */
  readonly required?: boolean | undefined;
  /** Media types or ranges such as `image/*`. Default: any. */
  readonly mediaTypes?: readonly `${string}/${string}`[] | undefined;
  /** In bytes. Default: what the body may have. */
  readonly maxBytes?: number | undefined;
}

/** Members that the compiler refuses. */
type Refusing<Members extends PropertyKey> = { readonly [Member in Members]?: undefined };

/** Fields by name. */
export type FormFields = Readonly<
  Record<string, (ParameterDeclaration & Refusing<'mediaTypes' | 'maxBytes'>) | FileDeclaration>
>;

/** A body that is not JSON. `Value` is the type of the value that the handler receives. */
export interface OwnBody<Value = unknown> {
  readonly [ownBody]: BodyHandling<Value>;
  /** What is read, as `Content-Type` names it. */
  readonly mediaTypes: readonly string[];
  /** The fields of a form, in their order. The description lists them. */
  readonly fields?: FormFields | undefined;
  /** The bodies among which the `Content-Type` chooses, by media type or range. The description lists each. */
  readonly kinds?: Readonly<Record<string, Schema | OwnBody>> | undefined;
}

/** The bodies among which the `Content-Type` chooses, each with its media type. */
export const kindsOf = (body: OwnBody): readonly (readonly [type: string, body: Schema | OwnBody])[] =>
  Object.entries(body.kinds ?? {}).map(([type, kind]) => [
    type,
    isOwnBody(kind) ? { ...kind, mediaTypes: [type] } : kind,
  ]);

/** Tells it from a schema. */
export const isOwnBody = (body: unknown): body is OwnBody => isObject(body) && Object.hasOwn(body, ownBody);
