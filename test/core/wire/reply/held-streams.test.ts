/** Streams that a handler has given to the library (D75): no error ends the process, and nothing stays open. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { application } from '../../../../src/core/application/application.ts';
import type { Plugin } from '../../../../src/core/application/plugin.ts';
import type { Handler } from '../../../../src/core/message/context.ts';
import { makeReply, replyWith, stream, text } from '../../../../src/core/message/replies.ts';
import type { Reply } from '../../../../src/core/message/reply.ts';
import type { Stage } from '../../../../src/core/pipeline/stage.ts';
import { route } from '../../../../src/core/routing/route.ts';
import { compression } from '../../../../src/extensions/compression/compression.ts';
import { ok } from '../../../../src/operations/operation/answers.ts';
import { operation } from '../../../../src/operations/routes/operation-routes.ts';
import { gate } from '../../../support/gate.ts';
import { LOADER, withLibrary } from '../../../support/program.ts';
import { logged, serveHandler } from '../../../support/serve.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const FILE = fileURLToPath(import.meta.url);

type Answer = (make: () => Reply) => Reply | Promise<Reply>;

const plainRoute = (handle: Handler): Plugin => ({
  name: 'a',
  routes: [route({ path: 'x', handle: ({ context }) => handle(context) })],
});
/** An operation whose reply is sent unchanged. */
const bytesOperation = (handle: Handler): Plugin => ({
  name: 'a',
  routes: [
    operation({
      method: 'GET',
      path: 'x',
      responses: { 200: { mediaType: 'text/plain' } },
      handle: ({ context }) => handle(context) as Reply<200, Readable>,
    }),
  ],
});
/** An operation that streams the rows of a list. */
const rowsOperation = (handle: Handler): Plugin => ({
  name: 'a',
  routes: [
    operation({
      method: 'GET',
      path: 'x',
      responses: { 200: { schema: { type: 'array', items: { type: 'string' } } } },
      handle: ({ context }) => handle(context) as Reply<200, string[]>,
    }),
  ],
});

/** The ways to give a stream to the library, each with a plugin whose handler may return the reply. */
const WAYS: readonly (readonly [string, (source: Readable) => Reply, (handle: Handler) => Plugin])[] = [
  ['stream(source)', (source) => stream(source), plainRoute],
  ['replyWith(reply, { body: source })', (source) => replyWith(text('a'), { headers: [], body: source }), plainRoute],
  ['makeReply(200, [], source)', (source) => makeReply(200, [], source), plainRoute],
  ['ok(source) with a media type', (source) => ok(source), bytesOperation],
  ['stream(source) in an operation', (source) => stream(source, { mediaType: 'text/plain' }), bytesOperation],
  ['ok(rows)', (source) => ok(source), rowsOperation],
];

for (const [way, reply, plugin] of WAYS)
  for (const [when, answer] of [
    ['is returned after a wait', (make) => (async (made) => (await turn(), await turn(), made))(make())],
    [
      'is made after a wait, and returned after another',
      async (make) => {
        await turn();
        const made = make();
        await turn();
        await turn();
        return made;
      },
    ],
  ] as readonly (readonly [string, Answer])[])
    test(`D75 – ${way} of an absent file ${when} → 500; the log names the file`, async () => {
      const logged: unknown[] = [];
      const app = application([plugin(() => answer(() => reply(createReadStream('/there is no such file'))))], {
        log: (error) => logged.push(error),
      });
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
  const late = gate();
  const over = gate();
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

test('D75 – a request makes the reply for another request that waits → the whole is sent', async () => {
  let give!: (reply: Reply) => void;
  const given = new Promise<Reply>((resolve) => {
    give = resolve;
  });
  const rest = gate();
  async function* slowly() {
    yield 'first ';
    await rest.passed;
    yield 'last';
  }
  const app = application([
    {
      name: 'a',
      routes: [
        route({ path: 'wait', handle: () => given }),
        route({
          path: 'give',
          handle: () => {
            give(stream(slowly()));
            return text('given');
          },
        }),
      ],
    },
  ]);
  const waiting = app.request('/wait');
  assert.equal(await (await app.request('/give')).text(), 'given');
  const reply = await waiting;
  await turn();
  rest.open();
  assert.equal(await reply.text(), 'first last');
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
  const { stdout, stderr } = spawnSync(process.execPath, [...LOADER, path, path], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  assert.equal(stdout, 'closed', stderr);
});
