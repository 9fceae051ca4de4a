/** Items of a collection over HTTP, and what every store of them needs: `todo-item-service/collection`. */

export { checkedStore } from './checked-store.ts';
export { removeItem, replaceItem } from './conditional-change.ts';
export type { CopiedItem } from './copy-items.ts';
export { FIRST_PAGE, itemsOf, LATER_PAGE, type Page, type PageSize, type Position, pagedList } from './list-pages.ts';
export { missingItem, refusedChange, unlessFull } from './refused-change.ts';
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
export type { Store } from './store.ts';
export { CollectionFull, NO_ROOM, noRoom, StoreError, UNREACHABLE, unreachable } from './store-error.ts';
export { StoreState } from './store-state.ts';
export { StoredTexts, versionMaker } from './stored-texts.ts';
