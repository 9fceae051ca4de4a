/**
 * Items of a collection over HTTP, and what every store of them needs: `todo-item-service/collection`.
 *
 * Spread a `…Responses` constant into the `responses` of an operation of that kind, after the response of success. The
 * statuses of the body follow from its declaration.
 */

export { missingItem, refusedChange, removeItem, replaceItem, unlessFull } from './conditional-change.ts';
export { RepresentedCollection } from './represented-collection.ts';
export type { Store } from './store.ts';
export { CollectionFull, StoreError } from './store-error.ts';

const always = (description: string) => ({ type: 'string', description, always: true }) as const;

/** For a reply with one item, or that changes one. */
export const itemEtag = { ETag: always('The entity tag of the item, for If-Match and If-None-Match') } as const;
/** For a reply with the list. */
export const listEtag = { ETag: always('The entity tag of the list, for If-Match and If-None-Match') } as const;
/** For the 201 of a POST: where the new item is, and its ETag. */
export const createdHeaders = { Location: always('URI of the new item'), ...itemEtag } as const;

const unchanged = 'Not modified since the ETag in If-None-Match';
const missing = { 404: { description: 'No item has this key' } } as const;
const retryAfter = { type: 'integer', description: 'Seconds to wait before the next attempt', always: true } as const;
const full = { 507: { description: 'The store is full', headers: { 'Retry-After': retryAfter } } } as const;

/** For a GET of the list. */
export const listResponses = {
  304: { description: unchanged, headers: listEtag },
  412: { description: 'If-Match does not match the ETag of the list' },
} as const;
/**
 * For a GET of an item.
 *
 *     const responses = { 200: { schema: { type: 'object' }, headers: itemEtag }, ...readResponses } as const;
 */
export const readResponses = {
  304: { description: unchanged, headers: itemEtag },
  ...missing,
  412: { description: 'If-Match does not match the ETag of the item' },
} as const;
/** For a POST of an item. */
export const createResponses = { 400: {}, ...full } as const;
/** For a DELETE of an item. */
export const removeResponses = {
  ...missing,
  412: { description: 'If-Match does not match the ETag of the item, or If-None-Match does' },
} as const;
/** For a PUT or a PATCH of an item. */
export const changeResponses = { 400: {}, ...removeResponses, ...full } as const;
