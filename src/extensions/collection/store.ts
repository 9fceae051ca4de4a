/**
 * Declares what an API needs of the place where its items are kept: five operations, each at once or with a promise,
 * and what goes with a place outside of the process.
 *
 * `RepresentedCollection` keeps items in memory and answers at once, so a request for it is answered without a promise.
 * A file, a database or a service answers with promises (D76).
 */
import type { Version } from '../../http.ts';
import type { Responses } from '../../index.ts';
import type { Representation, StreamedRepresentation } from '../../operations.ts';

type List<Value> = Representation<readonly Value[]> | StreamedRepresentation<readonly Value[]>;

/**
 * Items by their keys, in the order of their creation. A method answers a value or a native promise of it.
 *
 * - Keys are compared exactly: by code point, without folding of case or trimming.
 * - Each change is one atomic step, also for other processes: `If-Match` then refuses the second of two editors.
 * - A change gives the item a version that it never had, not even before it was removed and added again, and gives the
 *   list one too. A version that other processes or later runs read is a text, see `Version`.
 * - Each later call sees what was answered before. What is read may be the record of the item itself, which its next
 *   change renews: use it before the next `await`.
 * - A store that is full throws `CollectionFull`, a 507; one that cannot be reached throws an `HttpProblem` of 503. Any
 *   other error is a 500. After each of them nothing has changed.
 *
 * `serializer` writes the texts and `representation` makes what is answered.
 */
export interface Store<Value> {
  /** The JSON array of all items. One that is too large for one text is streamed. */
  list(): List<Value> | Promise<List<Value>>;
  /** The item with this key, undefined if there is none. */
  get(key: string): Representation<Value> | undefined | Promise<Representation<Value> | undefined>;
  /** Appends an item. The value does not change afterwards. An error if the key is taken. */
  add(key: string, value: Value): Representation<Value> | Promise<Representation<Value>>;
  /**
   * Replaces the value of an item, which keeps its place. Returns undefined and changes nothing if no item has the key,
   * or if a version is given and the item has another; a full store looks for this first. `sent` is the JSON text that
   * the value was read from, if there is one. A store may ignore it; it keeps it only if `serializer` writes the same.
   */
  replace(
    key: string,
    value: Value,
    version?: Version,
    sent?: string,
  ): Representation<Value> | undefined | Promise<Representation<Value> | undefined>;
  /** Removes an item. Returns false and changes nothing in the cases in which `replace` returns undefined. */
  remove(key: string, version?: Version): boolean | Promise<boolean>;
  /**
   * Is called before the first request, to open a file or a connection. A rejection ends the start. Where the store is
   * open already, it does nothing.
   */
  open?(): void | Promise<void>;
  /** Is called after the last request. */
  close?(): void | Promise<void>;
  /** Adds the first item of a store that has never had any; later calls add nothing, in other processes as well. */
  seed?(key: string, value: Value): void | Promise<void>;
  /** Asks whether items can be reached, for readiness. Throws an `HttpProblem` of 503 where they cannot. */
  check?(): void | Promise<void>;
  /** What operations of a method answer where this store is used, beside what they declare: a 503 for example. */
  responses?(method: string): Responses;
}
