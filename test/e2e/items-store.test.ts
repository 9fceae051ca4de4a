/** The operations on items over real HTTP, with a store that answers with promises. */

import { randomUUID } from 'node:crypto';
import { describe } from 'node:test';
import { application } from '../../src/core/application/application.ts';
import { HttpService } from '../../src/core/server/service.ts';
import { operations } from '../../src/operations/operations.ts';
import { serializer } from '../../src/operations/schema/serialize.ts';
import { todo } from '../../src/plugins/todo/todo.ts';
import { todoSchema } from '../../src/plugins/todo/todo-item.ts';
import { verification } from '../../src/testing.ts';
import { lateStore } from '../support/late-store.ts';
import { MapStore } from '../support/map-store.ts';
import { serveService } from '../support/serve.ts';
import { table } from '../support/table.ts';
import { todoItem } from '../support/todo-item.ts';
import { checkItem } from './checks.ts';
import { CONDITIONS, OPERATIONS } from './items.cases.ts';
import { shared, type WholeServing } from './whole-serving.ts';

const serveLate: WholeServing = async (
  t,
  { propertyNaming: naming = 'camelCase', model = 'base', basePath, maxBody } = {},
) => {
  const map = new MapStore();
  map.write = serializer(todoSchema(model), naming);
  const store = lateStore(map);
  const key = randomUUID();
  await store.add(key, todoItem({ key, name: 'Item1' }));
  const composed = application([operations({ naming }), verification(), todo({ store, naming, model })]);
  await composed.start();
  const { handler, refuse } = composed;
  return serveService(t, new HttpService({ handler, refuse, ...(basePath && { basePath }) }, { limits: { maxBody } }));
};

describe('the operations on items of a store with promises', () => {
  const serving = shared(serveLate);
  table(
    [...OPERATIONS, ...CONDITIONS].map((row) => ({ ...row, clause: `D76, ${row.clause}` })),
    (row, t) => checkItem(row, t, serving),
  );
});
