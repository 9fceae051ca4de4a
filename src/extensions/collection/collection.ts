/** Items of a collection over HTTP, and what every store of them needs: `todo-item-service/collection`. */

export { missingItem, refusedChange, removeItem, replaceItem, unlessFull } from './conditional-change.ts';
export { RepresentedCollection } from './represented-collection.ts';
export {
  changeResponses,
  createdHeaders,
  createResponses,
  itemEtag,
  listEtag,
  listResponses,
  readResponses,
  removeResponses,
} from './responses.ts';
export type { Store } from './store.ts';
export { CollectionFull, StoreError } from './store-error.ts';
