/**
 * Declares the headers and responses that the operations on a collection share.
 *
 * Spread a `…Responses` constant into the `responses` of an operation of that kind, after the response of success. The
 * statuses of the body follow from its declaration.
 */

const always = (description: string) => ({ type: 'string', description, always: true }) as const;

/** For a reply with one item, or that changes one. */
export const itemEtag = { ETag: always('The entity tag of the item, for If-Match and If-None-Match') } as const;
/** For a reply with the list. */
export const listEtag = { ETag: always('The entity tag of the list, for If-Match and If-None-Match') } as const;
/** For a reply with the list of a store that may stream it, without an ETag then. */
export const pagedListEtag = {
  ETag: { type: 'string', description: 'The entity tag of the list; absent if the list is too long' },
} as const;
/** For a PUT: the ETag is sent only if the item is stored as it was sent (RFC 9110 §9.3.4). */
export const exactItemEtag = {
  ETag: {
    type: 'string',
    description: 'The entity tag of the item; present if the item is stored exactly as it was sent',
  },
} as const;
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
