/**
 * Declares a body that is not JSON: an object that brings its own reader (D74).
 *
 * `form`, `bytes` and others make such objects. The core does not know them: it asks the object to check itself
 * when routes are made, and to read the body of a request.
 */
import type { Context } from '../../message/context.ts';
import type { Limits } from '../../wire/connection/limits.ts';
import type { PropertyNaming } from '../schema/names.ts';

/** The key of its handling; a registered symbol is the same in every copy of this library. */
export const ownBody: unique symbol = Symbol.for('todo-item-service body');

/** What the core asks of such a body. `declared` is the object that was declared, `id` that of the operation. */
export interface BodyHandling<Value> {
  /** Throws a `TypeError` that names what is wrong and the remedy. */
  assert(declared: OwnBody, id: string): void;
  /** Throws a `RangeError` where a body within its limit can never be read within these limits. */
  assertFits(declared: OwnBody, id: string, limits: Limits): void;
  /** Makes what reads it; that rejects with an `HttpProblem`: 400, 408, 413, 415 or 503. `naming` is that of JSON. */
  reader(declared: OwnBody, naming: PropertyNaming): (context: Context) => Promise<Value>;
}

/** A body that is not JSON. `Value` is what the handler is given. */
export interface OwnBody<Value = unknown> {
  readonly [ownBody]: BodyHandling<Value>;
  /** What is read, as `Content-Type` names it. */
  readonly mediaTypes: readonly string[];
}

/** Tells it from a schema. */
export const isOwnBody = (body: unknown): body is OwnBody =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, ownBody);
