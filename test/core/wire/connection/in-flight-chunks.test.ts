/** How many versions of a large body slow readers may keep in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from '../../../../src/core/message/context.ts';
import { InFlightChunks } from '../../../../src/core/wire/connection/memory.ts';
import { ask } from '../../../support/ask.ts';
import { serveHandler } from '../../../support/serve.ts';

const MiB = 2 ** 20;
const list = (shared: readonly Uint8Array[], own: number): Uint8Array[] => [
  ...shared,
  ...Array.from({ length: own }, () => new Uint8Array(MiB)),
];

test('limits – a hundred readers of one body → all fit, it is counted once', () => {
  const inFlight = new InFlightChunks();
  const chunks = list([], 60);
  for (let reader = 0; reader < 100; reader += 1) assert.equal(inFlight.take(chunks), true);
});

test('limits – a body of which most is shared with those on the way → only the rest counts', () => {
  const inFlight = new InFlightChunks();
  const shared = list([], 15);
  for (let version = 0; version < 40; version += 1) assert.equal(inFlight.take(list(shared, 1)), true);
});

test('limits – more replaced bodies than four → refused until one has been sent', () => {
  const inFlight = new InFlightChunks();
  const versions = Array.from({ length: 5 }, () => list([], 20));
  assert.deepEqual(
    versions.map((version) => inFlight.take(version)),
    [true, true, true, true, false],
  );
  inFlight.release(versions[0]!);
  assert.equal(inFlight.take(versions[4]!), true);
});

test('limits – a body larger than all that may be on the way → is sent when it is alone', () => {
  const inFlight = new InFlightChunks();
  const chunks = list([], 100);
  assert.equal(inFlight.take(chunks), true);
  inFlight.release(chunks);
  assert.equal(inFlight.take(chunks), true);
});

test('limits – a chunk that stands twice in a body → counted out as it was counted in', () => {
  const inFlight = new InFlightChunks();
  const twice = new Uint8Array(40 * MiB);
  for (let round = 0; round < 5; round += 1) {
    assert.equal(inFlight.take([twice, twice]), true);
    inFlight.release([twice, twice]);
  }
  assert.equal(inFlight.take(list([], 60)), true);
});

test('limits – bodies whose heads cannot be written → 500 each, and none is counted for ever', async (t) => {
  const handler: Handler = ({ path }) => ({
    ...{ status: 200, headers: path === '/bad' ? ['X-Bad', 'a\nb'] : ['X-Good', 'a'], body: list([], 20) },
  });
  const { port, service } = await serveHandler(t, handler, { log: () => {} });
  for (let round = 0; round < 5; round += 1) {
    const closed = new Promise((resolve) =>
      service.server.once('request', (_, response) => response.once('close', resolve)),
    );
    assert.equal((await ask(port, { target: '/bad' })).status, 500);
    await closed;
  }
  assert.equal((await ask(port, { target: '/good' })).status, 200);
});
