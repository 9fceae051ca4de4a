/**
 * Declares the interface of a store, and checks the results of stores that users implement. A store has five required
 * methods, and optional methods for items outside the process. They may be synchronous or asynchronous (D76).
 */
import { after } from '../../core/http/after.ts';
import {
  isRepresentation,
  type Representation,
  type StreamedRepresentation,
  type Version,
} from '../../core/http/representation.ts';
import { article } from '../../core/options/assert-options.ts';
import type { Responses } from '../../operations/operation/operation.ts';

export type Later<Value> = Value | Promise<Value>;

type List<Value> = Representation<readonly Value[]> | StreamedRepresentation<readonly Value[]>;

/**
 * A store keeps items by key, in the order of their creation. Implement it to serve items from your own database. Each
 * method returns its result or a native promise of it. The rules:
 *
 * - Keys are compared exactly, by code point, without case folding or trimming.
 * - Each change is atomic, also for other processes. Otherwise two clients with the same `If-Match` could both change
 *   the item.
 * - Each change gives the item and the list a new version. An item never has the same version twice, not even after it
 *   was removed and added again. A version means the same text in all processes and after each restart, see `Version`.
 * - Each call sees the changes of all calls that have returned before. The store may change a returned item later, so
 *   callers use it before the next `await`.
 * - A full store throws `CollectionFull`, which becomes a 507. A store that cannot be reached throws an `HttpProblem`
 *   with status 503. Any other error becomes a 500. A method that throws has changed nothing.
 *
 * Serialize the values with `serializer`, and make each result with `representation`.
 */
export interface Store<Value> {
  /** Returns the JSON array of all items, as a stream if it is too large for one text. */
  list(): Later<List<Value>>;
  /** Returns the item with this key, or undefined if no item has it. */
  get(key: string): Later<Representation<Value> | undefined>;
  /** Appends an item. The caller does not change `value` afterwards. Throws if another item has the key. */
  add(key: string, value: Value): Later<Representation<Value>>;
  /**
   * Replaces the value of an item; the item keeps its position. Returns undefined and changes nothing if no item has
   * the key, or if the item has another version than `version`. A full store throws only if the item could be replaced.
   */
  replace(key: string, value: Value, version?: Version): Later<Representation<Value> | undefined>;
  /** Removes an item. Returns false and changes nothing in the cases in which `replace` returns undefined. */
  remove(key: string, version?: Version): Later<boolean>;
  /** Called before the first request. An error stops the start. Does nothing if the store is open. */
  open?(): Later<void>;
  /** Called after the last request. */
  close?(): Later<void>;
  /** Adds an item if the store has never had an item. Later calls add nothing, also in other processes. */
  seed?(key: string, value: Value): Later<void>;
  /** Finds a loss that no request has found. Throws an `HttpProblem` with status 503 if items cannot be changed. */
  check?(): Later<void>;
  /** Returns the responses that this store adds to operations with this HTTP method, for example a 503. */
  responses?(method: string): Responses;
}

/**
 * Wraps a user's store and checks its results. A method that returns a wrong result, such as a plain database row,
 * throws an error with the name of the method and the remedy. Throws a `TypeError` if the store lacks a method.
 */
export function checkedStore<Value>(store: Store<Value>): Store<Value> {
  const methods = Object.keys(RESULTS) as (keyof typeof RESULTS)[];
  const missing = methods.filter((name) => typeof store?.[name] !== 'function');
  if (missing.length > 0)
    throw new TypeError(`Cannot keep items in this store: it lacks ${missing.join(', ')}; implement these methods`);
  const checked = methods.map((name) => {
    const call = (...values: never[]) => (store[name] as (...values: never[]) => unknown).apply(store, values);
    return [name, (...values: never[]) => after(call(...values), (result) => checkedResult(name, result))];
  });
  return { ...Object.fromEntries(checked), responses: (method) => store.responses?.(method) ?? {} };
}

const isWhole = (result: unknown): boolean =>
  isRepresentation(result) && 'body' in result && typeof result.body === 'string';
const isStream = (result: unknown): boolean =>
  isRepresentation(result) && 'stream' in result && typeof result.stream === 'function';

const REMEDY = 'return the result of representation(text, version)';
const itemOrUndefined = {
  isRight: (result: unknown) => result === undefined || isWhole(result),
  remedy: `${REMEDY}, or undefined without an item`,
};
/** The check of each method's result, and the remedy for a wrong result. */
const RESULTS = {
  list: { isRight: (result: unknown) => isWhole(result) || isStream(result), remedy: REMEDY },
  get: itemOrUndefined,
  add: { isRight: isWhole, remedy: REMEDY },
  replace: itemOrUndefined,
  remove: { isRight: (result: unknown) => typeof result === 'boolean', remedy: 'return true or false' },
};

function checkedResult(method: keyof typeof RESULTS, result: unknown): unknown {
  const { isRight, remedy } = RESULTS[method];
  if (isRight(result)) return result;
  const isAbsent = result === undefined || result === null;
  const kind = isAbsent ? String(result) : `${article(typeof result)} that is not a representation`;
  throw new TypeError(`The method "${method}" of the store returns ${kind}; ${remedy}`);
}
