/** Every line of the log is one JSON object, whatever was thrown: of the function and of a running service (D10). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { formatLog, logEntry, logErrorLine, logInfo, logWarning } from '../../../src/core/log/log-line.ts';
import { logError } from '../../../src/core/message/error-log.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import { ask } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { SOURCE_LOADER } from '../../support/program.ts';
import { logged, serveHandler } from '../../support/serve.ts';
import { testContext } from '../../support/test-context.ts';

const SOURCES = new URL('../../../src/', import.meta.url).href;
const FORGED = 'x\n{"level":"error","error":"forged"}\r\u001b[31m\u007f\u0085\u009b2J\u2028\u2029\u202e\u{e0041}y';
/** The characters that a terminal or a program that splits lines acts on. */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const refusing = {
  get() {
    throw new Error('trap');
  },
  has() {
    throw new Error('trap');
  },
  getPrototypeOf() {
    throw new Error('trap');
  },
  ownKeys() {
    throw new Error('trap');
  },
  getOwnPropertyDescriptor() {
    throw new Error('trap');
  },
};
const throwing = (name: string): Error =>
  Object.defineProperty(new Error('readable'), name, {
    get() {
      throw new Error('getter');
    },
  });

/** Thrown values, and the member `error` of their lines. */
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
  [
    'an object whose toString throws',
    {
      toString() {
        throw new Error('toString');
      },
    },
    /toString/,
  ],
  [
    'an error whose toString throws',
    Object.assign(new Error('m'), {
      toString() {
        throw new Error('toString');
      },
    }),
    /./,
  ],
  ['an object without a prototype', Object.create(null), /./],
  ['a proxy of an error', new Proxy(new Error('behind'), {}), /behind/],
  ['a proxy that refuses everything', new Proxy({}, refusing), /./],
  ['a proxy of an error that refuses everything', new Proxy(new Error('x'), refusing), /./],
  ['a function that refuses everything', new Proxy(() => {}, refusing), /./],
  ['an error of another realm', runInNewContext('new RangeError("elsewhere")'), /^RangeError: elsewhere$/],
  ...['message', 'stack', 'name', 'cause', 'errors', 'toString'].map(
    (name) => [`an error whose ${name} throws`, throwing(name), /./] as const,
  ),
  ['a message of a megabyte', new Error('long '.repeat(2 ** 18)), /^Error: long .*…$/],
];

for (const [what, thrown, says] of THROWN)
  test(`one line – ${what} is logged → one JSON object that says so`, () => {
    logErrorLine(thrown);
    assert.match(onlyLine().error, says);
  });

test('one line – a handler throws → 500, and one JSON object that names the request, whatever it throws', async (t) => {
  let thrown: unknown;
  const { port } = await serveHandler(
    t,
    pipeline([problems()], () => {
      throw thrown;
    }),
  );
  for (const [what, value, says] of THROWN) {
    thrown = value;
    assertProblem(await ask(port, { target: '/bad', headers: { 'X-Request-Id': 'the-id' } }), 500);
    const { error, method, path, requestId } = onlyLine();
    assert.match(error, says, what);
    assert.deepEqual([method, path, requestId], ['GET', '/bad', 'the-id']);
  }
});

test('one line – an error → the stack inside, with the causes behind it and the errors beside it, each once', () => {
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

test('one line – an error with causes without end → a line that ends', () => {
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

test('one line – a request whose members throw → the error is logged all the same', () => {
  logError(new Error('seen'), new Proxy({}, refusing) as never);
  assert.equal(onlyLine().error, 'Error: seen');
});

test('one line – a request whose path forges a line → one line', () => {
  logError(new Error('seen'), Object.defineProperty(testContext('/'), 'path', { value: FORGED }));
  assert.equal(onlyLine()['path'], FORGED);
});

test('one line – a warning that forges a line → one line', () => {
  logWarning(FORGED);
  assert.deepEqual({ ...onlyLine('warning'), time: '' }, { time: '', level: 'warning', message: FORGED });
});

test('D106 – an entry that forges a line, with an error and what JSON cannot have → one line', () => {
  logEntry({ level: 'warning', message: FORGED, error: new RangeError('far') });
  const { error, message } = onlyLine('warning') as unknown as {
    error: { error: string; stack: string };
    message: string;
  };
  assert.equal(message, FORGED);
  assert.equal(error.error, 'RangeError: far');
  assert.match(error.stack, /log-line\.test/);
});

test('one line – the one control character of ASCII that JSON leaves → an escape', () => {
  logEntry({ level: 'warning', message: 'a\u007fb' });
  assert.match(logged[0] ?? '', /"a\\u007fb"/);
  assert.equal(onlyLine('warning')['message'], 'a\u007fb');
});

test('D106 – an entry with a number that JSON cannot have → told in words', () => {
  logEntry({ level: 'warning', count: 5n, message: 'x' });
  const { count } = onlyLine('warning') as unknown as { count: string };
  assert.equal(count, '5');
});

test('log format – JSON with members of the process → behind those of each line, in place of its own', (t) => {
  t.after(() => formatLog('json', {}));
  formatLog('json', { service: 's', pid: 7 });
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

test('log format – text → time, level and message, then the members; one line, whatever is in it', (t) => {
  t.after(() => formatLog('json', {}));
  formatLog('text', { pid: 7 });
  logWarning('nearly full');
  logEntry({ level: 'info', message: 'read', count: 3, who: 'Ada L', path: '/x', none: undefined, forged: 'a=b\nc' });
  logErrorLine(FORGED, { method: 'GET', path: '/x' });
  const [warning, entry, error, ...others] = logged.splice(0).map((line) => line.slice(line.indexOf(' ') + 1));
  assert.equal(warning, 'warning nearly full pid=7');
  assert.equal(entry, String.raw`info read count=3 who="Ada L" path=/x forged="a=b\nc" pid=7`);
  assert.match(error!, /^error error="x\\n\{.*" method=GET path=\/x pid=7$/);
  assert.doesNotMatch(error!, ACTIVE);
  assert.deepEqual(others, []);
});

test('one line – a log that throws → 500 all the same; both errors are logged', async (t) => {
  const log = (): never => {
    throw new Error('log');
  };
  const { port } = await serveHandler(
    t,
    pipeline([problems(log)], () => {
      throw new Error('cause');
    }),
    { log },
  );
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

/** A program around the library. It tells on descriptor 3 how many errors nobody has caught. */
const EMBEDDING = `
  import { writeSync } from 'node:fs';
  import { setImmediate } from 'node:timers/promises';
  import { accessLog } from '${SOURCES}extensions/monitoring/access-log.ts';
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

test('D62 – nobody reads the output of a program around the library → its own errors are uncaught, not ours', {
  timeout: 60_000,
}, async (t) => {
  const child = spawn(process.execPath, [...SOURCE_LOADER, '--input-type=module', '-e', EMBEDDING], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  child.stdout!.destroy();
  child.stderr!.destroy();
  const told = (child.stdio[3] as Readable).toArray();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  const { ofLibrary, ofProgram } = JSON.parse((await told).join('')) as Record<string, number>;
  assert.equal(ofLibrary, 0);
  assert.notEqual(ofProgram, 0);
});

test('D62 – a reader that does not read → at most 1 MiB waits for it; the other lines are counted, and said', {
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
