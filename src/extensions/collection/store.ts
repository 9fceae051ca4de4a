/**
 * Declares what an API needs of the place where its items are kept, and checks it: five operations, each at once or
 * with a promise, and what goes with a place outside of the process (D76).
 */
import { after } from '../../core/message/after.ts';
import {
  isRepresentation,
  type Representation,
  type StreamedRepresentation,
  type Version,
} from '../../core/message/representation.ts';
import { article } from '../../core/options/assert-options.ts';
import type { Responses } from '../../operations/operation/operation.ts';

/** A value, at once or with a promise. */
export type Later<Value> = Value | Promise<Value>;

type List<Value> = Representation<readonly Value[]> | StreamedRepresentation<readonly Value[]>;

/**
 * Items by their keys, in the order of their creation. A method answers a value or a native promise of it.
 *
 * - Keys are compared exactly: by code point, without folding of case or trimming.
 * - Each change is one atomic step, also for other processes: `If-Match` then refuses the second of two editors.
 * - A change gives the item a version that it never had, not even before it was removed and added again, and gives the
 *   list one too. A version names the same in every process and every run, see `Version`.
 * - Each later call sees what was answered before. What is read may be the record of the item itself, which its next
 *   change renews: use it before the next `await`.
 * - A store that is full throws `CollectionFull`, a 507; one that cannot be reached throws an `HttpProblem` of 503. Any
 *   other error is a 500. After each of them nothing has changed.
 *
 * `serializer` writes the texts and `representation` makes what is answered.
 */
export interface Store<Value> {
  /** The JSON array of all items. One that is too large for one text is streamed. */
  list(): Later<List<Value>>;
  /** The item with this key, undefined if there is none. */
  get(key: string): Later<Representation<Value> | undefined>;
  /** Appends an item. The value does not change afterwards. An error if the key is taken. */
  add(key: string, value: Value): Later<Representation<Value>>;
  /**
   * Replaces the value of an item, which keeps its place. Returns undefined and changes nothing if no item has the key,
   * or if a version is given and the item has another; a full store looks for this first.
   */
  replace(key: string, value: Value, version?: Version): Later<Representation<Value> | undefined>;
  /** Removes an item. Returns false and changes nothing in the cases in which `replace` returns undefined. */
  remove(key: string, version?: Version): Later<boolean>;
  /** Is called before the first request. A rejection ends the start. Where the store is open, it does nothing. */
  open?(): Later<void>;
  /** Is called after the last request. */
  close?(): Later<void>;
  /** Adds the first item of a store that has never had any; later calls add nothing, in other processes as well. */
  seed?(key: string, value: Value): Later<void>;
  /** Asks whether items can be reached, for readiness. Throws an `HttpProblem` of 503 where they cannot. */
  check?(): Later<void>;
  /** What operations of a method answer where this store is used, beside what they declare: a 503 for example. */
  responses?(method: string): Responses;
}

/**
 * A store of another program, whose answers are checked, so that an error names the method and what to return: a row of
 * a database would be sent as it is, or fail far from its cause. Throws a `TypeError` for one that lacks methods.
 */
export function checkedStore<Value>(store: Store<Value>): Store<Value> {
  const methods = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];
  const missing = methods.filter((name) => typeof store?.[name] !== 'function');
  if (missing.length > 0)
    throw new TypeError(`Cannot keep items in this store: it has no method ${missing.join(', ')}; give each of them`);
  const checked = methods.map((name) => {
    const answer = (...words: never[]) => (store[name] as (...words: never[]) => unknown).apply(store, words);
    return [name, (...words: never[]) => after(answer(...words), (given) => checkedAnswer(name, given))];
  });
  return Object.fromEntries(checked);
}

const isWhole = (answer: unknown): boolean =>
  isRepresentation(answer) && 'body' in answer && typeof answer.body === 'string';
const isStream = (answer: unknown): boolean =>
  isRepresentation(answer) && 'stream' in answer && typeof answer.stream === 'function';

const MADE = 'return what representation(text, version) makes';
const itemOrNone = {
  isRight: (answer: unknown) => answer === undefined || isWhole(answer),
  remedy: `${MADE}, or undefined if there is none`,
};
/** What each method answers. */
const ANSWERS = {
  list: { isRight: (answer: unknown) => isWhole(answer) || isStream(answer), remedy: MADE },
  get: itemOrNone,
  add: { isRight: isWhole, remedy: MADE },
  replace: itemOrNone,
  remove: { isRight: (answer: unknown) => typeof answer === 'boolean', remedy: 'return true or false' },
};

function checkedAnswer(method: keyof typeof ANSWERS, answer: unknown): unknown {
  const { isRight, remedy } = ANSWERS[method];
  if (isRight(answer)) return answer;
  const kind =
    answer === undefined ? 'nothing' : answer === null ? 'null' : `${article(typeof answer)} that is no representation`;
  throw new TypeError(`The method "${method}" of the store answers ${kind}: ${remedy}`);
}
