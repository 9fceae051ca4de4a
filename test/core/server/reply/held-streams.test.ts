/** Streams that a handler has given to the library (D75): no error ends the process, and nothing stays open. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { application } from '../../../../src/core/application/application.ts';
import type { Plugin } from '../../../../src/core/application/plugin.ts';
import type { Context, Handler } from '../../../../src/core/http/context.ts';
import { makeReply, replyWith, stream, text } from '../../../../src/core/http/replies.ts';
import type { Reply } from '../../../../src/core/http/reply.ts';
import type { Stage } from '../../../../src/core/pipeline/stage.ts';
import { ok } from '../../../../src/operations/operation/results.ts';
import { compression } from '../../../../src/shelf/compression/compression.ts';
import { ask } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { memoryInUse } from '../../../support/memory-in-use.ts';
import { read, routed } from '../../../support/plain-routes.ts';
import { LOADER, withLibrary } from '../../../support/program.ts';
import { logged, serveHandler, servePlugins } from '../../../support/serve.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { throwing } from '../../../support/throwing.ts';
import { until } from '../../../support/until.ts';

const FILE = fileURLToPath(import.meta.url);

type Answer = (make: () => Reply) => Reply | Promise<Reply>;

const plainRoute = (handle: Handler): Plugin => routed('x', ({ context }) => handle(context));
const answering =
  (success: object) =>
  (handle: Handler): Plugin => ({
    name: 'a',
    routes: [
      read('x', { responses: { 200: success }, handle: ({ context }: { context: Context }) => handle(context) }),
    ],
  });
/** An operation whose reply is sent unchanged. */
const bytesOperation = answering({ mediaType: 'text/plain' });
/** An operation that streams the rows of a list. */
const rowsOperation = answering({ schema: { type: 'array', items: { type: 'string' } } });

/** The handler of an operation may return a result in place of a reply. */
const okOf = (source: Readable): Reply => ok(source) as unknown as Reply;

/** The ways to give a stream to the library, each with a plugin whose handler may return the reply. */
const WAYS: readonly (readonly [string, (source: Readable) => Reply, (handle: Handler) => Plugin])[] = [
  ['stream(source)', (source) => stream(source), plainRoute],
  ['replyWith(reply, { body: source })', (source) => replyWith(text('a'), { headers: [], body: source }), plainRoute],
  ['makeReply(200, [], source)', (source) => makeReply(200, [], source), plainRoute],
  ['ok(source) with a media type', okOf, bytesOperation],
  ['stream(source) in an operation', (source) => stream(source, { mediaType: 'text/plain' }), bytesOperation],
  ['ok(rows)', okOf, rowsOperation],
];

for (const [way, reply, plugin] of WAYS)
  for (const when of ['at once', 'after a wait'] as const)
    test(`D75 – ${way} of an absent file is made ${when}, and returned when it has failed → 500; the log names the file`, async () => {
      const logged: unknown[] = [];
      const handle = async (): Promise<Reply> => {
        if (when === 'after a wait') await turn();
        const source = createReadStream('/there is no such file');
        const made = reply(source);
        if (!source.closed) await new Promise<void>((resolve) => void source.once('close', resolve));
        return made;
      };
      const app = application([plugin(handle)], { log: (error) => logged.push(error) });
      for (let time = 0; time < 2; time++) assert.equal((await app.request('/x')).status, 500);
      assert.equal(logged.length, 2);
      const texts = logged.map(
        (error) => `${error} ${(error as Error).cause} ${((error as Error).cause as Error)?.cause}`,
      );
      for (const line of texts) assert.match(line, /ENOENT: no such file or directory, open '\/there is no such file'/);
    });

const no = new Error('no');
/** The handlers that do not send the reply that they make. */
const UNSENT: readonly (readonly [string, Answer])[] = [
  [
    'throws',
    (make) => {
      make();
      throw no;
    },
  ],
  [
    'waits and throws',
    async (make) => {
      make();
      await turn();
      throw no;
    },
  ],
  [
    'waits, makes the reply, waits and throws',
    async (make) => {
      await turn();
      make();
      await turn();
      throw no;
    },
  ],
  [
    'returns another reply',
    (make) => {
      make();
      return text('other');
    },
  ],
  [
    'waits, makes the reply and returns another one',
    async (make) => {
      await turn();
      make();
      return text('other');
    },
  ],
  ['makes the reply in a timer', (make) => new Promise((_, reject) => void setImmediate(() => (make(), reject(no))))],
];

/** Returns a function that opens this file, and a promise for the end of all its streams. */
function opener() {
  const opened: ReadStream[] = [];
  const open = (): ReadStream => {
    opened.push(createReadStream(FILE));
    return opened.at(-1)!;
  };
  const allClosed = async (): Promise<number> => {
    for (const source of opened) if (!source.closed) await once(source, 'close');
    return opened.length;
  };
  return { open, allClosed };
}

for (const [way, reply] of WAYS)
  for (const [what, answer] of UNSENT)
    test(`D75 – ${way}, and the handler ${what} → the file is closed`, { timeout: 20_000 }, async () => {
      const { open, allClosed } = opener();
      const app = application([plainRoute(() => answer(() => reply(open())))], { log: () => {} });
      // The first stream of a process is another case.
      stream([]);
      for (let time = 0; time < 3; time++) await (await app.request('/x')).text();
      assert.equal(await allClosed(), 3);
    });

for (const [what, make] of [
  ['an option that does not exist', (source) => stream(source, { mediaTyp: 'a/b' } as object)],
  ['a media type that is invalid', (source) => stream(source, { mediaType: '\n' })],
  ['a header that is invalid', (source) => stream(source, { headers: { a: '\n' } })],
  ['a status that is invalid', (source) => replyWith(text('a'), { status: 99, headers: [], body: source })],
] as readonly (readonly [string, (source: Readable) => Reply])[])
  test(`D75 – ${what} → the file is closed`, { timeout: 20_000 }, async () => {
    const { open, allClosed } = opener();
    const app = application([plainRoute(() => make(open()))], { log: () => {} });
    assert.equal((await app.request('/x')).status, 500);
    assert.equal(await allClosed(), 1);
  });

test('D75 – a stage makes a reply, then returns the reply of the next → the file is closed', async () => {
  const { open, allClosed } = opener();
  const making: Stage = async (context, next) => {
    await turn();
    stream(open());
    return next(context);
  };
  const app = application([{ name: 'making', stages: [making] }, plainRoute(() => text('other'))]);
  assert.equal(await (await app.request('/x')).text(), 'other');
  assert.equal(await allClosed(), 1);
});

test('D75 – the handler makes a reply after the time limit and throws → the file is closed', async (t) => {
  const { open, allClosed } = opener();
  const [late, over] = [gate(), gate()];
  const { client } = await serveHandler(
    t,
    async () => {
      await late.passed;
      stream(open());
      setImmediate(over.open);
      throw no;
    },
    { limits: { handlerTimeout: 1000 } },
  );
  assert.equal((await client.ask({})).status, 503);
  late.open();
  await over.passed;
  assert.equal(await allClosed(), 1);
  assert.deepEqual(
    logged.splice(0).map((line) => JSON.parse(line).error.slice(0, 24)),
    ['Error: Cannot wait longe', 'Error: no'],
  );
});

for (const [what, plugins] of [
  ['', []],
  [', compressed', [compression({ threshold: 1 })]],
] as const)
  test(`D75 – a body that a handler derives from another reply${what} → the whole is sent`, async () => {
    const deriving: Handler = async () => {
      const first = stream(Readable.from(['a', 'b', 'c']), { mediaType: 'text/plain' });
      await turn();
      async function* changed() {
        for await (const chunk of first.body as Readable) {
          await turn();
          yield String(chunk).toUpperCase();
        }
      }
      return replyWith(first, { body: Readable.from(changed()) });
    };
    const app = application([...plugins, plainRoute(deriving)]);
    const reply = await app.request('/x', { headers: { 'Accept-Encoding': 'identity' } });
    assert.equal(await reply.text(), 'ABC');
  });

/** The ways in which a request can give a reply to another request that waits for it. */
const GIVEN: readonly (readonly [
  string,
  (source: AsyncIterable<string>) => Reply,
  (handle: Handler) => Plugin,
  string,
])[] = [
  ['stream(generator)', (source) => stream(source), plainRoute, 'first last'],
  ['stream(Readable)', (source) => stream(Readable.from(source)), plainRoute, 'first last'],
  ['stream(stream of the Web)', (source) => stream(Readable.toWeb(Readable.from(source))), plainRoute, 'first last'],
  ['ok(rows)', (source) => okOf(Readable.from(source)), rowsOperation, '["first ","last"]'],
];
for (const [how, reply, plugin, body] of GIVEN)
  test(`D75 – a request makes ${how} for another request that waits → the whole is sent`, async () => {
    const [made, rest] = [gate(), gate()];
    let shared!: Reply;
    async function* slowly() {
      yield 'first ';
      await rest.passed;
      yield 'last';
    }
    const passing: Stage = async (context, next) => {
      const passed = await next(context);
      await turn();
      await turn();
      return passed;
    };
    const giving = routed('give', () => {
      shared = reply(slowly());
      made.open();
      return text('given');
    });
    const waits = plugin(() => made.passed.then(() => shared));
    const app = application([{ name: 'passing', stages: [passing] }, giving, waits]);
    const waiting = app.request('/x');
    assert.equal(await (await app.request('/give')).text(), 'given');
    for (let time = 0; time < 10; time++) await turn();
    rest.open();
    assert.equal(await (await waiting).text(), body);
  });

test('D75 – a stage answers while the handler waits, which then makes and returns a stream → the file is closed', async () => {
  const { open, allClosed } = opener();
  const [late, over] = [gate(), gate()];
  const impatient: Stage = (context, next) => {
    void (async () => next(context))().finally(over.open);
    return text('too late', { status: 504 });
  };
  const slow = plainRoute(async () => {
    await late.passed;
    return stream(open());
  });
  const app = application([{ name: 'impatient', stages: [impatient] }, slow]);
  assert.equal((await app.request('/x')).status, 504);
  late.open();
  await over.passed;
  assert.equal(await allClosed(), 1);
});

test('D75 – a refused request, whose stage makes a stream and returns another reply → the file is closed', async () => {
  const { open, allClosed } = opener();
  const replacing: Stage = async (context, next) => {
    await next(context);
    stream(open());
    return text('replaced');
  };
  const app = application([{ name: 'replacing', outerStages: [replacing] }, plainRoute(() => text('x'))]);
  assert.equal(await (await app.request('/%zz')).text(), 'replaced');
  assert.equal(await allClosed(), 1);
});

for (const [what, answer] of [
  ['the stream itself', (source: Readable) => source],
  ['a thenable', (source: Readable) => ({ then() {}, body: source })],
] as const)
  test(`D75 – a handler returns ${what} → the file is closed, and the error of an absent file is ignored`, async () => {
    const { open, allClosed } = opener();
    let source = open();
    const app = application([plainRoute(() => answer(source) as never)], { log: () => {} });
    assert.equal((await app.request('/x')).status, 500);
    assert.equal(await allClosed(), 1);
    source = createReadStream('/there is no such file');
    const closed = new Promise<void>((resolve) => void source.once('close', resolve));
    assert.equal((await app.request('/x')).status, 500);
    await closed;
  });

/** A stream of another class than those of Node, as the package `readable-stream` has them. */
class OtherStream extends EventEmitter {
  destroyed = false;
  destroy(): this {
    this.destroyed = true;
    return this;
  }
  pipe(): void {}
  async *[Symbol.asyncIterator]() {
    yield 'text';
  }
}

test('D75 – a stream of another class fails while its handler waits, and is not sent → destroyed', async () => {
  const source = new OtherStream();
  const waiting = plainRoute(async () => {
    stream(source);
    await turn();
    source.emit('error', new Error('no'));
    return text('other');
  });
  assert.equal(await (await application([waiting]).request('/x')).text(), 'other');
  await until(() => source.destroyed, 'the stream is destroyed');
});

test('D75 – a value with some methods of a stream → is sent, and its method `destroy` is not called', async () => {
  const model = { name: 'a', on() {}, pipe() {}, destroy: () => assert.fail('a row of a database would be deleted') };
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const api = read('x', { responses: { 200: { schema } }, handle: () => ok(model) });
  assert.equal(await (await application([{ name: 'a', routes: [api] }]).request('/x')).text(), '{"name":"a"}');
  await turn();
});

test('D75 – a stream whose destroy throws is not sent → the other streams of the request are destroyed', async () => {
  const { open, allClosed } = opener();
  const failing = plainRoute(() => {
    stream(Object.assign(new Readable({ read() {} }), { destroy: throwing(no) }));
    stream(open());
    return text('other');
  });
  assert.equal(await (await application([failing]).request('/x')).text(), 'other');
  assert.equal(await allClosed(), 1);
});

test('D75 – a client resets its connection, then the handler returns a stream that waits → the stream is destroyed', async (t) => {
  const [seen, left] = [gate(), gate()];
  const made = new Readable({ read() {} });
  const { client } = await serveHandler(t, async (context) => {
    context.request.socket.once('close', left.open);
    seen.open();
    await left.passed;
    return stream(made, { headers: { 'Content-Length': '5' } });
  });
  await client.send({});
  await seen.passed;
  client.reset();
  await once(made, 'close');
});

test('D75 – a stream is passed to the library many times → it gets one listener', async () => {
  const made = new Readable({ read() {} });
  for (let time = 0; time < 20; time++) replyWith(stream(made), { status: 201 });
  assert.equal(made.listenerCount('error'), 1);
});

test('D75 – requests leave timers behind, after the first stream → their bodies are not kept in memory', async (t) => {
  stream([]);
  const timers: NodeJS.Timeout[] = [];
  t.after(() => timers.forEach(clearTimeout));
  const remembering = plainRoute(async (context) => {
    await context.body();
    timers.push(setTimeout(() => {}, 3_600_000));
    return text('remembered');
  });
  const { port } = await servePlugins(t, [remembering]);
  const send = async (): Promise<void> => {
    const reply = await ask(port, { method: 'POST', target: '/x', body: Buffer.alloc(60_000) });
    assert.equal(reply.text, 'remembered');
  };
  for (let time = 0; time < 20; time++) await send();
  const before = memoryInUse();
  for (let time = 0; time < 50; time++) await send();
  const grown = (memoryInUse() - before) / 50;
  assert.ok(grown < 20_000, `${grown} bytes for each request`);
});

test('D75 – 200 requests to a new process, whose handler throws after it has opened a file → no file stays open', {
  skip: process.platform !== 'linux' && 'only Linux lists the open files of a process',
}, () => {
  const program = withLibrary(`
    import { createReadStream, readdirSync, readlinkSync } from 'node:fs';
    import { application, route, serve, stream } from 'todo-item-service';
    const file = process.argv[2];
    const failing = route({ path: 'x', handle: async () => {
      const reply = stream(createReadStream(file));
      await null;
      throw new Error('no');
    } });
    const { url } = await serve(application([{ name: 'a', routes: [failing] }], { log: () => {} }), { port: 0 });
    for (let time = 0; time < 200; time++) await (await fetch(url + '/x')).text();
    const isOpen = (descriptor) => { try { return readlinkSync('/proc/self/fd/' + descriptor) === file; } catch {} };
    while (readdirSync('/proc/self/fd').filter(isOpen).length > 0) await new Promise((next) => setTimeout(next, 10));
    process.stdout.write('closed', () => process.exit());`);
  const folder = temporaryFolder({ 'leaking.mjs': program });
  const path = join(folder, 'leaking.mjs');
  const limits = { encoding: 'utf8', timeout: 30_000 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [...LOADER, path, path], limits);
  assert.equal(stdout, 'closed', stderr);
});

test('D75 – a handler returns the first stream of its process when a stage has replied for it → the stream is destroyed', () => {
  const program = withLibrary(`
    import { Readable } from 'node:stream';
    import { application, empty, route, serve, stream } from 'todo-item-service';
    let reply;
    const replied = new Promise((resolve) => { reply = resolve; });
    const destroy = () => process.stdout.write('destroyed', () => process.exit());
    const late = route({ path: 'x', handle: async () => {
      await replied;
      return stream(new Readable({ read() {}, destroy }));
    } });
    const hasty = (context, next) => (void next(context), empty());
    const { url } = await serve(application([{ name: 'a', stages: [hasty], routes: [late] }]), { port: 0 });
    await (await fetch(url + '/x')).text();
    reply();
    setTimeout(() => process.exit(), 10_000);`);
  const path = join(temporaryFolder({ 'late.mjs': program }), 'late.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [...LOADER, path], { encoding: 'utf8', timeout: 30_000 });
  assert.equal(stdout, 'destroyed', stderr);
});
