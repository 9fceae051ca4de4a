/** Tests the log of a request: its lines, and a function in its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, type Context, empty, route, type Stage, text } from '../../../src/index.ts';
import { type LogEntry, type RequestLogOptions, requestLog } from '../../../src/shelf/logs/request-log.ts';
import { contextFor } from '../../../src/testing.ts';
import { errorLines } from '../../support/error-lines.ts';
import { throwing } from '../../support/throwing.ts';

const contextOf = (requestId: string): Context => contextFor('/x', { headers: { 'X-Request-Id': requestId } });

test('D106 – without a log → JSON lines on standard error, with the id of the request', async (t) => {
  const lines = errorLines(t);
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
  const lines = errorLines(t);
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
  const logger = requestLog({ log: (entry) => void entries.push(entry) }).of(contextOf('b'));
  logger.error('Broken', { requestId: 'forged', level: 'info', part: 7 });
  const { time, ...rest } = entries[0]!;
  assert.ok(!Number.isNaN(Date.parse(time)));
  assert.deepEqual(rest, { level: 'error', message: 'Broken', requestId: 'b', part: 7 });
});

for (const [what, log] of [
  ['a function that throws', throwing(new Error('no luck'))],
  ['a function that rejects', () => Promise.reject(new Error('no luck'))],
] as const)
  test(`D106 – ${what} → logged once, and the request is answered`, async (t) => {
    const lines = errorLines(t);
    const logs = requestLog({ log: log as never });
    const handle = ({ context }: { context: Context }) => {
      logs.of(context).info('One');
      logs.of(context).error('Two');
      return empty();
    };
    const { request } = application([{ name: 'x', routes: [route({ path: 'x', handle })] }]);
    for (let count = 0; count < 2; count++) assert.equal((await request('/x')).status, 204);
    await new Promise((resolve) => setImmediate(resolve));
    const told = lines().map(({ error, cause, path }) => [error, cause.error, path]);
    assert.deepEqual(told, [
      ['Error: Cannot write to the log of requestLog; this is logged once', 'Error: no luck', '/x'],
    ]);
  });

for (const [what, options, says] of [
  [
    'a misspelt option',
    { logs: () => {} },
    /Cannot log messages of requests with the option "logs".*did you mean "log"/,
  ],
  ['a string', { log: 'pino' }, /Cannot log messages of requests to "pino": give a function that writes a line/],
  ['null', { log: null }, /to "null": give a function/],
  ['a log of another library', { log: console }, /give a function that writes a line/],
] as const)
  test(`D106 – ${what} instead of a log → throws`, () =>
    assert.throws(() => requestLog(options as unknown as RequestLogOptions), { name: 'TypeError', message: says }));
