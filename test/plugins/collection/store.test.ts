/** The tests of every store (D76), run on the store in memory and on stores over a `Map`. */

import { HttpProblem } from '../../../src/index.ts';
import { RepresentedCollection } from '../../../src/plugins/collection/represented-collection.ts';
import { type TodoSchema, todoSchema } from '../../../src/plugins/todo/todo-item.ts';
import { storeConformance } from '../../../src/testing.ts';
import { lateStore } from '../../support/late-store.ts';
import { MapStore } from '../../support/map-store.ts';

const memory = (limits = {}) => new RepresentedCollection(todoSchema(), 'camelCase', limits);
const room = { maxItems: 1, maxBytes: 5000 };

/** Throws the `CollectionFull` of a second copy of the library, as a store from another package does. */
const OTHER_COPY = '../../../src/plugins/collection/store-error.ts?copy';
const { CollectionFull }: typeof import('../../../src/plugins/collection/store-error.ts') = await import(OTHER_COPY);
const ofAnotherCopy = <Change>(change: () => Change): Change => {
  try {
    return change();
  } catch (error) {
    throw error instanceof HttpProblem && error.status === 507 ? new CollectionFull(error.message) : error;
  }
};
class StoreOfAnotherCopy extends RepresentedCollection<TodoSchema> {
  override add(...values: Parameters<RepresentedCollection<TodoSchema>['add']>) {
    return ofAnotherCopy(() => super.add(...values));
  }
  override replace(...values: Parameters<RepresentedCollection<TodoSchema>['replace']>) {
    return ofAnotherCopy(() => super.replace(...values));
  }
}
const otherCopy = (limits = {}) => new StoreOfAnotherCopy(todoSchema(), 'camelCase', limits);

storeConformance({ name: 'in memory', make: memory, makeFull: () => memory(room) });
storeConformance({
  name: 'in memory, asynchronous',
  make: () => lateStore(memory()),
  makeFull: () => lateStore(memory(room)),
});
storeConformance({ name: 'a Map', make: () => new MapStore(), again: lateStore });
storeConformance({ name: 'with the errors of another copy', make: otherCopy, makeFull: () => otherCopy(room) });
