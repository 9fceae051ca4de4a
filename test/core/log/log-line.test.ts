/** Every line of the log is one JSON object, for every thrown value (D10). Tests the functions and a running service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { logError } from '../../../src/core/http/error-log.ts';
import { logEntry, logErrorLine, logInfo, logWarning, nameProcess } from '../../../src/core/log/log-line.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import { ask } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { SOURCE_LOADER } from '../../support/program.ts';
import { logged, serveHandler } from '../../support/serve.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

const SOURCES = new URL('../../../src/', import.meta.url).href;
const FORGED = 'x\n{"level":"error","error":"forged"}\r\u001b[31m\u007f\u0085\u009b2J\u2028\u2029\u202e\u{e0041}y';
/** Characters that control a terminal or split a line. */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const trap = throwing(new Error('trap'));
const refusing = { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap, getOwnPropertyDescriptor: trap };
const unreadable = (name: string): Error =>
  Object.defineProperty(new Error('readable'), name, { get: throwing(new Error('getter')) });
const toString = throwing(new Error('toString'));

/** Thrown values, and the member `error` that their lines have. */
const THROWN: readonly (readonly [what: string, thrown: unknown, says: RegExp])[] = [
  ['an error', new TypeError('no luck'), /^TypeError: no luck$/],
  ['an error whose message forges a line', new Error(FORGED), /^Error: x\n\{"level"/],
  ['a text that forges a line', FORGED, /^x\n\{"level"/],
  ['an empty text', '', /^$/],
  ['undefined', undefined, /^undefined$/],
  ['null', null, /^null$/],
  ['a number', 42, /^42$/],
  ['a symbol', Symbol('s'), /^Symbol\(s\)$/],
  ['a plain object', { code: 'E1' }, /E1/],
  ['an object whose toString throws', { toString }, /toString/],
  ['an error whose toString throws', Object.assign(new Error('m'), { toString }), /./],
  ['an object without a prototype', Object.create(null), /./],
  ['a proxy of an error', new Proxy(new Error('behind'), {}), /behind/],
  ['a proxy that refuses everything', new Proxy({}, refusing), /./],
  ['a proxy of an error that refuses everything', new Proxy(new Error('x'), refusing), /./],
  ['a function that refuses everything', new Proxy(() => {}, refusing), /./],
  ['an error of another realm', runInNewContext('new RangeError("elsewhere")'), /^RangeError: elsewhere$/],
  ...['message', 'stack', 'name', 'cause', 'errors', 'toString'].map(
    (name) => [`an error whose ${name} throws`, unreadable(name), /./] as const,
  ),
  ['a message of a megabyte', new Error('long '.repeat(2 ** 18)), /^Error: long .*…$/],
];

test('one line – every value that a handler throws gives 500 and one JSON object that names the request', async (t) => {
  let thrown: unknown;
  const { port } = await serveHandler(
    t,
    pipeline([problems()], () => throwing(thrown)()),
  );
  for (const [what, value, says] of THROWN) {
    thrown = value;
    assertProblem(await ask(port, { target: '/bad', headers: { 'X-Request-Id': 'the-id' } }), 500);
    const { error, method, path, requestId } = onlyLine();
    assert.match(error, says, what);
    assert.deepEqual([method, path, requestId], ['GET', '/bad', 'the-id']);
  }
});

test('one line – an error has its stack, its causes and its errors, each once', () => {
  const cause: Error & { cause?: unknown } = new Error('cause');
  const error = new Error('first', { cause });
  cause.cause = new AggregateError([new Error('a'), 'b', error, cause], 'many');
  logErrorLine(error);
  const line = onlyLine();
  assert.match(line.stack, /^Error: first\n {4}at /);
  assert.equal(line.cause.error, 'Error: cause');
  assert.match(line.cause.stack, /^Error: cause\n {4}at /);
  assert.equal(line.cause.cause.error, 'AggregateError: many');
  assert.deepEqual(
    line.cause.cause.errors.map((one: { error: string }) => one.error),
    ['Error: a', 'b'],
  );
});

test('one line – the causes of an error are cut after a limit', () => {
  const endless = (): object => ({
    get cause() {
      return endless();
    },
    get errors() {
      return [endless(), endless()];
    },
  });
  logErrorLine(endless());
  assert.ok(JSON.stringify(onlyLine()).length < 300_000);
});

test('one line – an error is logged even if reading the request throws', () => {
  logError(new Error('seen'), new Proxy({}, refusing) as never);
  assert.equal(onlyLine().error, 'Error: seen');
});

test('one line – a path cannot forge a line', () => {
  logError(new Error('seen'), Object.defineProperty(testContext('/'), 'path', { value: FORGED }));
  assert.equal(onlyLine()['path'], FORGED);
});

test('one line – a warning cannot forge a line', () => {
  logWarning(FORGED);
  assert.deepEqual({ ...onlyLine('warning'), time: '' }, { time: '', level: 'warning', message: FORGED });
});

test('An entry with an error cannot forge a line (D106)', () => {
  logEntry({ level: 'warning', message: FORGED, error: new RangeError('far') });
  const { error, message } = onlyLine('warning') as unknown as {
    error: { error: string; stack: string };
    message: string;
  };
  assert.equal(message, FORGED);
  assert.equal(error.error, 'RangeError: far');
  assert.match(error.stack, /log-line\.test/);
});

test('one line – U+007F, which JSON.stringify does not escape, is escaped', () => {
  logEntry({ level: 'warning', message: 'a\u007fb' });
  assert.match(logged[0] ?? '', /"a\\u007fb"/);
  assert.equal(onlyLine('warning')['message'], 'a\u007fb');
});

test('A value that JSON cannot represent is written as text (D106)', () => {
  logEntry({ level: 'warning', count: 5n, message: 'x' });
  const { count } = onlyLine('warning') as unknown as { count: string };
  assert.equal(count, '5');
});

test('D110 – the members that name the process → replace members of the same name on every line', (t) => {
  t.after(() => nameProcess({}));
  nameProcess({ service: 's', pid: 7 });
  logEntry({ level: 'info', message: 'm', pid: 'own' });
  logInfo('back');
  logErrorLine('broken');
  const lines = logged.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const { service, pid } of lines) assert.deepEqual([service, pid], ['s', 7]);
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['info', 'info', 'error'],
  );
});

for (const [how, log] of [
  ['throws', throwing(new Error('log'))],
  ['rejects', async () => Promise.reject(new Error('log'))],
] as const)
  test(`one line – if a log function ${how}, the reply is still 500 and both errors are logged`, async (t) => {
    const { port } = await serveHandler(t, pipeline([problems(log)], throwing(new Error('cause'))), { log });
    assertProblem(await ask(port, { target: '/' }), 500);
    assert.deepEqual(
      logged.splice(0).map((line) => JSON.parse(line).error),
      ['Error: cause', 'Error: log'],
    );
  });

/** Parses the only line that was logged since the last call. */
function onlyLine(level = 'error'): Record<string, any> {
  const lines = logged.splice(0);
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.doesNotMatch(lines[0]!, ACTIVE);
  const line = JSON.parse(lines[0]!) as Record<string, any>;
  assert.equal(line['level'], level);
  assert.ok(Math.abs(Date.parse(line['time']) - Date.now()) < 60_000, line['time']);
  return line;
}

/** A program that uses the library. It writes the number of its uncaught errors to descriptor 3. */
const EMBEDDING = `
  import { writeSync } from 'node:fs';
  import { setImmediate } from 'node:timers/promises';
  import { accessLog } from '${SOURCES}shelf/logs/access-log.ts';
  import { application } from '${SOURCES}core/application/application.ts';
  let uncaught = 0;
  process.on('uncaughtException', () => uncaught++);
  const fails = () => {
    throw new Error('no luck');
  };
  const { request, stop } = application([accessLog(), { name: 'fails', stages: [fails] }]);
  await Promise.all([request('/a'), request('/b'), request('/c')]);
  await stop();
  await setImmediate();
  await setImmediate();
  const ofLibrary = uncaught;
  for (const stream of [process.stdout, process.stderr]) for (let count = 0; count < 2; count++) stream.write('own');
  await setImmediate();
  await setImmediate();
  writeSync(3, JSON.stringify({ ofLibrary, ofProgram: uncaught - ofLibrary }));
`;

test('If nobody reads standard error, write errors of the program are uncaught and those of the library are not (D62)', {
  timeout: 60_000,
}, async (t) => {
  const child = spawn(process.execPath, [...SOURCE_LOADER, '--input-type=module', '-e', EMBEDDING], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  child.stdout!.destroy();
  child.stderr!.destroy();
  const counts = (child.stdio[3] as Readable).toArray();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  const { ofLibrary, ofProgram } = JSON.parse((await counts).join('')) as Record<string, number>;
  assert.equal(ofLibrary, 0);
  assert.notEqual(ofProgram, 0);
});

test('At most 1 MiB waits for a slow reader; dropped lines are counted and reported (D62)', {
  timeout: 60_000,
}, async (t) => {
  const lines = 3000;
  const script = `
    import { once } from 'node:events';
    import { writeSync } from 'node:fs';
    import { droppedLines, logWarning } from '${SOURCES}core/log/log-line.ts';
    for (let count = 0; count < ${lines}; count++) logWarning('x'.repeat(1000));
    const waits = process.stderr.writableLength;
    writeSync(3, String(waits));
    await once(process.stderr, 'drain');
    logWarning('last ' + droppedLines());
  `;
  const child = spawn(process.execPath, [...SOURCE_LOADER, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [waits] = (await once(child.stdio[3]!, 'data')) as [Buffer];
  assert.ok(Number(waits) < 2 ** 20 + 2000, String(waits));
  const said = (await child.stderr!.toArray())
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { message?: string; dropped?: number });
  const [last, count] = [said.pop(), said.pop()];
  assert.ok(count!.dropped! > 1000);
  assert.equal(last?.message, `last ${count!.dropped}`);
  assert.equal(said.length + count!.dropped!, lines);
});
