/**
 * The entry `todo-item-service/collection`: serves the items of a store over HTTP, and declares the store's interface.
 *
 * Spread a `…Responses` constant into the `responses` of the matching operation, after its success response. The
 * statuses of an invalid body need no declaration: the operation adds them itself.
 */

import type { Store } from './store.ts';

export { missingItem, refusedChange, removeItem, replaceItem, unlessFull } from './conditional-change.ts';
export { RepresentedCollection } from './represented-collection.ts';
export type { Store } from './store.ts';
export { CollectionFull, StoreError } from './store-error.ts';

const always = (description: string) => ({ type: 'string', description, always: true }) as const;

/** Headers of a reply to a request that reads or changes one item. */
export const itemEtag = { ETag: always('The entity tag of the item, for If-Match and If-None-Match') } as const;
/** Headers of a reply with the list. */
export const listEtag = { ETag: always('The entity tag of the list, for If-Match and If-None-Match') } as const;
/** Headers of the 201 of a POST: the URI of the new item and its ETag. */
export const createdHeaders = { Location: always('URI of the new item'), ...itemEtag } as const;

const unchanged = 'Not modified since the ETag in If-None-Match';
const missing = { 404: { description: 'No item has this key' } } as const;
const retryAfter = { type: 'integer', description: 'Seconds to wait before the next attempt', always: true } as const;
const full = { 507: { description: 'The store is full', headers: { 'Retry-After': retryAfter } } } as const;

/** Returns the responses that a store adds to operations with this HTTP method, such as a 503. */
export const storeResponses = (store: Store<any>, method: string): {} => store.responses?.(method) ?? {};

/** Responses of a GET of the list. */
export const listResponses = {
  304: { description: unchanged, headers: listEtag },
  412: { description: 'If-Match does not match the ETag of the list' },
} as const;
/**
 * Responses of a GET of an item.
 *
 *     const responses = { 200: { schema: { type: 'object' }, headers: itemEtag }, ...readResponses } as const;
 */
export const readResponses = {
  304: { description: unchanged, headers: itemEtag },
  ...missing,
  412: { description: 'If-Match does not match the ETag of the item' },
} as const;
/** Responses of a POST of an item. A POST selects no representation, so no precondition applies (D54). */
export const createResponses = { 400: {}, ...full } as const;
/** Responses of a DELETE of an item. */
export const removeResponses = {
  ...missing,
  412: { description: 'If-Match does not match the ETag of the item, or If-None-Match does' },
} as const;
/** Responses of a PUT or a PATCH of an item. */
export const changeResponses = { 400: {}, ...removeResponses, ...full } as const;
