/** What every store does (D76): the one in memory, and stores over a `Map` with promises. */
import { RepresentedCollection } from '../../../src/extensions/collection/represented-collection.ts';
import { type TodoSchema, todoSchema } from '../../../src/extensions/todo/todo-item.ts';
import { HttpProblem } from '../../../src/index.ts';
import { lateStore } from '../../support/late-store.ts';
import { MapStore } from '../../support/map-store.ts';
import { storeConformance } from '../../support/store-conformance.ts';

const memory = (limits = {}) => new RepresentedCollection(todoSchema(), 'camelCase', limits);
const room = { maxItems: 1, maxBytes: 5000 };

/** Is full with the error of another copy of the library, as a store is that a program gets from the package. */
const OTHER_COPY = '../../../src/extensions/collection/store-error.ts?copy';
const { CollectionFull }: typeof import('../../../src/extensions/collection/store-error.ts') = await import(OTHER_COPY);
const ofAnotherCopy = <Change>(change: () => Change): Change => {
  try {
    return change();
  } catch (error) {
    throw error instanceof HttpProblem && error.status === 507 ? new CollectionFull(error.message) : error;
  }
};
class StoreOfAnotherCopy extends RepresentedCollection<TodoSchema> {
  override add(...given: Parameters<RepresentedCollection<TodoSchema>['add']>) {
    return ofAnotherCopy(() => super.add(...given));
  }
  override replace(...given: Parameters<RepresentedCollection<TodoSchema>['replace']>) {
    return ofAnotherCopy(() => super.replace(...given));
  }
}
const otherCopy = (limits = {}) => new StoreOfAnotherCopy(todoSchema(), 'camelCase', limits);

storeConformance({ name: 'in memory', make: memory, makeFull: () => memory(room) });
storeConformance({ name: 'in memory, late', make: () => lateStore(memory()), makeFull: () => lateStore(memory(room)) });
storeConformance({ name: 'a Map', make: () => new MapStore(), again: lateStore });
storeConformance({ name: 'with the errors of another copy', make: otherCopy, makeFull: () => otherCopy(room) });
