/**
 * Answers requests that cannot change a collection: no such item, a failed precondition (RFC 9110 §13.2.2), no room.
 */

import { after } from '../../extending.ts';
import { entityTag, matches, noneMatch } from '../../http.ts';
import { type Context, notFound, preconditionFailed, problem, type Reply } from '../../index.ts';
import type { Representation } from '../../operations.ts';
import { CollectionFull } from './store-error.ts';

/** The answer 404 for a key that no item has. */
export const missingItem = (key: string): Reply<404, never> => notFound(`No item has the key "${key}"`);

/**
 * Returns the answer to a request that must not change the item with this key: 404, or 412 if `If-Match` or
 * `If-None-Match` fails. Returns undefined if the change is allowed. `replaceItem` and `removeItem` ask this already.
 * Call it where more is to be checked, for a collection in memory: after the body has been read, and change the item
 * before the next `await`, so that no other request comes between (D4).
 */
export const refusedChange = (
  items: { get(key: string): Representation<unknown> | undefined },
  key: string,
  context: Context,
): Reply<404, never> | Reply<412, never> | undefined => refusalOf(items.get(key), key, context);

/** The same for an item that has been read. */
export function refusalOf(
  item: Representation<unknown> | undefined,
  key: string,
  { headers }: Context,
): Reply<404, never> | Reply<412, never> | undefined {
  if (item === undefined) return missingItem(key);
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  const etag = entityTag(item.version);
  return matches(ifMatch, etag) && noneMatch(ifNoneMatch, etag)
    ? undefined
    : preconditionFailed('The item is not what If-Match or If-None-Match asks for; read it again');
}

/** The answer of `change`, or 507 with `Retry-After` if the store is full. Nothing has changed then. */
export function unlessFull<Change>(
  change: () => Change | Promise<Change>,
): Change | Reply<507, never> | Promise<Change | Reply<507, never>> {
  try {
    return after<Change, Change | Reply<507, never>>(change(), unchanged, full);
  } catch (error) {
    return full(error);
  }
}

const unchanged = <Change>(answer: Change): Change => answer;

function full(error: unknown): Reply<507, never> {
  if (!(error instanceof CollectionFull)) throw error;
  return problem(507, error.message, { headers: { 'Retry-After': '60' } });
}
