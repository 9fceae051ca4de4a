/** The model of the service, with each place where items are kept; `npm run test:abuse` has more clients. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { often } from '../support/long-run.ts';
import { modelRun } from './model.ts';
import { assertOrderKept } from './order.ts';
import { type Start, startService } from './running-service.ts';
import { noPlace, type StoreKind, storePlace } from './store-place.ts';

const timeout = 60_000;
const RUN = { seed: 3, clients: 20, operations: often(20, 50) };

/** Starts so many processes, and tries the model on all of them together. */
async function assertModel(start: Start, processes: number, context: TestContext): Promise<void> {
  const services = await Promise.all(Array.from({ length: processes }, () => startService(start)));
  try {
    const [port = 0, ...otherPorts] = services.map((service) => service.port);
    const { differences, conflicts, operations } = await modelRun({ port, otherPorts, ...RUN });
    context.diagnostic(`processes: ${processes}, operations: ${operations}, conflicts refused: ${conflicts}`);
    assert.deepEqual(differences, []);
    assert.equal(operations, RUN.clients * RUN.operations);
    assert.ok(conflicts > 0, "nobody was in anybody's way");
    await Promise.all([port, ...otherPorts].map((one) => assertOrderKept(one, 40)));
  } finally {
    const exits = await Promise.all(services.map((service) => service.stop()));
    assert.deepEqual(exits, Array(processes).fill({ code: 0, signal: null }));
  }
}

async function assertModelOf(store: StoreKind, processes: number, context: TestContext): Promise<void> {
  const { start, remove } = await storePlace(store);
  try {
    await assertModel(start, processes, context);
  } finally {
    await remove();
  }
}

test('abuse – twenty clients change the same items → no confirmed change is lost', { timeout }, (context) =>
  assertModel({}, 1, context),
);

for (const [clause, store, processes, what] of [
  ['D83', 'file', 1, 'of a file'],
  ['D84', 'redis', 1, 'of an engine'],
  ['D84', 'redis', 4, 'of an engine through four processes'],
] as const)
  test(
    `${clause} – twenty clients change the same items ${what} → no confirmed change is lost`,
    { skip: noPlace(store), timeout },
    (context) => assertModelOf(store, processes, context),
  );
