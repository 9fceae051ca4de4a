/** The readiness check of the service: about the instance, with the state of the store in its body (D120). */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { app } from '../../src/service/app.ts';
import { isReached } from '../../src/service/item-store.ts';
import { readSettings } from '../../src/service/settings/settings.ts';
import { ask } from '../support/ask.ts';
import { assertProblem } from '../support/problem.ts';
import { throwing } from '../support/throwing.ts';

test('D120 – /ready at the admin port → 503 until the service listens, 200, 503 from the drain on; /health always 200', async (t) => {
  const { service, application, admin } = await app(readSettings(['--admin-port', '0'], {}));
  await application.start();
  const { port } = (await admin!.listen()) as AddressInfo;
  t.after(async () => {
    await service.close(0);
    await application.stop();
  });
  for (const [begin, status] of [
    [() => {}, 503],
    [() => service.listen(0), 200],
    [() => service.drain(), 503],
    [() => void service.close(), 503],
  ] as const) {
    await begin();
    for (const target of ['/ready', '/Ready/?x=1']) {
      const answer = await ask(port, { target });
      if (status === 503) assert.equal(assertProblem(answer, 503).detail, 'The service is starting or stopping');
      else assert.deepEqual(answer.json(), { status: 'ready' });
      assert.equal((await ask(port, { method: 'HEAD', target })).status, status);
    }
    assert.equal((await ask(port, { target: '/health' })).status, 200);
  }
});

for (const [what, up, check] of [
  ['hangs', true, () => new Promise<void>(() => {})],
  ['is lost', false, throwing(new Error('lost'))],
  ['is lost and tells it later', true, () => Promise.reject(new Error('lost'))],
  ['needs no check', undefined, undefined],
] as const)
  test(`D120 – a store that ${what} → the probe does not wait for its check, and its state is that of the last call`, () =>
    assert.equal(isReached({ up, check } as unknown as Parameters<typeof isReached>[0]), up));
