/** Tests the log of a request: its lines, and logs of other libraries in its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, type Context, contextWith, noContent, route, type Stage, text } from '../../../src/index.ts';
import {
  type LeveledLog,
  type LogEntry,
  type RequestLogOptions,
  requestLog,
} from '../../../src/shelf/logs/request-log.ts';
import { contextFor } from '../../../src/testing.ts';
import { throwing } from '../../support/throwing.ts';

/** The lines on standard error. */
function linesOf(t: { mock: typeof test.mock }) {
  const { mock } = t.mock.method(console, 'error', () => {});
  return () => mock.calls.map(({ arguments: [line] }) => JSON.parse(String(line)) as Record<string, unknown>);
}

const contextOf = (requestId: string): Context => contextFor('/x', { headers: { 'X-Request-Id': requestId } });

/** Stores the arguments of a log like pino, whose `child` adds its members to each line. */
class StandIn {
  readonly lines: unknown[] = [];
  children = 0;
  readonly #bindings: object;
  readonly #parent: StandIn | undefined;

  constructor(bindings: object = {}, parent?: StandIn) {
    this.#bindings = bindings;
    this.#parent = parent;
  }
  child(bindings: object): StandIn {
    this.children++;
    return new StandIn({ ...this.#bindings, ...bindings }, this);
  }
  info(members: object, message?: string, ...values: unknown[]): void {
    this.#write(30, members, message, values);
  }
  warn(members: object, message?: string, ...values: unknown[]): void {
    this.#write(40, members, message, values);
  }
  error(members: object, message?: string, ...values: unknown[]): void {
    this.#write(50, members, message, values);
  }
  #write(level: number, members: object, msg: string | undefined, values: readonly unknown[]): void {
    assert.deepEqual(values, []);
    (this.#parent ?? this).lines.push({ level, ...this.#bindings, ...members, msg });
  }
}

test('D106 – without a log → JSON lines on standard error, with the id of the request', async (t) => {
  const lines = linesOf(t);
  const log = requestLog();
  const stage: Stage = (context, next) => {
    log.of(context).warn('Nearly full', { left: 2 });
    return next(context);
  };
  const letters = route({
    path: 'letters',
    handle({ context }) {
      log.of(context).info('Read');
      log.of(context).error('Not found', { error: new RangeError('too far', { cause: 'why' }) });
      return text('three');
    },
  });
  const letterPlugin = { name: 'letters', stages: [stage], routes: [letters] };
  const { request } = application([letterPlugin], { newRequestId: () => 'id-1' });
  assert.equal((await request('/letters')).status, 200);
  const [first, second, third] = lines();
  const { time, ...rest } = first!;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(rest, { level: 'warning', message: 'Nearly full', requestId: 'id-1', left: 2 });
  assert.deepEqual([second!['level'], second!['message'], second!['requestId']], ['info', 'Read', 'id-1']);
  const { error, stack, cause } = third!['error'] as Record<string, unknown>;
  assert.deepEqual([error, cause], ['RangeError: too far', { error: 'why' }]);
  assert.match(String(stack), /request-log\.test/);
  assert.equal(third!['level'], 'error');
});

test('D106 – members that JSON cannot represent, and a forged line → written as text, on one line', (t) => {
  const lines = linesOf(t);
  const logger = requestLog().of(contextOf('a'));
  const ring: Record<string, unknown> = {};
  ring['ring'] = ring;
  logger.info('x', { count: 5n, ring, name: 'Ada' });
  logger.info('a\n{"level":"error"}\u202e');
  const [first, second] = lines();
  assert.deepEqual([first!['count'], first!['name'], first!['requestId']], ['5', 'Ada', 'a']);
  assert.match(String(first!['ring']), /Circular/);
  assert.equal(second!['message'], 'a\n{"level":"error"}\u202e');
});

test('D106 – a function as the log → gets each line as an object; members do not replace the standard ones', () => {
  const entries: LogEntry[] = [];
  const logger = requestLog({ log: (entry) => entries.push(entry) as never }).of(contextOf('b'));
  logger.error('Broken', { requestId: 'forged', level: 'info', part: 7 } as never);
  const { time, ...rest } = entries[0]!;
  assert.ok(!Number.isNaN(Date.parse(time)));
  assert.deepEqual(rest, { level: 'error', message: 'Broken', requestId: 'b', part: 7 });
});

test('D106 – a log with `child`, like pino → one child for each request that logs, with the id of the request', () => {
  const pino = new StandIn();
  const log = requestLog({ log: pino });
  const context = contextOf('c');
  log.of(contextOf('silent'));
  log.of(context).info('First', { part: 1 });
  log.of(contextWith(context, { path: '/y' })).warn('Second');
  log.of(contextOf('d')).error('Third');
  assert.deepEqual(pino.lines, [
    { level: 30, requestId: 'c', part: 1, msg: 'First' },
    { level: 40, requestId: 'c', msg: 'Second' },
    { level: 50, requestId: 'd', msg: 'Third' },
  ]);
  assert.equal(pino.children, 2);
});

test('D106 – a log without `child` → the id is among the members', () => {
  const lines: unknown[] = [];
  const plain: LeveledLog = {
    info: (members, message) => void lines.push(['info', members, message]),
    warn: (members, message) => void lines.push(['warn', members, message]),
    error: (members, message) => void lines.push(['error', members, message]),
  };
  const logger = requestLog({ log: plain }).of(contextOf('e'));
  logger.info('First', { part: 1 });
  logger.warn('Second');
  assert.deepEqual(lines, [
    ['info', { part: 1, requestId: 'e' }, 'First'],
    ['warn', { requestId: 'e' }, 'Second'],
  ]);
});

const thrower = throwing(new Error('no luck'));
for (const [what, log] of [
  ['a function that throws', thrower],
  ['a function that rejects', () => Promise.reject(new Error('no luck'))],
  ['a log that throws', { info: thrower, warn: thrower, error: thrower }],
  ['a child that throws', { info() {}, warn() {}, error() {}, child: thrower }],
] as const)
  test(`D106 – ${what} → logged once, and the request is answered`, async (t) => {
    const lines = linesOf(t);
    const logs = requestLog({ log: log as never });
    const handle = ({ context }: { context: Context }) => {
      logs.of(context).info('One');
      logs.of(context).error('Two');
      return noContent();
    };
    const { request } = application([{ name: 'x', routes: [route({ path: 'x', handle })] }]);
    for (let count = 0; count < 2; count++) assert.equal((await request('/x')).status, 204);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      lines().map(({ error, cause, path }) => [error, (cause as Record<string, unknown>)['error'], path]),
      [['Error: Cannot write to the log of requestLog; this is logged once', 'Error: no luck', '/x']],
    );
  });

for (const [what, options, says] of [
  [
    'a misspelt option',
    { logs: () => {} },
    /Cannot log messages of requests with the option "logs".*did you mean "log"/,
  ],
  [
    'a string',
    { log: 'pino' },
    /Cannot log messages of requests to a string: give a function that writes a line, or a log/,
  ],
  ['null', { log: null }, /to null: give a function/],
  ['a log without a level', { log: { info() {}, error() {} } }, /to this log: it has no "warn"; give a function/],
] as const)
  test(`D106 – ${what} instead of a log → throws`, () =>
    assert.throws(() => requestLog(options as unknown as RequestLogOptions), { name: 'TypeError', message: says }));

test('D106 – without a context → a TypeError; standard names as members do not compile', () => {
  const log = requestLog({ log: console });
  assert.throws(() => log.of({} as Context), {
    name: 'TypeError',
    message: /the object is not a context of this library/,
  });
  // @ts-expect-error requestId is a standard member.
  const wrong = () => log.of(contextOf('f')).info('x', { requestId: 'y' });
  assert.equal(typeof wrong, 'function');
});
