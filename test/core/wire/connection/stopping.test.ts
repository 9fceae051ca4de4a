/** The beginning of a stop, as replies that may never end see it (D77). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { application } from '../../../../src/core/application/application.ts';
import { contextWith } from '../../../../src/core/message/context-with.ts';
import { route } from '../../../../src/core/routing/route.ts';
import { HttpService } from '../../../../src/core/wire/service.ts';
import { testContext } from '../../../support/test-context.ts';

test('D77 – the signal of a context and of its copies → one', () => {
  const context = testContext('/');
  assert.equal(contextWith(context, { path: '/x' }).stopping, context.stopping);
});

/** An endless stream that ends with the stop, as a plugin would write it. */
const settings = application([
  {
    name: 'endless',
    routes: [
      route({
        path: 'endless',
        handle({ context: { stopping } }) {
          const body = new Readable({ read() {} });
          body.push('begun');
          stopping.addEventListener('abort', () => body.push(null));
          return { status: 200, headers: {}, body };
        },
      }),
    ],
  },
]);

for (const [order, servable] of [
  ['the service first', 'service'],
  ['the application first', 'application'],
] as const) {
  test(`D77 – 50 open streams, a stop of ${order} → all end, nobody waits for the grace`, async () => {
    const composed = application([{ name: 'endless', routes: [...settings.routes] }]);
    const service = new HttpService(composed);
    await composed.start();
    const { port } = await service.listen(0);
    const streams = await Promise.all(Array.from({ length: 50 }, () => fetch(`http://127.0.0.1:${port}/endless`)));
    assert.equal(service.ready, true);
    const steps = [() => service.close(60_000), () => composed.stop()];
    for (const step of servable === 'service' ? steps : steps.reverse()) await step();
    const texts = await Promise.all(streams.map((stream) => stream.text()));
    assert.deepEqual(new Set(texts), new Set(['begun']));
    assert.equal(service.ready, false);
  });
}

test('D77 – an application that is started again after a stop → a new signal', async () => {
  const composed = application([]);
  await composed.start();
  const { stopping } = composed;
  await Promise.all([once(stopping, 'abort'), composed.stop()]);
  await composed.start();
  assert.equal(composed.stopping.aborted, false);
});
