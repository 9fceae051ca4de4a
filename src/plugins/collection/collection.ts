/**
 * The entry `todo-item-service/collection`: serves the items of a store over HTTP, and declares the store's interface.
 *
 * Spread a member of `itemResponses` into the `responses` of the matching operation, after its success response. The
 * statuses of an invalid body need no declaration: the operation adds them itself.
 */

import type { Store } from './store.ts';

export { missingItem, refusedChange, removeItem, replaceItem } from './conditional-change.ts';
export { RepresentedCollection } from './represented-collection.ts';
export type { Store } from './store.ts';
export { CollectionFull, StoreError } from './store-error.ts';

const always = (description: string) => ({ type: 'string', description, always: true }) as const;

const itemEtag = { ETag: always('The entity tag of the item, for If-Match and If-None-Match') } as const;

/** Headers of replies: `one` for one item, `list` for the list, `created` for the 201 of a POST. */
export const itemHeaders = {
  one: itemEtag,
  list: { ETag: always('The entity tag of the list, for If-Match and If-None-Match') },
  created: { Location: always('URI of the new item'), ...itemEtag },
} as const;

const unchanged = 'Not modified since the ETag in If-None-Match';
const missing = { 404: { description: 'No item has this key' } } as const;
const retryAfter = { type: 'integer', description: 'Seconds to wait before the next attempt', always: true } as const;
const full = { 507: { description: 'The store is full', headers: { 'Retry-After': retryAfter } } } as const;
const remove = {
  ...missing,
  412: { description: 'If-Match does not match the ETag of the item, or If-None-Match does' },
} as const;

/**
 * Responses beside the success: `list` of a GET of the list, `read` of a GET of an item, `create` of a POST, `change`
 * of a PUT or a PATCH, `remove` of a DELETE. A POST selects no representation, so no precondition applies (D54).
 *
 *     const responses = { 200: { schema: { type: 'object' }, headers: itemHeaders.one }, ...itemResponses.read } as const;
 */
export const itemResponses = {
  list: {
    304: { description: unchanged, headers: itemHeaders.list },
    412: { description: 'If-Match does not match the ETag of the list' },
  },
  read: {
    304: { description: unchanged, headers: itemHeaders.one },
    ...missing,
    412: { description: 'If-Match does not match the ETag of the item' },
  },
  create: { 400: {}, ...full },
  change: { 400: {}, ...remove, ...full },
  remove,
} as const;

/** Returns the responses that a store adds to operations with this HTTP method, such as a 503. */
export const storeResponses = (store: Store<any>, method: string): {} => store.responses?.(method) ?? {};
