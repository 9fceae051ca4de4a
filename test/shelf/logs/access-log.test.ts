/** Tests the lines of the access log, and a service whose log cannot be written. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as consumedText } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Context } from '../../../src/core/message/context.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { headerOf, json, stream, text } from '../../../src/core/message/replies.ts';
import type { Reply } from '../../../src/core/message/reply.ts';
import { slot } from '../../../src/core/message/slot.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { listener } from '../../../src/core/wire/service.ts';
import { whenSent } from '../../../src/extending.ts';
import { type AccessLogOptions, accessLog } from '../../../src/shelf/logs/access-log.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask, Client } from '../../support/ask.ts';
import { LOADER, withLibrary } from '../../support/program.ts';
import { serveHandler, serveListener } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { throwing } from '../../support/throwing.ts';
import { until } from '../../support/until.ts';

const answers: Stage = (context, next) => {
  switch (context.path) {
    case '/text':
      return text('grün');
    case '/later':
      return Promise.resolve(json([1, 2]));
    case '/bytes':
      return { status: 200, headers: ['Content-Length', '3'], body: Buffer.from('abc') };
    case '/throws':
      throw new HttpProblem(413, 'Too large');
    case '/breaks':
      return Promise.reject(new Error('broken'));
    default:
      return next(context);
  }
};

type Line = Readonly<Record<string, unknown>>;

/** A file for a log: its descriptor, and its lines once the log has stopped. */
function logFile(t: TestContext) {
  const file = join(temporaryFolder({}), 'access.log');
  const descriptor = openSync(file, 'a');
  t.after(() => closeSync(descriptor));
  const lines = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return { descriptor, lines, entries: () => lines().map((line) => JSON.parse(line) as Line) };
}

/** The lines of a log with these options after these requests. */
async function textsOf<Members extends object>(
  t: TestContext,
  options: AccessLogOptions<Members> = {},
  requests: readonly Parameters<typeof answerOf>[1][] = [{ path: '/text', headers: { 'X-Request-Id': 'a' } }],
): Promise<string[]> {
  const { descriptor, lines } = logFile(t);
  const plugin = accessLog({ descriptor, ...options });
  const served = pipeline([...plugin.outerStages!, problems(() => {}), answers]);
  for (const request of requests) await answerOf(served, request);
  await plugin.stop!();
  return lines();
}

async function logged(t: TestContext, requests: Parameters<typeof textsOf>[2], options: AccessLogOptions = {}) {
  const lines = await textsOf(t, options, requests);
  // The log has no control characters or line separators except line feeds.
  assert.doesNotMatch(lines.join(''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  return lines.map((line) => JSON.parse(line) as Line);
}

test('operation – requests → one JSON line each, in order', async (t) => {
  const lines = await logged(t, [
    { path: '/text?secret=1', headers: { 'X-Request-Id': 'abc-1' } },
    { method: 'HEAD', path: '/text' },
    { path: '/later' },
    { path: '/bytes' },
    { path: '/nothing' },
    { path: '/throws' },
    { path: '/breaks' },
  ]);
  assert.deepEqual(lines.map(({ method, path, status, bytes }) => [method, path, status, bytes]).slice(0, 4), [
    ['GET', '/text', 200, 5],
    ['HEAD', '/text', 200, 0],
    ['GET', '/later', 200, 5],
    ['GET', '/bytes', 200, 3],
  ]);
  assert.deepEqual(lines.map(({ status }) => status).slice(4), [404, 413, 500]);
  const { time, requestId, ms, remoteAddress } = lines[0]!;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(requestId, 'abc-1');
  assert.ok(typeof ms === 'number' && ms >= 0);
  assert.equal(remoteAddress, '127.0.0.1');
});

test('security headers – a client behind a proxy → logged with the address that `remoteAddress` returns', async (t) => {
  const [line] = await logged(t, [{ path: '/text' }], { remoteAddress: () => '192.0.2.60' });
  assert.equal(line!['remoteAddress'], '192.0.2.60');
});

test('one line – a value that contains a forged line → one line', async (t) => {
  const forged = 'x\n{"status":200}\r\u001b[31m\u007f\u0085\u009b2J\u2028\u2029\u202ey';
  const lines = await logged(t, [{ path: '/text' }], { remoteAddress: () => forged });
  assert.deepEqual(
    lines.map(({ remoteAddress }) => remoteAddress),
    [forged],
  );
});

test('D106 – texts that make a line longer than one write to a pipe → cut, and the line has at most 4,096 bytes', async (t) => {
  const path = `/${'p'.repeat(1500)}/${'q'.repeat(1500)}`;
  const [line, short] = await logged(t, [{ path }, { path: '/text' }], { remoteAddress: () => '\u0085'.repeat(700) });
  assert.equal(line!['path'], `${path.slice(0, 512)}…`);
  assert.equal(line!['remoteAddress'], `${'\u0085'.repeat(512)}…`);
  assert.equal(short!['path'], '/text');
});

test('operation – more waiting lines than `bound` → dropped, counted and reported in a line', async (t) => {
  const { descriptor, entries } = logFile(t);
  const plugin = accessLog({ descriptor, bound: 1000 });
  const [stage] = plugin.outerStages!;
  const context = { method: 'GET', path: '/x', requestId: 'r', request: { socket: {} } } as never;
  for (let count = 0; count < 100; count++) void stage!(context, () => text('well'));
  await plugin.stop!();
  void stage!(context, () => text('well'));
  await plugin.stop!();
  const report = entries().find(({ dropped }) => dropped !== undefined)!;
  assert.equal(Number(report['dropped']) + entries().filter(({ path }) => path === '/x').length, 101);
  assert.equal(report['dropped'], plugin.dropped);
  assert.ok(entries().length < 15);
});

const NO_FULL_DISK = process.platform !== 'linux' && 'needs /dev/full';
const LONG = { timeout: 60_000 };
const NO_PIPE = process.platform === 'win32' && 'needs mkfifo';

/** A process that logs to standard output, or to the descriptor in LOG, and reports its result on descriptor 3. */
const SERVICE = withLibrary(`
  import { writeSync } from 'node:fs';
  import { accessLog } from 'todo-item-service/logs';
  const plugin = accessLog({ bound: 100_000, descriptor: Number(process.env.LOG ?? 1) }), [stage] = plugin.outerStages;
  const context = { method: 'GET', path: '/' + 'x'.repeat(1000), requestId: 'r', request: { socket: {} } };
  const reply = { status: 200, headers: [] };
  for (let turn = 0; turn < 200; turn++) {
    for (let count = 0; count < 20; count++) stage(context, () => reply);
    await new Promise((resolve) => setImmediate(resolve));
  }
  writeSync(3, 'served');
  await plugin.stop();
  process.exit(0);
`);

/** Starts the process. Descriptor 3 has its result; if there is a descriptor 4, the log is written to it. */
const serving = (stdout: 'pipe' | 'ignore' | number, ...further: readonly 'pipe'[]) =>
  spawn(process.execPath, [...LOADER, '--input-type=module', '-e', SERVICE], {
    stdio: ['ignore', stdout, 'pipe', 'pipe', ...further],
    env: { ...process.env, LOG: further.length > 0 ? '4' : '1' },
  });

async function ended(child: ReturnType<typeof serving>) {
  const result = consumedText(child.stdio[3] as Readable);
  const complaints = consumedText(child.stderr!);
  const [code] = await once(child, 'close');
  assert.deepEqual([await complaints, code, await result], ['', 0, 'served']);
}

test('operation – the log is not read, or its reader has ended → the service goes on and ends', LONG, async () => {
  const unread = serving('pipe');
  unread.stdout!.pause();
  unread.once('exit', () => unread.stdout!.resume());
  const left = serving('pipe');
  left.stdout!.destroy();
  await Promise.all([ended(unread), ended(left)]);
});

test('operation – the disk of the log is full → the service goes on and ends', { skip: NO_FULL_DISK }, async (t) => {
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  await ended(serving(full));
});

test('operation – a named pipe that is not read → the service goes on and ends', { skip: NO_PIPE }, async (t) => {
  const fifo = join(temporaryFolder({}), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const both = openSync(fifo, 'r+');
  t.after(() => closeSync(both));
  await ended(serving(both));
});

test('operation – a socket on another descriptor, read or not → the lines arrive, or the service goes on', async () => {
  const unread = serving('ignore', 'pipe');
  unread.once('exit', () => unread.stdio[4]!.destroy());
  const read = serving('ignore', 'pipe');
  const lines = consumedText(read.stdio[4] as Readable);
  await Promise.all([ended(unread), ended(read)]);
  const entries = (await lines)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { path?: string; dropped?: number });
  const total = entries.reduce((sum, { path, dropped = 0 }) => sum + (path ? 1 : dropped), 0);
  assert.equal(total, 4000);
});

test('D78 – a custom clock → the same line each time', async (t) => {
  const times = [1000, 1250, 1250];
  const [line] = await logged(t, [{ path: '/text', headers: { 'X-Request-Id': 'a' } }], { now: () => times.shift()! });
  assert.deepEqual(line, {
    ...{ time: '1970-01-01T00:00:01.250Z', requestId: 'a', method: 'GET', path: '/text' },
    ...{ status: 200, bytes: 5, ms: 250, remoteAddress: '127.0.0.1' },
  });
});

for (const whenSent of [false, true])
  test(`D78 – whenSent ${whenSent}, the host framework answers one of two requests → only the other has a line`, async (t) => {
    const { descriptor, lines } = logFile(t);
    const plugin = accessLog({ descriptor, whenSent });
    const listen = listener(pipeline([...plugin.outerStages!, answers]));
    const port = await serveListener(t, (request, response) =>
      listen(request, response, () => response.end('of the host')),
    );
    for (const target of ['/theirs', '/text']) await ask(port, { target });
    await until(() => lines().length > 0, 'a line is written');
    await plugin.stop!();
    assert.deepEqual(
      lines()
        .join('')
        .match(/"path":"[^"]+"/g),
      ['"path":"/text"'],
    );
  });

/** The errors in the log of the service, each with its cause. */
function loggedErrors(t: TestContext) {
  const { mock } = t.mock.method(console, 'error', () => {});
  return () =>
    mock.calls.map(({ arguments: [line] }) => {
      const { error, cause, path } = JSON.parse(String(line)) as Record<string, { readonly error: string }>;
      return [error, cause?.error, path];
    });
}

const CLOCK = { now: () => 0 };
const STANDARD =
  '{"time":"1970-01-01T00:00:00.000Z","requestId":"a","method":"GET","path":"/text","status":200,"bytes":5,"ms":0,"remoteAddress":"127.0.0.1"';

test('D106 – custom members → after the standard ones; they are computed from the request and its reply', async (t) => {
  const user = slot<string>('user');
  const members = (context: Context, reply: Reply | undefined) => {
    user.set(context, 'Ada');
    return { user: user.get(context), type: reply && headerOf(reply, 'content-type'), trace: { id: 7 } };
  };
  const [line] = await textsOf(t, { ...CLOCK, members });
  assert.equal(line, `${STANDARD},"user":"Ada","type":"text/plain; charset=utf-8","trace":{"id":7}}`);
});

test('D106 – a custom format → gets all members and makes the line; a tab stays, a line break does not', async (t) => {
  const lines = await textsOf(t, {
    members: () => ({ user: 'Ada' }),
    format: ({ method, path, status, user = '-' }) => `${user}\t${method} ${path}\t${status}\r\n\u001b[31mforged`,
  });
  assert.deepEqual(lines, ['Ada\tGET /text\t200 \\u001b[31mforged']);
});

test('D106 – a format that makes a long line → cut to one write, between two characters', async (t) => {
  for (const letter of ['x', 'ü', '😀']) {
    const [line] = await textsOf(t, { format: () => letter.repeat(5000) });
    const bytes = Buffer.byteLength(line!);
    assert.ok(bytes < 4096 && bytes > 4085, `${bytes}`);
    assert.match(line!, /^(x+|ü+|(😀)+)…$/u);
  }
});

const failing = throwing(new Error('no luck'));
const endless: Record<string, unknown> = {};
endless['self'] = endless;

for (const [what, options, line, cause] of [
  ['members that throw', { members: failing }, `${STANDARD}}`, /^Error: no luck$/],
  [
    'members that are a string',
    { members: () => 'Ada' },
    `${STANDARD}}`,
    /members has returned "Ada"; return an object/,
  ],
  [
    'members that are a promise',
    { members: () => Promise.reject(new Error('late')) },
    `${STANDARD}}`,
    /return an object synchronously$/,
  ],
  [
    'a standard member',
    { members: () => ({ user: 'Ada', status: 7 }) },
    `${STANDARD}}`,
    /The line already has the member "status"/,
  ],
  [
    'members that JSON cannot represent',
    { members: () => ({ endless }) },
    `${STANDARD}}`,
    /^TypeError: Converting circular/,
  ],
  [
    'members that do not fit',
    { members: () => ({ list: Array(3000).fill(7) }) },
    `${STANDARD}}`,
    /^RangeError: A line of \d+ characters is too long/,
  ],
  [
    'a format that throws',
    { format: failing, members: () => ({ user: 'Ada' }) },
    `${STANDARD},"user":"Ada"}`,
    /^Error: no luck$/,
  ],
  [
    'a format that returns undefined',
    { format: () => undefined },
    `${STANDARD}}`,
    /format has returned "undefined"; return a string/,
  ],
] as const)
  test(`D106 – ${what} → the line without it, logged once, and every request is answered`, async (t) => {
    const errors = loggedErrors(t);
    const question = { path: '/text', headers: { 'X-Request-Id': 'a' } };
    assert.deepEqual(await textsOf(t, { ...CLOCK, ...(options as AccessLogOptions) }, [question, question]), [
      line,
      line,
    ]);
    const [[error, said, path], ...others] = errors() as [[string, string, string]];
    const subject = 'format' in options ? 'the format' : 'the members';
    assert.equal(error, `Error: Cannot write ${subject} of the access log; this is logged once`);
    assert.match(said, cause);
    assert.equal(path, '/text');
    assert.deepEqual(others, []);
  });

for (const [what, options] of [
  ['an async function of members', { members: async () => ({}) }],
  ['an async format', { format: async () => '' }],
  ['a text as format', { format: 'combined' }],
] as const)
  test(`D106 – ${what} → a TypeError when the log is created`, () =>
    assert.throws(() => accessLog(options as never), {
      name: 'TypeError',
      message: /^Cannot log requests with this "(members|format)": give a synchronous function$/,
    }));

test('D106 – standard names as members, and members that do not exist → do not compile', () => {
  const wrong = [
    // @ts-expect-error status is a standard member.
    () => accessLog({ members: () => ({ status: 5 }) }),
    // @ts-expect-error This member does not exist.
    () => accessLog({ members: () => ({ user: 'Ada' }), format: ({ trace }) => `${trace}` }),
  ];
  assert.equal(wrong.length, 2);
});

/** Streamed bodies. `/endless` goes on until the client leaves, and `/never` is never answered. */
const streams: Stage = (context, next) => {
  switch (context.path) {
    case '/stream':
      return stream(['ab', 'cde'].map((part) => Buffer.from(part)));
    case '/endless':
      return stream(endlessRows());
    case '/never':
      return new Promise(() => {});
    case '/late':
      return { status: 200, headers: ['Content-Length', '3'], body: Readable.from([Buffer.from('ab')]) };
    default:
      return next(context);
  }
};
async function* endlessRows() {
  yield 'begin';
  await new Promise(() => {});
}

/** Does something with a connection, and returns the lines of its requests once their replies have ended. */
async function sentLines(t: TestContext, count: number, act: (client: Client, began: () => number) => Promise<void>) {
  const { descriptor, entries } = logFile(t);
  let [began, ended] = [0, 0];
  const plugin = accessLog({ descriptor, whenSent: true });
  const counts: Stage = (context, next) => {
    began++;
    whenSent(context, () => ended++);
    return next(context);
  };
  const stages = [...plugin.outerStages!, counts, problems(() => {}), streams, answers];
  const { port } = await serveHandler(t, pipeline(stages), { log: () => {} });
  await act(new Client(port), () => began);
  await until(() => ended === count, `${count} replies have ended`);
  await plugin.stop!();
  return entries();
}

test('D110 – `whenSent` → the lines have the bytes that were sent, in order', async (t) => {
  const targets = ['/text', '/text', '/later', '/bytes', '/stream', '/throws', '/breaks'];
  const lines = await sentLines(t, targets.length, async (client) => {
    for (const [at, target] of targets.entries()) await client.ask({ method: at === 1 ? 'HEAD' : 'GET', target });
    client.destroy();
  });
  const sent = lines.map(({ method, path, status, bytes }) => `${method} ${path} ${status} ${bytes}`);
  const whole = ['GET /text 200 5', 'HEAD /text 200 0', 'GET /later 200 5', 'GET /bytes 200 3', 'GET /stream 200 5'];
  assert.deepEqual(sent.slice(0, 5), whole);
  assert.match(sent.slice(5).join(), /^GET \/throws 413 \d{3},GET \/breaks 500 \d{3}$/);
  assert.ok(lines.every(({ aborted }) => aborted === undefined));
});

test('D110 – a client that leaves before or during the reply, and a reply that is cut → aborted', async (t) => {
  for (const [target, begin, status, bytes] of [
    ['/never', '', 499, 0],
    ['/endless', 'begin', 200, 5],
    ['/late', '', 200, 2],
  ] as const) {
    const [line] = await sentLines(t, 1, async (client, began) => {
      await client.send({ target });
      await until(() => began() === 1 && client.rest.toString().includes(begin), 'the client has the reply up to here');
      // The body is shorter than its Content-Length, so the service closes the connection.
      if (target === '/late') await client.over();
      else client.reset();
    });
    assert.deepEqual([line!['status'], line!['bytes'], line!['aborted']], [status, bytes, true], target);
  }
});
