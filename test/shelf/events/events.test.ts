/** Tests replies with server-sent events over HTTP: their head, end and cleanup. */
import assert from 'node:assert/strict';
import { EventEmitter, on, once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Context, Handler } from '../../../src/core/http/context.ts';
import { text } from '../../../src/core/http/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { HttpService } from '../../../src/core/server/service.ts';
import { events, type ServerSentEvent } from '../../../src/shelf/events/events.ts';
import { contextFor } from '../../../src/testing.ts';
import { ask, Client, textsOf } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { routed } from '../../support/plain-routes.ts';
import { logged, serveHandler } from '../../support/serve.ts';
import { throwing } from '../../support/throwing.ts';
import { until } from '../../support/until.ts';

type EventsSource = Parameters<typeof events>[1];
type EventsStart = Parameters<Extract<EventsSource, (...start: any) => unknown>>[0];
type EventsOptions = Parameters<typeof events>[2];

/** A source that yields the events of the emitter, and the counts of its generators. */
function emitted() {
  const emitter = new EventEmitter().setMaxListeners(0);
  const counts = { started: 0, open: 0 };
  const starts: EventsStart[] = [];
  async function* source(start: EventsStart): AsyncGenerator<ServerSentEvent> {
    counts.started++;
    counts.open++;
    starts.push(start);
    try {
      for await (const [data] of on(emitter, 'news', { signal: start.signal })) yield { data };
    } finally {
      counts.open--;
    }
  }
  return { emitter, counts, starts, source };
}

const handlerOf =
  (source: EventsSource, options?: EventsOptions): Handler =>
  (context) =>
    events(context, source, options);

/** The received part of a chunked body, without the chunk sizes. */
const bodyOf = (client: Client): string =>
  client.rest
    .toString()
    .replace(/^[^]*?\r\n\r\n/, '')
    .replace(/[\da-f]+\r\n([^]*?)\r\n/g, '$1');

/** Connects a client and waits for the first bytes of the events. */
async function connected(port: number): Promise<Client> {
  const client = new Client(port);
  await client.send({ target: '/' });
  await until(() => bodyOf(client) !== '', 'the head');
  return client;
}

/** An iterator that never yields an event, with these members. */
const silent = (members: object = {}): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}), ...members }),
});

test('D75 – a client of a silent source → has the head and a comment at once', async (t) => {
  const { source } = emitted();
  const { port } = await serveHandler(t, handlerOf(source));
  const client = await connected(port);
  const head = client.rest.toString();
  assert.equal(bodyOf(client), ':\n\n');
  assert.match(head, /^HTTP\/1\.1 200 /);
  const lines = ['Content-Type: text/event-stream; charset=utf-8', 'Cache-Control: no-store, no-transform'];
  for (const line of [...lines, 'X-Accel-Buffering: no']) assert.ok(head.includes(`\r\n${line}\r\n`), line);
  client.destroy();
});

test('D75 – events of an emitter → each is sent at once, after the reconnection time', async (t) => {
  const { emitter, counts, source } = emitted();
  const { client } = await serveHandler(t, handlerOf(source, { retry: 3000, headers: { 'cache-control': 'private' } }));
  await client.send({ target: '/' });
  await until(() => counts.open === 1 && bodyOf(client) === 'retry: 3000\n\n', 'the head');
  for (const name of ['a', 'ü']) {
    const before = client.received;
    emitter.emit('news', { name });
    await until(() => client.received > before, name);
  }
  assert.equal(bodyOf(client), 'retry: 3000\n\ndata: {"name":"a"}\n\ndata: {"name":"ü"}\n\n');
  assert.doesNotMatch(client.rest.toString(), /no-transform/);
});

test('D75 – a source that ends → ends the reply, and the connection stays open', async (t) => {
  async function* twice() {
    yield 'a';
    yield { id: 2, data: 'b' };
  }
  const { client } = await serveHandler(t, handlerOf(twice));
  assert.equal((await client.ask({})).text, ':\n\ndata: a\n\nid: 2\ndata: b\n\n');
  assert.equal((await client.ask({})).status, 200);
});

test('D75 – Last-Event-ID → the source continues after this event', async (t) => {
  async function* upToThree({ lastEventId }: EventsStart) {
    for (let id = Number(lastEventId ?? 0) + 1; id <= 3; id++) yield { id, data: 'x' };
  }
  const { port } = await serveHandler(t, handlerOf(upToThree));
  const answer = await ask(port, { headers: { 'Last-Event-ID': '2' } });
  assert.equal(answer.text, ':\n\nid: 3\ndata: x\n\n');
});

test('D75 – HEAD → the head of GET, and no source is started', async (t) => {
  const { counts, source } = emitted();
  const emitter = new EventEmitter();
  const { port } = await serveHandler(t, (context) =>
    events(context, context.path === '/' ? source : (on(emitter, 'news') as AsyncIterable<string>)),
  );
  for (const target of ['/', '/iterable']) {
    const { status, headers } = await ask(port, { method: 'HEAD', target });
    assert.deepEqual(
      [status, headers['content-type'], headers['content-length']],
      [200, 'text/event-stream; charset=utf-8', undefined],
    );
  }
  assert.equal(counts.started, 0);
  await until(() => emitter.listenerCount('news') === 0, 'the listeners of events that are never read');
});

test('D75 – comments while the source waits → only one event is requested from it', async (t) => {
  let requested = 0;
  const next = () => {
    requested++;
    return new Promise(() => {});
  };
  const waiting = silent({ next });
  const { client } = await serveHandler(t, handlerOf(waiting, { keepAlive: 1 }));
  await client.send({});
  await until(() => bodyOf(client).includes(': keep-alive\n\n: keep-alive\n\n'), 'two comments');
  assert.equal(requested, 1);
});

test('D75 – an invalid time → throws', () => {
  for (const keepAlive of [-1, Number.NaN, 2 ** 31, Infinity])
    assert.throws(() => events(contextFor('/'), emitted().source, { keepAlive }), RangeError);
  assert.throws(() => events(contextFor('/'), emitted().source, { retry: Number.NaN }), /its retry is "NaN"/);
});

async function* failing() {
  throw new Error('a lost database');
}
async function* wrong() {
  yield { id: 'a\nb', data: '' };
}
for (const [what, source, log] of [
  ['throws before its first event', failing, /streamed a body that failed.*a lost database/],
  ['throws when it is called', throwing(new Error('a lost database')), /a lost database/],
  ['returns nothing', () => undefined, /not an async iterable/],
  ['sends an invalid event', wrong, /its id \\"a\\\\nb\\" has a line break/],
] as const)
  test(`D75 – a source that ${what} → 500, and the log names the cause`, async (t) => {
    const { port } = await serveHandler(t, handlerOf(source as EventsSource));
    assert.equal((await ask(port, {})).status, 500);
    assert.match(logged.splice(0).join('\n').replaceAll('\\n    at', ' at'), log);
  });

test('D75 – a source that fails later → the connection is closed, the error is logged, and the signal is aborted', async (t) => {
  const fail = gate();
  let start!: EventsStart;
  const { port } = await serveHandler(
    t,
    handlerOf(async function* (argument) {
      start = argument;
      yield 'a';
      await fail.passed;
      throw new Error('a lost database');
    }),
  );
  const client = new Client(port);
  await client.send({ target: '/' });
  await until(() => bodyOf(client).endsWith('data: a\n\n'), 'the first event');
  assert.equal(start.signal.aborted, false);
  fail.open();
  await client.over();
  assert.doesNotMatch(client.rest.toString(), /\r\n0\r\n\r\n$/, 'no complete body');
  await until(() => logged.length > 0, 'the log');
  assert.match(logged.splice(0).join(), /streamed a body that failed; the connection was closed.*a lost database/);
  assert.equal(start.signal.aborted, true);
});

for (const [what, leave] of [
  ['closes', (client: Client) => client.destroy()],
  ['ends its side', (client: Client) => client.end()],
  ['resets', (client: Client) => client.reset()],
] as const)
  test(`D75 – a client that ${what} → the source is aborted and ends, and nothing is logged`, async (t) => {
    const { emitter, counts, starts, source } = emitted();
    const { port, service } = await serveHandler(t, handlerOf(source));
    const client = await connected(port);
    const aborted = once(starts[0]!.signal, 'abort');
    leave(client);
    await aborted;
    await until(() => counts.open === 0 && service.connections.size === 0, 'the end');
    assert.equal(emitter.listenerCount('news'), 0);
    client.destroy();
  });

test('D75 – a client leaves, and the source is not a generator → `return` of the iterator is called once', async (t) => {
  let returned = 0;
  const leave = () => {
    returned++;
    throw new Error('nobody can see it');
  };
  const { port } = await serveHandler(t, handlerOf(silent({ return: leave })));
  const client = await connected(port);
  client.destroy();
  await until(() => returned > 0, 'the return');
  await new Promise(setImmediate);
  assert.equal(returned, 1);
});

for (const [what, wait] of [
  ['a source that never waits', undefined],
  ['a source that waits before each event', () => new Promise(setImmediate)],
] as const)
  test(`D75 – a client that does not read ${what} → only a few kilobytes are requested from the source`, async (t) => {
    let requested = 0;
    const data = 'x'.repeat(10_000);
    const { port } = await serveHandler(
      t,
      handlerOf(async function* () {
        for (;;) {
          requested++;
          await wait?.();
          yield data;
        }
      }),
    );
    const client = new Client(port, { reads: false });
    await client.send({ target: '/' });
    // The buffers of the operating system fill up first.
    let before = -1;
    await until(async () => {
      const isSteady = requested === before && requested > 0;
      before = requested;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      return isSteady && requested === before;
    }, 'the source waits');
    const waiting = requested;
    client.read();
    await until(() => requested > waiting, 'the source goes on');
  });

for (const [order, stop] of [
  ['the service, then the application', ['close', 'stop']],
  ['the application, then the service', ['stop', 'close']],
  ['the service alone', ['close']],
] as const)
  test(`D75 – a stop of ${order} → fifty open streams end cleanly, long before the grace period is over`, {
    timeout: 30_000,
  }, async () => {
    const { emitter, counts, source } = emitted();
    const composed = application([{ name: 'news', stages: [(context: Context) => events(context, source)] }]);
    await composed.start();
    const service = new HttpService(composed);
    const { port } = await service.listen(0);
    const clients = Array.from({ length: 50 }, () => new Client(port));
    await Promise.all(clients.map((client) => client.send({ target: '/' })));
    await until(() => clients.every((client) => bodyOf(client) !== ''), 'fifty heads');
    emitter.emit('news', 'last');
    await until(() => clients.every((client) => bodyOf(client).endsWith('data: last\n\n')), 'an event');
    const hour = 3_600_000;
    await Promise.all(stop.map((step) => (step === 'close' ? service.close(hour) : composed.stop())));
    const answers = await Promise.all(clients.map((client) => client.answers()));
    for (const answer of answers) assert.deepEqual(textsOf(answer), [':\n\ndata: last\n\n']);
    assert.equal(counts.open, 0);
    assert.equal(emitter.listenerCount('news'), 0);
    assert.deepEqual(logged.splice(0), []);
    for (const client of clients) client.destroy();
  });

test('D75 – a stop while a source waits for a promise that ignores the signal → the stream ends anyway', {
  timeout: 30_000,
}, async () => {
  const service = new HttpService(
    handlerOf(async function* () {
      yield 'a';
      await new Promise(() => {});
    }),
  );
  const { port } = await service.listen(0);
  const client = new Client(port);
  await client.send({ target: '/' });
  await until(() => bodyOf(client).endsWith('data: a\n\n'), 'the first event');
  await service.close(3_600_000);
  assert.equal((await client.answers())[0]!.text, ':\n\ndata: a\n\n');
});

test('D75 – a request for events while the application stops → an empty stream, and no source is started', async () => {
  const { counts, source } = emitted();
  const composed = application([{ name: 'news', stages: [(context: Context) => events(context, source)] }]);
  await composed.start();
  const service = new HttpService(composed);
  const { port } = await service.listen(0);
  const client = new Client(port);
  await client.send('GET / HTTP/1.1\r\nHost: a\r\n');
  await until(() => service.connections.size === 1, 'the connection');
  await composed.stop();
  await client.send('\r\n');
  assert.equal((await client.answers())[0]!.text, ':\n\n');
  assert.equal(counts.started, 0);
  await service.close(0);
});

test('D75 – an array, undefined or a string instead of events → a TypeError when the reply is made', () => {
  for (const source of [[{ data: 1 }], undefined, 'data'])
    assert.throws(() => events(contextFor('/'), source as never), {
      name: 'TypeError',
      message: /^Cannot send events: the source is not an async iterable; give/,
    });
});

test('D75 – a web stream in two replies, one of them to HEAD → the process continues', async () => {
  const shared = Readable.toWeb(Readable.from(['one']));
  const app = application([routed('x', ({ context }) => events(context, shared as never))]);
  assert.match(await (await app.request('/x')).text(), /data: one/);
  assert.equal((await app.request('/x', { method: 'HEAD' })).status, 200);
});

test('D75 – ten thousand events without a wait → another request is answered in between', async () => {
  let sent = 0;
  async function* all() {
    for (; sent < 10_000; sent++) yield 'x'.repeat(100);
  }
  const routes = [
    route({ path: 'all', handle: ({ context }) => events(context, all()) }),
    route({ path: 'sent', handle: () => text(String(sent)) }),
  ];
  const app = application([{ name: 'a', routes }]);
  const whole = app.request('/all').then((reply) => reply.text());
  const inBetween = Number(await (await app.request('/sent')).text());
  assert.ok(inBetween < 10_000, `${inBetween} events were sent before`);
  assert.equal((await whole).match(/^data: x/gm)!.length, 10_000);
});
