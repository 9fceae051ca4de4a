/** Tests `/metrics`: its format and its counters. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { text } from '../../../src/core/message/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { inject } from '../../../src/core/wire/in-memory.ts';
import { listener } from '../../../src/core/wire/listener.ts';
import { type Gauge, metrics } from '../../../src/extensions/metrics/metrics.ts';

/** A new service for each test, so that its counters begin at 0. */
function service(answers: Stage = () => text('well')) {
  const plugin = metrics({ gauges: [{ name: 'todo_items', help: 'Items\nin the "store" \\', read: () => 42 }] });
  return {
    plugin,
    server: createServer(listener(pipeline([...plugin.outerStages!, problems(() => {}), ...plugin.stages!, answers]))),
  };
}

const figures = async (server: ReturnType<typeof createServer>): Promise<Map<string, number>> => {
  const { body } = await inject(server, { path: '/metrics' });
  return new Map(
    body
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name, value] = /^([a-z_:0-9]+(?:\{.*\})?) (\S+)$/i.exec(line)!;
        return [name!, Number(value)];
      }),
  );
};

test('operation – /metrics → the Prometheus text format, never stored', async () => {
  const { server } = service();
  const { status, headers, body } = await inject(server, { path: '/Metrics/' });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
  const said = /^# (HELP [a-z_0-9]+ \S.*|TYPE [a-z_0-9]+ (counter|gauge|histogram))$/;
  const sample = /^[a-z_0-9]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+$/;
  for (const line of body.trimEnd().split('\n')) assert.match(line, line.startsWith('#') ? said : sample);
  assert.ok(body.includes('# HELP todo_items Items\\nin the "store" \\\\\n# TYPE todo_items gauge\ntodo_items 42\n'));
});

test('operation – requests → counted by method and class of status', async () => {
  const { server } = service((context, next) => {
    if (context.path === '/throws') throw new HttpProblem(404, 'No');
    if (context.path === '/breaks') return Promise.reject(new Error('broken'));
    return context.path === '/' ? text('well') : next(context);
  });
  await inject(server, { path: '/' });
  await inject(server, { path: '/' });
  await inject(server, { method: 'PROPFIND', path: '/nothing' });
  await inject(server, { method: 'DELETE', path: '/throws' });
  await inject(server, { path: '/breaks' });
  const now = await figures(server);
  assert.equal(now.get('http_requests_total{method="GET",status="2xx"}'), 2);
  assert.equal(now.get('http_requests_total{method="GET",status="5xx"}'), 1);
  assert.equal(now.get('http_requests_total{method="other",status="4xx"}'), 1);
  assert.equal(now.get('http_requests_total{method="DELETE",status="4xx"}'), 1);
  assert.equal(now.get('http_request_duration_seconds_count'), 5);
  assert.equal(now.get('http_request_duration_seconds_bucket{le="+Inf"}'), 5);
  assert.equal(now.get('http_requests_in_flight'), 1);
  const buckets = [...now].filter(([name]) => name.includes('_bucket')).map(([, value]) => value);
  assert.deepEqual(
    buckets,
    [...buckets].sort((one, other) => one - other),
  );
});

test('operation – a request that waits → in flight until it is answered', async () => {
  let answer = (): void => {};
  const { server } = service(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(text('at last'));
      }),
  );
  const waiting = inject(server, { path: '/waits' });
  while ((await figures(server)).get('http_requests_in_flight') !== 2);
  answer();
  await waiting;
  assert.equal((await figures(server)).get('http_requests_in_flight'), 1);
});

test('operation – the process → memory, processor time, start; the event loop only once started', async () => {
  const { plugin, server } = service();
  const before = await figures(server);
  assert.ok(before.get('process_resident_memory_bytes')! > 1e6);
  assert.ok(before.get('nodejs_heap_used_bytes')! > 1e5);
  assert.ok(before.get('process_cpu_seconds_total')! > 0);
  assert.ok(Math.abs(before.get('process_start_time_seconds')! - Date.now() / 1000) < 3600);
  assert.equal(before.has('nodejs_eventloop_delay_max_seconds'), false);
  await plugin.start!(application([plugin]));
  const after = await figures(server);
  for (const figure of ['mean', 'p99', 'max'])
    assert.ok(after.get(`nodejs_eventloop_delay_${figure}_seconds`)! >= 0, figure);
  await plugin.stop!();
});

test('operation – a system that does not tell the memory → everything else is told', async (t) => {
  t.mock.method(process.memoryUsage, 'rss', () => {
    throw new Error('ENOENT');
  });
  const figuresNow = await figures(service().server);
  assert.equal(figuresNow.has('process_resident_memory_bytes'), false);
  assert.ok(figuresNow.get('nodejs_heap_limit_bytes')! > 1e6);
});

test('operation – other methods → fall through', async () => {
  const { server } = service((context, next) => next(context));
  assert.equal((await inject(server, { method: 'POST', path: '/metrics' })).status, 404);
});

const GAUGE: Gauge = { name: 'jobs', help: 'Jobs that wait', read: () => 0 };

for (const [what, gauges, says] of [
  [
    'a name with a dash',
    [{ ...GAUGE, name: 'to-do' }],
    /^SyntaxError: Cannot show the figure "to-do": its name is not/,
  ],
  ['no name', [{ help: 'x', read: () => 0 }], /^SyntaxError: Cannot show the figure "undefined": its name is not/],
  ['nothing', [undefined], /^SyntaxError: Cannot show the figure "undefined": its name is not/],
  [
    'one name twice',
    [GAUGE, GAUGE],
    /^TypeError: Cannot show the figure "jobs": there is a metric of this name; choose/,
  ],
  ['a name of the plugin', [{ ...GAUGE, name: 'http_requests_total' }], /: there is a metric of this name/],
  ['a name of a sum', [{ ...GAUGE, name: 'http_request_duration_seconds_sum' }], /: there is a metric of this name/],
  ['a name of the process', [{ ...GAUGE, name: 'nodejs_eventloop_delay_max_seconds' }], /: there is a metric of this/],
  [
    'no help',
    [{ ...GAUGE, help: undefined }],
    /^TypeError: Cannot show the figure "jobs": it has no help; give a text/,
  ],
  ['no read', [{ ...GAUGE, read: 5 }], /^TypeError: Cannot show the figure "jobs": its read is no function that/],
  ['an async read', [{ ...GAUGE, read: async () => 5 }], /^TypeError: Cannot show the figure "jobs": its read is no/],
] as const)
  test(`operation – a gauge with ${what} → refused`, () =>
    assert.throws(
      () => metrics({ gauges } as never),
      (error) => says.test(String(error)),
    ));

test('operation – gauges that cannot be read → left out and logged, the others are shown', async (t) => {
  const error = t.mock.method(console, 'error', () => {});
  const reads = {
    throwing() {
      throw new Error('no luck');
    },
    promising: () => Promise.reject(new Error('later')),
    telling: () => 'many',
    working: () => 7,
  };
  const gauges = Object.entries(reads).map(([name, read]) => ({ name, help: 'x', read })) as unknown as Gauge[];
  const { request } = application([metrics({ gauges })]);
  const said = await (await request('/metrics')).text();
  assert.deepEqual(
    Object.keys(reads).filter((name) => said.includes(name)),
    ['working'],
  );
  assert.match(said, /^process_cpu_seconds_total /m);
  const lines = error.mock.calls.map(({ arguments: [line] }) => JSON.parse(String(line)) as Record<string, string>);
  assert.deepEqual(
    lines.map(({ error, path }) => [error, path]),
    [
      ['Error: no luck', '/metrics'],
      ['TypeError: Cannot show the figure "promising": its read has returned an object, not a number', '/metrics'],
      ['TypeError: Cannot show the figure "telling": its read has returned a string, not a number', '/metrics'],
      ['Error: later', '/metrics'],
    ],
  );
});

test('D78 – a request that a host around the service gets → not counted, and not in flight', async () => {
  const { plugin } = service();
  const listen = listener(pipeline([...plugin.outerStages!, problems(() => {}), ...plugin.stages!]));
  const server = createServer((request, response) => listen(request, response, () => response.end('of the host')));
  assert.equal((await inject(server, { path: '/theirs' })).body, 'of the host');
  const now = await figures(server);
  assert.equal(now.get('http_request_duration_seconds_count'), 0);
  assert.equal(now.get('http_requests_in_flight'), 1, 'the request for the figures');
});
