/** `context.signal`: aborted when nobody waits for the reply any more, and what a handler does after that (D95). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { application } from '../../../src/core/application/application.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { ClientGone } from '../../../src/core/http/problem.ts';
import { empty, stream, text } from '../../../src/core/http/replies.ts';
import { observed } from '../../../src/core/pipeline/stage.ts';
import { contextFor } from '../../../src/testing.ts';
import { ask, type Client } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { routed } from '../../support/plain-routes.ts';
import { assertProblem } from '../../support/problem.ts';
import { logged, serveHandler } from '../../support/serve.ts';
import { waiting } from '../../support/streams.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

for (const [what, leave] of [
  ['resets the connection', (client: Client) => client.reset()],
  ['closes its side', (client: Client) => client.end()],
] as const)
  test(`D95 – a client ${what} while the handler works → its signal is aborted with ClientGone`, async (t) => {
    const [asked, left] = [gate(), gate()];
    let reason: unknown;
    const { client } = await serveHandler(t, async (context) => {
      const { signal } = contextWith(context, { path: '/copy' });
      asked.open();
      if (!signal.aborted) await once(signal, 'abort');
      ({ reason } = signal);
      left.open();
      throw signal.reason;
    });
    await client.send(GET);
    await asked.passed;
    leave(client);
    await left.passed;
    assert.ok(reason instanceof ClientGone, String(reason));
  });

test('D95 – a client has left before the handler asks → its signal is aborted already', async (t) => {
  const [begun, closed, asked] = [gate(), gate(), gate()];
  let aborted: boolean | undefined;
  const { client } = await serveHandler(t, async (context) => {
    context.request.socket.once('close', closed.open);
    begun.open();
    await closed.passed;
    ({ aborted } = context.signal);
    asked.open();
    return text('');
  });
  await client.send(GET);
  await begun.passed;
  client.reset();
  await asked.passed;
  assert.equal(aborted, true);
});

test('D95 – requests that are answered on one connection → no signal is aborted, no listener stays', async (t) => {
  const signals: AbortSignal[] = [];
  const counts: number[] = [];
  const { client } = await serveHandler(t, (context) => {
    signals.push(context.signal);
    assert.equal(context.signal, context.signal);
    counts.push(context.request.socket.listenerCount('close'));
    return text('a');
  });
  for (let at = 0; at < 20; at++) {
    await client.send(GET);
    assert.equal(String((await client.answer()).body), 'a');
  }
  client.destroy();
  await client.closed();
  assert.deepEqual([...new Set(counts)], [counts[0]]);
  assert.deepEqual([...new Set(signals.map(({ aborted }) => aborted))], [false]);
  assert.equal(signals.length, 20);
});

test('D95 – a client leaves within a stream → the signal is aborted', async (t) => {
  const over = gate();
  let reason: unknown;
  const { client } = await serveHandler(t, ({ signal }) => {
    signal.addEventListener('abort', () => {
      ({ reason } = signal);
      over.open();
    });
    return stream(waiting('first'));
  });
  await client.send(GET);
  while (!String(client.rest).includes('first')) await once(client.socket, 'data');
  client.reset();
  await over.passed;
  assert.ok(reason instanceof ClientGone, String(reason));
});

// What a handler does after its time: another reply was sent.
for (const { what, handle, told } of [
  {
    what: 'a reply that took no notice',
    handle: async ({ signal }: Context) => (await once(signal, 'abort'), empty()),
    told: /Cannot send the 204 for GET \/late: it came after the time limit; stop the work when context\.signal/,
  },
  { what: 'the end that the signal asked for', handle: ({ signal }: Context) => wait(60_000, text(''), { signal }) },
  {
    what: 'an error of its own',
    handle: async ({ signal }: Context) => {
      await once(signal, 'abort');
      throw new Error('of its own');
    },
    told: /of its own/,
  },
] as const)
  for (const way of ['behind the stages of an application', 'alone'] as const)
    test(`D95 – the time of a handler ${way} is over, then ${what} → one 503 and one log line`, async (t) => {
      const counted: number[] = [];
      const done = gate();
      const late = async (context: Context) => {
        try {
          return await handle(context);
        } finally {
          // The reply, or the error, is out by then.
          setImmediate(done.open);
        }
      };
      const { handler } = application([
        {
          name: 'counts',
          outerStages: [(context, next) => observed(context, next, (status) => void counted.push(status))],
        },
        routed('late', ({ context }) => late(context)),
      ]);
      const limits = { handlerTimeout: 1000 };
      const { port } = await serveHandler(t, way === 'alone' ? late : handler, { limits });
      assertProblem(await ask(port, { target: '/late' }), 503);
      await done.passed;
      const [first, ...more] = logged.splice(0);
      assert.match(first!, /has not replied within 1 s/);
      assert.equal(more.length, told === undefined ? 0 : 1, more.join('\n'));
      if (told !== undefined) assert.match(more[0]!, told);
      if (way !== 'alone') assert.deepEqual(counted, [503]);
    });

test('D95 – a stop cuts a request at the end of its grace → the signal is aborted, not before', async (t) => {
  const asked = gate();
  let signal: AbortSignal | undefined;
  const { service, client } = await serveHandler(t, async (context) => {
    ({ signal } = context);
    asked.open();
    await once(signal, 'abort');
    throw signal.reason;
  });
  await client.send(GET);
  await asked.passed;
  const closed = service.close(100);
  assert.equal(signal?.aborted, false);
  await closed;
  assert.equal(signal?.aborted, true);
});

test('D48 – a service is closed while a handler hangs → no line about its time comes later', async (t) => {
  const hanging = gate();
  const limits = { handlerTimeout: 1000 };
  const first = await serveHandler(t, () => (hanging.open(), new Promise<never>(() => {})), { limits });
  await first.client.send(GET);
  await hanging.passed;
  await first.service.close(0);
  const second = await serveHandler(t, () => new Promise<never>(() => {}), { limits });
  assertProblem(await ask(second.port, { target: '/second' }), 503);
  // The time of the first handler began earlier, so its line would be here, too.
  assert.deepEqual(
    logged.splice(0).map((line) => JSON.parse(line).path),
    ['/second'],
  );
});

test('D95 – a client of app.request leaves → the signal is aborted', async () => {
  const [over, asked] = [gate(), gate()];
  const waits = routed('', async ({ context: { signal } }) => {
    asked.open();
    await once(signal, 'abort');
    over.open();
    throw signal.reason;
  });
  const app = application([waits]);
  const leaving = new AbortController();
  const answered = app.request('/', { signal: leaving.signal });
  await asked.passed;
  leaving.abort();
  await assert.rejects(answered, { name: 'AbortError' });
  await over.passed;
  assert.deepEqual(logged, []);
});

test('D95 – a context of a test → its client leaves when the test says so', () => {
  const leaving = new AbortController();
  const { signal } = contextFor('/', { signal: leaving.signal });
  assert.equal(signal.aborted, false);
  leaving.abort();
  assert.ok(signal.reason instanceof ClientGone);
  assert.equal(contextFor('/', { signal: AbortSignal.abort() }).signal.aborted, true);
});
