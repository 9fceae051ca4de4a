/** The error of a store that has no room for an item, thrown before anything changes. */
export class CollectionFull extends Error {}
