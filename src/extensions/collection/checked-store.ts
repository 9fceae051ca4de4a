/**
 * Checks what a store of another program answers, so that an error names the method and what to return. Without it, a
 * row of a database in place of its representation would be sent as it is, or fail far from its cause.
 */

import { after, article } from '../../extending.ts';
import { isRepresentation, isStreamed, type Representation, type StreamedRepresentation } from '../../operations.ts';
import type { Store } from './store.ts';

const METHODS = ['list', 'get', 'add', 'replace', 'remove'] as const;
const MADE = 'return what representation(text, version) makes';
const NONE = 'or undefined if there is none';

/** The store, checked. Throws a `TypeError` for one that lacks methods. */
export function checkedStore<Value>(store: Store<Value>): Store<Value> {
  const missing = METHODS.filter((name) => typeof store?.[name] !== 'function');
  if (missing.length > 0)
    throw new TypeError(`Cannot keep items in this store: it has no method ${missing.join(', ')}; give each of them`);
  return {
    list: () => after(store.list(), (list) => (isStreamedList(list) ? list : whole('list', list))),
    get: (key) => after(store.get(key), (item) => (item === undefined ? item : whole('get', item, NONE))),
    add: (key, value) => after(store.add(key, value), (item) => whole('add', item)),
    replace: (key, value, version, sent) =>
      after(store.replace(key, value, version, sent), (item) =>
        item === undefined ? item : whole('replace', item, NONE),
      ),
    remove: (key, version) =>
      after(store.remove(key, version), (isRemoved) => {
        if (typeof isRemoved === 'boolean') return isRemoved;
        throw wrong('remove', isRemoved, 'return true or false');
      }),
  };
}

const isStreamedList = <Value>(
  list: Representation<Value> | StreamedRepresentation<Value>,
): list is StreamedRepresentation<Value> =>
  isRepresentation(list) && isStreamed(list) && typeof list.stream === 'function';

function whole<Value>(method: string, answer: Representation<Value>, otherwise = ''): Representation<Value> {
  const isWhole = isRepresentation(answer) && (typeof answer.body === 'string' || Array.isArray(answer.body));
  if (isWhole) return answer;
  throw wrong(method, answer, otherwise === '' ? MADE : `${MADE}, ${otherwise}`);
}

const wrong = (method: string, answer: unknown, remedy: string): TypeError =>
  new TypeError(`The method "${method}" of the store answers ${kindOf(answer)}: ${remedy}`);

const kindOf = (answer: unknown): string =>
  answer === undefined ? 'nothing' : answer === null ? 'null' : `${article(typeof answer)} that is no representation`;
