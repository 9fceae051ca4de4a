/** Items of a collection over HTTP, and what every store of them needs: `todo-item-service/collection`. */

export { missingItem, refusedChange, removeItem, replaceItem, unlessFull } from './conditional-change.ts';
export {
  type CopiedItem,
  itemsOf,
  LastingStore,
  type Page,
  type Place,
  type Position,
  pageSize,
  type StoredItem,
  type StoreWatch,
  versionMaker,
} from './lasting-store.ts';
export { type CollectionLimits, RepresentedCollection } from './represented-collection.ts';
export {
  changeResponses,
  createdHeaders,
  createResponses,
  exactItemEtag,
  itemEtag,
  listEtag,
  listResponses,
  pagedListEtag,
  readResponses,
  removeResponses,
} from './responses.ts';
export { checkedStore, type Store } from './store.ts';
export { CollectionFull, NO_ROOM, StoreError, StoreState, UNREACHABLE, unreachable } from './store-error.ts';
