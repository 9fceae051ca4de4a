/** Tests the trace id of a request, and the places where it is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { traceOf } from '../../../src/core/http/request-notes.ts';
import { HttpProblem, json, type Stage } from '../../../src/index.ts';
import { PROBLEM } from '../../../src/operations/schema/schema.ts';
import { type LogEntry, requestLog } from '../../../src/shelf/logs/request-log.ts';
import { traceContext } from '../../../src/shelf/logs/trace-context.ts';
import { ask } from '../../support/ask.ts';
import { errorLines } from '../../support/error-lines.ts';
import { serve } from '../../support/serve.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

const answersIds: Stage = (context) => {
  if (context.path === '/problem') throw new HttpProblem(409, 'No');
  if (context.path === '/fails') throw new Error('no luck');
  return json(traceOf(context));
};
const { request } = application([traceContext(), { name: 'ids', stages: [answersIds] }]);

for (const [what, traceparent, isTaken] of [
  ['a valid value', `00-${TRACE}-${SPAN}-01`, true],
  ['a trace that is not sampled', `00-${TRACE}-${SPAN}-00`, true],
  ['a later version', `01-${TRACE}-${SPAN}-01`, true],
  ['a later version with more fields', `cc-${TRACE}-${SPAN}-01-more-fields`, true],
  ['a later version that is longer', `cc-${TRACE}-${SPAN}-01.more`, false],
  ['this version with more fields', `00-${TRACE}-${SPAN}-01-more`, false],
  ['the version ff', `ff-${TRACE}-${SPAN}-01`, false],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, false],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, false],
  ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`, false],
  ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`, false],
  ['no flags', `00-${TRACE}-${SPAN}`, false],
  ['an empty value', '', false],
] as const)
  test(`trace context – ${what} as traceparent → ${isTaken ? 'used' : 'a new trace id'}`, async () => {
    const ids = (await (await request('/', { headers: { traceparent } })).json()) as Record<string, string>;
    if (isTaken) return assert.deepEqual(ids, { traceId: TRACE, spanId: SPAN });
    assert.match(ids['traceId']!, /^[\da-f]{32}$/);
    assert.match(ids['spanId']!, /^[\da-f]{16}$/);
    assert.ok(ids['traceId'] !== TRACE && ids['spanId'] !== SPAN);
  });

test('trace context – two headers, or no header → a new trace id each time', async () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  const two = new Headers([
    ['traceparent', traceparent],
    ['traceparent', traceparent],
  ]);
  const replies = await Promise.all([request('/', { headers: two }), request('/'), request('/')]);
  const ids = await Promise.all(replies.map((reply) => reply.json() as Promise<{ traceId: string }>));
  assert.equal(new Set([TRACE, ...ids.map(({ traceId }) => traceId)]).size, 4);
});

test('D10 – a problem of a request with a trace id → has the id; without the plugin it does not', async (t) => {
  const lines = errorLines(t);
  const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };
  for (const [path, status] of [
    ['/problem', 409],
    ['/fails', 500],
  ] as const) {
    const reply = await request(path, { headers });
    assert.equal(reply.status, status);
    const problem = (await reply.json()) as { traceId: string };
    assert.equal(problem.traceId, TRACE);
    const others = Object.keys(problem).filter((name) => !(name in PROBLEM.properties));
    assert.deepEqual(others, [], 'not described');
  }
  const [{ traceId, spanId } = {}] = lines();
  assert.deepEqual([traceId, spanId], [TRACE, SPAN], 'the line of the 500');
  const plain = application([{ name: 'ids', stages: [answersIds] }]);
  const problem = (await (await plain.request('/problem', { headers })).json()) as object;
  assert.ok(!('traceId' in problem));
});

test('trace context – the log lines of a handler → have both ids', async () => {
  const entries: LogEntry[] = [];
  const log = requestLog({ log: (entry) => void entries.push(entry) });
  const logging: Stage = (context) => {
    log.of(context).info('Seen');
    return json(1);
  };
  const app = application([traceContext(), { name: 'logs', stages: [logging] }], { newRequestId: () => 'r' });
  await app.request('/', { headers: { traceparent: `00-${TRACE}-${SPAN}-01` } });
  const ids = { requestId: 'r', traceId: TRACE, spanId: SPAN };
  const [{ time: _, ...entry }] = entries as [LogEntry];
  assert.deepEqual(entry, { level: 'info', message: 'Seen', ...ids });
});

test('trace context – OpenTelemetry has started a span → the ids of the span, whatever `traceparent` has', async (t) => {
  const active = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
  const getValue = (key: symbol) =>
    key === Symbol.for('OpenTelemetry Context Key SPAN') ? { spanContext: () => active } : undefined;
  const api = Symbol.for('opentelemetry.js.api.1');
  Object.assign(globalThis, { [api]: { context: { active: () => ({ getValue }) } } });
  t.after(() => Reflect.deleteProperty(globalThis, api));
  const idsFor = async (headers: Record<string, string>) => (await request('/', { headers })).json();
  const { traceId, spanId } = active;
  assert.deepEqual(await idsFor({}), { traceId, spanId });
  for (const trace of [traceId, TRACE])
    assert.deepEqual(await idsFor({ traceparent: `00-${trace}-${SPAN}-01` }), { traceId, spanId });
});

test('D10 – the whole service with the JSON log → every problem has `traceId`, also that of a malformed request', async (t) => {
  const { port } = await serve(t, { logFormat: 'json' });
  const headers = { traceparent: `00-${TRACE}-${SPAN}-01` };
  for (const question of [
    { target: '/api/todo/none', headers },
    { method: 'POST', target: '/api/todo', headers: { ...headers, 'Content-Type': 'application/json' }, body: '{' },
    { target: '/%zz', headers },
  ]) {
    const { body } = await ask(port, question);
    assert.equal((JSON.parse(body.toString()) as { traceId: string }).traceId, TRACE, question.target);
  }
});
