/** What every store does (D76): the one in memory, and stores over a `Map` with promises. */
import { RepresentedCollection } from '../../../src/extensions/collection/represented-collection.ts';
import { todoSchema } from '../../../src/extensions/todo/todo-controller.ts';
import { lateStore } from '../../support/late-store.ts';
import { MapStore } from '../../support/map-store.ts';
import { storeConformance } from '../../support/store-conformance.ts';

const memory = (limits = {}) => new RepresentedCollection(todoSchema(), 'camelCase', limits);
const room = { maxItems: 1, maxBytes: 5000 };

storeConformance({ name: 'in memory', make: memory, makeFull: () => memory(room) });
storeConformance({ name: 'in memory, late', make: () => lateStore(memory()), makeFull: () => lateStore(memory(room)) });
storeConformance({ name: 'a Map', make: () => new MapStore(), again: lateStore });
