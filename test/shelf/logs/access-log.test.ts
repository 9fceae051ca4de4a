/** Tests the lines of the access log, and a service whose log cannot be written. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as consumedText } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Context } from '../../../src/core/http/context.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { json, stream, text } from '../../../src/core/http/replies.ts';
import { slot } from '../../../src/core/http/slot.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { listener } from '../../../src/core/server/service.ts';
import { whenSent } from '../../../src/extending.ts';
import { type AccessLogOptions, accessLog } from '../../../src/shelf/logs/access-log.ts';
import { traceContext } from '../../../src/shelf/logs/trace-context.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask, Client } from '../../support/ask.ts';
import { errorLines } from '../../support/error-lines.ts';
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

/** The lines of a log with these options after these requests in memory. */
async function logged(
  t: TestContext,
  requests: readonly Parameters<typeof answerOf>[1][],
  options: AccessLogOptions = {},
): Promise<Line[]> {
  const { descriptor, lines, entries } = logFile(t);
  const plugin = accessLog({ descriptor, ...options });
  const served = pipeline([...plugin.outerStages!, problems(() => {}), answers]);
  for (const request of requests) await answerOf(served, request);
  await until(() => lines().length === requests.length, 'the lines are written');
  // The log has no control characters or line separators except line feeds.
  assert.doesNotMatch(lines().join(''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  return entries();
}

test('operation – a request → one JSON line, with the address of the client and without the query', async (t) => {
  const [line] = await logged(t, [{ path: '/text?secret=1', headers: { 'X-Request-Id': 'abc-1' } }]);
  const { time, ms, ...rest } = line!;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.ok(typeof ms === 'number' && ms >= 0);
  assert.deepEqual(rest, {
    ...{ level: 'info', requestId: 'abc-1', method: 'GET', path: '/text' },
    ...{ status: 200, bytes: 5, remoteAddress: '127.0.0.1' },
  });
});

test('D106 – a long path → cut after 512 characters', async (t) => {
  const path = `/${'p'.repeat(1500)}/${'q'.repeat(1500)}`;
  const [line] = await logged(t, [{ path }]);
  assert.equal(line!['path'], `${path.slice(0, 512)}…`);
});

/** A refusal of Node's parser. It is logged at once, without a reply. */
const REFUSAL = {
  ...{ isSeen: false, reason: 'HPE_INVALID', requestId: 'r', method: 'GET' },
  ...{ path: `/${'x'.repeat(1000)}`, status: 400, remoteAddress: undefined },
};

test('one line – a path that contains a forged line → one line', async (t) => {
  const { descriptor, lines, entries } = logFile(t);
  const plugin = accessLog({ descriptor });
  const path = 'x\n{"status":200}\r\u001b[31m\u007f\u0085\u009b2J\u2028\u2029\u202ey';
  plugin.refused!({ ...REFUSAL, path });
  plugin.refused!({ ...REFUSAL, path: '\u009b'.repeat(9000) });
  await plugin.stop!();
  assert.doesNotMatch(lines().join(''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  const paths = entries().map(({ path }) => path);
  assert.deepEqual(paths, [path, `${'\u009b'.repeat(512)}…`]);
});

test('operation – more than 1 MiB of waiting lines → dropped, counted and reported in a line', async (t) => {
  const { descriptor, entries } = logFile(t);
  const plugin = accessLog({ descriptor });
  for (let count = 0; count < 4000; count++) plugin.refused!(REFUSAL);
  await plugin.stop!();
  plugin.refused!(REFUSAL);
  await plugin.stop!();
  const report = entries().find(({ dropped }) => dropped !== undefined)!;
  assert.equal(Number(report['dropped']) + entries().filter(({ path }) => path !== undefined).length, 4001);
  assert.equal(report['dropped'], plugin.dropped);
  assert.equal(report['level'], 'warning');
});

const LONG = { timeout: 60_000 };
const NO_PIPE = process.platform === 'win32' && 'needs mkfifo';

/** A process that logs to standard output, or to the descriptor in LOG, and reports its result on descriptor 3. */
const SERVICE = withLibrary(`
  import { writeSync } from 'node:fs';
  import { accessLog } from 'todo-item-service/logs';
  const plugin = accessLog({ descriptor: Number(process.env.LOG ?? 1) });
  const refusal = ${JSON.stringify(REFUSAL)};
  for (let turn = 0; turn < 200; turn++) {
    for (let count = 0; count < 20; count++) plugin.refused(refusal);
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

test('operation – the log is not read → the service goes on and ends', LONG, async () => {
  const unread = serving('pipe');
  unread.stdout!.pause();
  unread.once('exit', () => unread.stdout!.resume());
  await ended(unread);
});

test('operation – a named pipe that is not read → the service goes on and ends', { skip: NO_PIPE }, async (t) => {
  const fifo = join(temporaryFolder({}), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const both = openSync(fifo, 'r+');
  t.after(() => closeSync(both));
  await ended(serving(both));
});

test('operation – the program prints and exits at once → its text and the lines before it are written', async () => {
  const ending = withLibrary(`
    import { accessLog } from 'todo-item-service/logs';
    accessLog().refused(${JSON.stringify(REFUSAL)});
    console.log('the end');
    process.exit(3);
  `);
  const child = spawn(process.execPath, [...LOADER, '--input-type=module', '-e', ending]);
  const [printed, [code]] = await Promise.all([consumedText(child.stdout), once(child, 'close')]);
  assert.match(printed, /^\{.+\}\nthe end\n$/);
  assert.equal(code, 3);
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

test('D78 – the host framework answers one of two requests → only the other has a line', async (t) => {
  const { descriptor, entries } = logFile(t);
  const plugin = accessLog({ descriptor });
  const listen = listener(pipeline([...plugin.outerStages!, answers]));
  const port = await serveListener(t, (request, response) =>
    listen(request, response, () => response.end('of the host')),
  );
  for (const target of ['/theirs', '/text']) await ask(port, { target });
  await until(() => entries().length > 0, 'a line is written');
  await plugin.stop!();
  const paths = entries().map(({ path }) => path);
  assert.deepEqual(paths, ['/text']);
});

test('D106 – custom members → after the standard ones, which they replace', async (t) => {
  const user = slot<string>('user');
  const members = (context: Context) => {
    user.set(context, 'Ada');
    return { user: user.get(context), trace: { id: 7 }, remoteAddress: undefined };
  };
  const [line] = await logged(t, [{ path: '/text' }], { members });
  const names = ['time', 'level', 'requestId', 'method', 'path', 'status', 'bytes', 'ms', 'user', 'trace'];
  assert.deepEqual(Object.keys(line!), names);
  assert.deepEqual([line!['user'], line!['trace']], ['Ada', { id: 7 }]);
});

const endless: Record<string, unknown> = {};
endless['self'] = endless;

for (const [what, members, cause] of [
  ['members that throw', throwing(new Error('no luck')), /^Error: no luck$/],
  ['members that JSON cannot represent', () => ({ endless }), /^TypeError: Converting circular/],
] as const)
  test(`D106 – ${what} → the line without them, logged once, and every request is answered`, async (t) => {
    const told = errorLines(t);
    const lines = await logged(t, [{ path: '/text' }, { path: '/later' }], { members });
    const sent = lines.map(({ path, status, remoteAddress }) => `${path} ${status} ${remoteAddress}`);
    assert.deepEqual(sent, ['/text 200 127.0.0.1', '/later 200 127.0.0.1']);
    const [line, ...others] = told();
    assert.equal(line!['error'], 'Error: Cannot write a line of the access log; this is logged once');
    assert.match(line!['cause'].error, cause);
    assert.equal(line!['path'], '/text');
    assert.deepEqual(others, []);
  });

for (const [what, members] of [
  ['an async function', async () => ({})],
  ['a text', 'combined'],
] as const)
  test(`D106 – ${what} as members → a TypeError when the log is created`, () =>
    assert.throws(() => accessLog({ members } as never), {
      name: 'TypeError',
      message: 'Cannot log requests with this "members": give a synchronous function',
    }));

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
  const plugin = accessLog({ descriptor });
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

test('D110 – replies of each kind → the lines have the bytes that were sent, in order', async (t) => {
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

test('D106 – a log of the application → it gets the members of each line, and of a refused request', async () => {
  const lines: Line[] = [];
  const plugin = accessLog({ write: (line) => void lines.push(line as Line), members: () => ({ user: 'Ada' }) });
  const served = pipeline([...plugin.outerStages!, problems(() => {}), answers]);
  await answerOf(served, { path: '/text' });
  plugin.refused!(REFUSAL);
  await until(() => lines.length === 2, 'two lines');
  const refused = lines.find(({ reason }) => reason !== undefined)!;
  const [{ status, user, path, time }] = lines.filter((line) => line !== refused) as [Line];
  assert.deepEqual([status, user, path, time], [200, 'Ada', '/text', undefined]);
  assert.deepEqual([refused['status'], refused['reason'], refused['user']], [400, 'HPE_INVALID', undefined]);
  assert.equal(plugin.dropped, 0);
});

test('D106 – a log of the application that fails → the reply does not change, and the line is counted', async (t) => {
  const lines = errorLines(t);
  const plugin = accessLog({
    write() {
      throw new Error('disk');
    },
  });
  const served = pipeline([...plugin.outerStages!, problems(() => {}), answers]);
  assert.equal((await answerOf(served, { path: '/text' })).status, 200);
  await until(() => plugin.dropped === 1, 'the dropped line');
  assert.match(JSON.stringify(lines()), /Cannot write a line of the access log/);
});

for (const options of [{ write: 'info' }, { write: () => {}, descriptor: 1 }])
  test(`D106 – a log with ${JSON.stringify(options)} and a function → refused where it is made`, () =>
    assert.throws(() => accessLog(options as unknown as AccessLogOptions), /give a function \(line\)/));

test('D106 – a log of the application that returns a rejected promise → the line is counted, and the process goes on', async (t) => {
  const lines = errorLines(t);
  const plugin = accessLog({ write: async () => Promise.reject(new Error('disk')) });
  const served = pipeline([...plugin.outerStages!, problems(() => {}), answers]);
  assert.equal((await answerOf(served, { path: '/text' })).status, 200);
  await until(() => plugin.dropped === 1, 'the dropped line');
  assert.match(JSON.stringify(lines()), /Cannot write a line of the access log/);
});

test('D106 – members that return a promise → the members when it is fulfilled, the line without them when it is rejected', async (t) => {
  errorLines(t);
  const lines: Line[] = [];
  const users: unknown[] = [];
  for (const answer of [Promise.resolve({ user: 'Ada' }), Promise.reject(new Error('gone'))]) {
    const plugin = accessLog({ write: (line) => void lines.push(line as Line), members: () => answer });
    const served = pipeline([...plugin.outerStages!, problems(() => {}), answers]);
    await answerOf(served, { path: '/text' });
    await until(() => lines.length + plugin.dropped > 0, 'the line');
    users.push(lines.pop()!['user']);
    assert.equal(plugin.dropped, 0);
  }
  assert.deepEqual(users, ['Ada', undefined]);
});

test('D110 – a line of a request with a trace → both ids', async () => {
  const lines: Line[] = [];
  const plugin = accessLog({ write: (line) => void lines.push(line as Line) });
  const served = pipeline([...plugin.outerStages!, ...traceContext().outerStages!, problems(() => {}), answers]);
  await answerOf(served, { path: '/text' });
  await until(() => lines.length === 1, 'the line');
  assert.match(`${lines[0]!['traceId']} ${lines[0]!['spanId']}`, /^[\da-f]{32} [\da-f]{16}$/);
});
