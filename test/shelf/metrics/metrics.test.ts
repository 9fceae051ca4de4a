/** Tests `/metrics`: its format and its counters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Handler } from '../../../src/core/message/context.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { text } from '../../../src/core/message/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import { listener } from '../../../src/core/wire/service.ts';
import { type Metrics, metrics } from '../../../src/shelf/metrics/metrics.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask } from '../../support/ask.ts';
import { memoryInUse } from '../../support/memory-in-use.ts';
import { serveListener } from '../../support/serve.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';
import { until } from '../../support/until.ts';

/** A new service for each test, so that its counters start at 0. */
function service(answers: Stage = () => text('well')) {
  const plugin = metrics();
  plugin.gauge('todo_items', { help: 'Items\nin the "store" \\', collect: () => 42 });
  return { plugin, handler: pipeline([...plugin.outerStages!, problems(() => {}), ...plugin.stages!, answers]) };
}

const figures = async (handler: Handler): Promise<Map<string, number>> => {
  const { body } = await answerOf(handler, { path: '/metrics' });
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
  const { handler } = service();
  const { status, headers, body } = await answerOf(handler, { path: '/Metrics/' });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
  const comment = /^# (HELP [a-z_0-9]+ \S.*|TYPE [a-z_0-9]+ (counter|gauge|histogram))$/;
  const sample = /^[a-z_0-9]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+$/;
  for (const line of body.trimEnd().split('\n')) assert.match(line, line.startsWith('#') ? comment : sample);
  assert.ok(body.includes('# HELP todo_items Items\\nin the "store" \\\\\n# TYPE todo_items gauge\ntodo_items 42\n'));
});

test('D99 – requests → counted and timed by method, template and exact status', async () => {
  const plugin = metrics({ buckets: [60] });
  const { request } = application(
    [
      plugin,
      mounted('tools', {
        name: 'letters',
        routes: [route({ method: ['GET', 'POST'], path: 'letters/{letter}', handle: () => text('well') })],
      }),
      {
        name: 'breaks',
        routes: [
          route({
            path: 'breaks/{how?}',
            handle({ values }) {
              if (values.how === 'later') return Promise.reject(new Error('broken'));
              throw new HttpProblem(409, 'No');
            },
          }),
        ],
      },
      { name: 'shadow', stages: [(context, next) => (context.path === '/stage' ? text('well') : next(context))] },
    ],
    { log() {} },
  );
  for (const path of ['/tools/letters/a', '/tools/letters/b', '/Breaks', '/breaks/later', '/stage', '/no'])
    await request(path);
  await request('/tools/letters/c', { method: 'POST' });
  await request('/stage', { method: 'PROPFIND' });
  await request('/a%');
  const { body } = await answerOf(application([plugin]), { path: '/metrics' });
  const lines = body.split('\n').filter((line) => /^http_requests_total|_(bucket|count)\{/.test(line));
  const expected = [
    ['method="GET",route="/tools/letters/{letter}",status="200"', 2],
    ['method="GET",route="/breaks/{how?}",status="409"', 1],
    ['method="GET",route="/breaks/{how?}",status="500"', 1],
    ['method="GET",route="none",status="200"', 1],
    ['method="GET",route="none",status="404"', 1],
    ['method="POST",route="/tools/letters/{letter}",status="200"', 1],
    ['method="other",route="none",status="200"', 1],
    ['method="GET",route="none",status="400"', 1],
  ] as const;
  assert.deepEqual(lines, [
    ...expected.map(([labels, count]) => `http_requests_total{${labels}} ${count}`),
    ...expected.flatMap(([labels, count]) => [
      `http_request_duration_seconds_bucket{${labels},le="60"} ${count}`,
      `http_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`,
      `http_request_duration_seconds_count{${labels}} ${count}`,
    ]),
  ]);
});

test('D99 – an answered request → the sum and the buckets of its histogram', async () => {
  const { handler } = service();
  for (const path of ['/', '/', '/x']) await answerOf(handler, { path });
  const now = await figures(handler);
  const labels = 'method="GET",route="none",status="200"';
  assert.equal(now.get(`http_requests_total{${labels}}`), 3);
  assert.ok(now.get(`http_request_duration_seconds_sum{${labels}}`)! > 0);
  const buckets = [...now].filter(([name]) => name.includes('_bucket')).map(([, value]) => value);
  assert.deepEqual([buckets.length, buckets.at(-1)], [17, 3]);
  assert.ok(buckets.every((count, at) => at === 0 || count >= buckets[at - 1]!));
});

test('operation – a waiting request → in flight until it is answered', async () => {
  let answer = (): void => {};
  const { handler } = service(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(text('at last'));
      }),
  );
  const waiting = answerOf(handler, { path: '/waits' });
  while ((await figures(handler)).get('http_requests_in_flight') !== 1);
  answer();
  await waiting;
  assert.equal((await figures(handler)).get('http_requests_in_flight'), 0);
});

test('operation – the process → memory, processor time, start; the event loop only once started', async () => {
  const { plugin, handler } = service();
  const before = await figures(handler);
  assert.ok(before.get('process_resident_memory_bytes')! > 1e6);
  assert.ok(before.get('nodejs_heap_size_used_bytes')! > 1e5);
  assert.ok(before.get('process_cpu_seconds_total')! > 0);
  assert.ok(Math.abs(before.get('process_start_time_seconds')! - Date.now() / 1000) < 3600);
  assert.equal(before.has('nodejs_eventloop_lag_max_seconds'), false);
  await plugin.start!(application([plugin]));
  const after = await figures(handler);
  for (const figure of ['mean', 'p99', 'max'])
    assert.ok(after.get(`nodejs_eventloop_lag_${figure}_seconds`)! >= 0, figure);
  await plugin.stop!();
});

test('operation – a system that does not report the memory, or without a free descriptor → all other metrics', async (t) => {
  const fail = throwing(new Error('EMFILE'));
  t.mock.method(process.memoryUsage, 'rss', fail);
  t.mock.method(process, 'memoryUsage', fail);
  const figuresNow = await figures(service().handler);
  assert.equal(figuresNow.has('process_resident_memory_bytes'), false);
  assert.ok(figuresNow.get('nodejs_heap_size_limit_bytes')! > 1e6);
  assert.ok(figuresNow.get('nodejs_external_memory_bytes')! > 1e4);
});

for (const [what, options, counted] of [
  ['by default', {}, ['/x']],
  ['with custom paths', { ignored: ['/x', '/metrics'] }, ['/health', '/ready']],
] as const)
  test(`D115 – ignored paths, ${what} → neither counted nor timed`, async () => {
    const routes = ['health', 'ready', 'x'].map((path) => route({ path, handle: () => text('well') }));
    const { request } = application([metrics(options), { name: 'routes', routes }]);
    for (const path of ['/health', '/ready', '/x', '/metrics']) await request(path);
    const body = await (await request('/metrics')).text();
    const counts = [...body.matchAll(/^http_(?:requests_total|request_duration_seconds_count)\{.*route="([^"]*)"/gm)];
    assert.deepEqual(
      counts.map(([, path]) => path),
      [...counted, ...counted],
    );
  });

/** The names in prom-client, for which most dashboards for Node are made, except gauges with "_total". */
const WELL_KNOWN = [
  ...['process_cpu_user_seconds_total', 'process_cpu_system_seconds_total', 'process_cpu_seconds_total'],
  ...['process_start_time_seconds', 'process_resident_memory_bytes', 'process_open_fds', 'process_max_fds'],
  ...'|min_|max_|mean_|stddev_|p50_|p90_|p99_'.split('|').map((name) => `nodejs_eventloop_lag_${name}seconds`),
  ...['nodejs_heap_size_total_bytes', 'nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes'],
  ...['total', 'used', 'available'].map((name) => `nodejs_heap_space_size_${name}_bytes`),
  ...['nodejs_version_info', 'nodejs_gc_duration_seconds'],
];

test('D115 – the process → the names of prom-client; a scrape resets no metric', async () => {
  const { plugin, handler } = service();
  await plugin.start!(application([plugin]));
  const lines = textOf(plugin).matchAll(/^# TYPE (\w+) (\w+)$/gm);
  const types = new Map(Array.from(lines, ([, name, type]) => [name!, type!]));
  const first = await figures(handler);
  const second = await figures(handler);
  await plugin.stop!();
  const linux = process.platform === 'linux';
  for (const name of WELL_KNOWN) assert.ok(types.has(name) || (/_fds$/.test(name) && !linux), name);
  for (const [sample, value] of first)
    if (types.get(/^\w+/.exec(sample)![0]) !== 'gauge' || sample.endsWith('_max_seconds'))
      assert.ok(second.get(sample)! >= value, sample);
  assert.ok(first.has('nodejs_heap_space_size_used_bytes{space="old"}'));
});

test('D115 – a garbage collection → its time is measured by kind', async () => {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--expose-gc');
  const { runInNewContext } = await import('node:vm');
  const { plugin } = service();
  await plugin.start!(application([plugin]));
  runInNewContext('gc')();
  const isMeasured = (): boolean =>
    linesOf(plugin, 'nodejs_gc_duration_seconds').some((line) => line.includes('kind="major"'));
  await until(isMeasured, 'the collection is measured');
  await plugin.stop!();
});

test('operation – other methods → fall through', async () => {
  const { handler } = service((context, next) => next(context));
  assert.equal((await answerOf(handler, { method: 'POST', path: '/metrics' })).status, 404);
});

/** The text that the plugin returns at `/metrics`. */
const textOf = ({ stages }: Metrics): string =>
  (pipeline([...stages!, () => assert.fail('it falls through')])(testContext('/metrics')) as { body: string }).body;

/** The lines of a metric with its help and type; an empty line if the metric is absent. */
function linesOf(plugin: Metrics, name: string): string[] {
  const family = new RegExp(`^# HELP ${name} .*\\n# TYPE ${name} .*\\n(?:${name}(?:\\b|_).*\\n)*`, 'm');
  return (family.exec(textOf(plugin))?.[0] ?? '').trimEnd().split('\n');
}

test('D99 – a metric without labels → zero before anything happens, changed by the amount', () => {
  const plugin = metrics();
  const counter = plugin.counter('mails_total', { help: 'Mails sent' });
  const gauge = plugin.gauge('queue', { help: 'Waiting' });
  const lines = ['# HELP mails_total Mails sent', '# TYPE mails_total counter', 'mails_total 0'];
  assert.deepEqual(linesOf(plugin, 'mails_total'), lines);
  counter.add();
  counter.add(2.5);
  gauge.set(10);
  gauge.add(-4);
  gauge.add();
  assert.equal(linesOf(plugin, 'mails_total').at(-1), 'mails_total 3.5');
  assert.equal(linesOf(plugin, 'queue').at(-1), 'queue 7');
});

test('D99 – labels → a series for each combination, escaped; 5, "5" and true are texts', () => {
  const plugin = metrics();
  const counter = plugin.counter('mails_total', { help: 'x', labels: ['kind', 'to'] });
  counter.add({ kind: 'a"b\\c\nd', to: 5 }, 2);
  counter.add({ to: '5', kind: 'a"b\\c\nd' });
  counter.add({ kind: '', to: true });
  const [first, second] = ['mails_total{kind="a\\"b\\\\c\\nd",to="5"} 3', 'mails_total{kind="",to="true"} 1'];
  assert.deepEqual(linesOf(plugin, 'mails_total').slice(2), [first, second]);
});

test('D99 – a histogram → cumulated buckets, a value on a bound below it, +Inf, sum and count', () => {
  const plugin = metrics();
  const alone = plugin.histogram('took_seconds', { help: 'x', buckets: [0.5, 2] });
  const labelled = plugin.histogram('size_bytes', { help: 'x', labels: ['kind'], buckets: [1e6] });
  for (const value of [0.1, 0.5, 1, 7]) alone.observe(value);
  labelled.observe({ kind: 'mail' }, 5);
  const samples = (name: string, ...all: readonly string[]) => all.map((rest) => name + rest);
  assert.deepEqual(linesOf(plugin, 'took_seconds').slice(1), [
    '# TYPE took_seconds histogram',
    ...samples('took_seconds_bucket', '{le="0.5"} 2', '{le="2"} 3', '{le="+Inf"} 4'),
    ...samples('took_seconds', '_sum 8.6', '_count 4'),
  ]);
  assert.deepEqual(linesOf(plugin, 'size_bytes').slice(2), [
    ...samples('size_bytes_bucket', '{kind="mail",le="1000000"} 1', '{kind="mail",le="+Inf"} 1'),
    ...samples('size_bytes', '_sum{kind="mail"} 5', '_count{kind="mail"} 1'),
  ]);
});

test('D99 – a `collect` that returns labels → only the series that it returns now', () => {
  const plugin = metrics();
  let queues: [string, number][] = [
    ['mail', 2],
    ['print', 0],
  ];
  const collect = () => queues.map(([queue, waiting]) => [{ queue }, waiting] as const);
  plugin.gauge('waiting', { help: 'x', labels: ['queue'], collect });
  plugin.counter('read_total', { help: 'x', collect: () => undefined });
  assert.deepEqual(linesOf(plugin, 'waiting').slice(2), ['waiting{queue="mail"} 2', 'waiting{queue="print"} 0']);
  queues = [['print', 3]];
  assert.deepEqual(linesOf(plugin, 'waiting').slice(2), ['waiting{queue="print"} 3']);
  assert.deepEqual(linesOf(plugin, 'read_total'), ['']);
});

test('D99 – more combinations than maxSeries → one series "other", and one line of the log', (t) => {
  const error = t.mock.method(console, 'error', () => {});
  const plugin = metrics({ maxSeries: 2 });
  const counter = plugin.counter('visits_total', { help: 'x', labels: ['who', 'where'] });
  const wider = plugin.counter('wider_total', { help: 'x', labels: ['who'], maxSeries: 1000 });
  for (let who = 0; who < 1000; who++) {
    counter.add({ who, where: 'here' });
    wider.add({ who });
  }
  counter.add({ who: 'other', where: 'other' });
  counter.add({ who: 1, where: 'here' });
  assert.deepEqual(linesOf(plugin, 'visits_total').slice(2), [
    'visits_total{who="0",where="here"} 1',
    'visits_total{who="1",where="here"} 2',
    'visits_total{who="other",where="other"} 999',
  ]);
  assert.equal(linesOf(plugin, 'wider_total').length, 1002);
  const lines = error.mock.calls.map(({ arguments: [line] }) => JSON.parse(String(line)) as Record<string, string>);
  assert.deepEqual(
    lines.map(({ message }) => message),
    [
      'The metric "visits_total" has reached its maxSeries of 2; further series are counted together, with "other" as their label values',
    ],
  );
});

test('D99 – label values that clients make long or malformed → cut to 200 characters of Unicode, each line once', () => {
  const { plugin, counter, histogram } = three();
  const values = ['\ud800', '\udfff', `${'b'.repeat(199)}\u{1f600}`, 'a'.repeat(1e6), `${'a'.repeat(200)}b`];
  for (const kind of values) counter.add({ kind });
  const collect = () => values.map((kind) => [{ kind }, 1] as const);
  plugin.gauge('collected', { help: 'x', labels: ['kind'], collect });
  histogram.observe({ kind: 'a'.repeat(1e6) }, 1);
  const lines = (name: string) => [
    ...[`${name}{kind="\ufffd"} 2`, `${name}{kind="${'b'.repeat(199)}\ufffd"} 1`],
    `${name}{kind="${'a'.repeat(200)}"} 2`,
  ];
  assert.deepEqual(linesOf(plugin, 'c_total').slice(2), lines('c_total'));
  assert.deepEqual(linesOf(plugin, 'collected').slice(2), lines('collected'));
  assert.equal(linesOf(plugin, 'h').at(-1), `h_count{kind="${'a'.repeat(200)}"} 1`);
});

test('D99 – 500 long label values → only their beginnings stay in memory', () => {
  const { counter } = three();
  const before = memoryInUse();
  for (let kind = 0; kind < 500; kind++) counter.add({ kind: Buffer.alloc(200_000, `${kind} `).toString('latin1') });
  assert.ok(memoryInUse() - before < 50_000_000);
});

test('D99 – stages in front of /metrics → they run only for this path', async () => {
  const guard: Stage = (context, next) => {
    if (context.headers.authorization === 'Bearer s') return next(context);
    throw new HttpProblem(401, 'Give the token', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };
  const { request } = application([metrics({ stages: [guard] }), { name: 'open', stages: [() => text('open')] }]);
  assert.equal((await request('/metrics')).status, 401);
  assert.equal((await request('/metrics', { headers: { Authorization: 'Bearer s' } })).status, 200);
  assert.equal(await (await request('/other')).text(), 'open');
});

type Made = 'counter' | 'gauge' | 'histogram';
const make = (made: Made, name: unknown, options: unknown) =>
  (metrics() as unknown as Record<Made, (name: unknown, options: unknown) => unknown>)[made](name, options);
/** Makes these metrics in one plugin. */
function together(...all: readonly (readonly [Made, string])[]): void {
  const plugin = metrics();
  for (const [made, name] of all) plugin[made](name, { help: 'x' });
}

for (const [what, made, name, options, message] of [
  ['a dash in the name', 'gauge', 'to-do', {}, /^SyntaxError: .*"to-do": its name is not valid; use/],
  ['a name with a line feed at its end', 'gauge', 'todo\n', {}, /^SyntaxError: .* its name is not valid/],
  ['no name', 'counter', undefined, {}, /^SyntaxError: Cannot make the counter "undefined": its name is not valid/],
  [
    'no help',
    'gauge',
    'jobs',
    { help: undefined },
    /^TypeError: Cannot make the gauge "jobs": the option "help" is missing; give/,
  ],
  ['a misspelt option', 'counter', 'jobs', { label: [] }, /with the option "label".*did you mean "labels"/],
  ['buckets of a counter', 'counter', 'jobs', { buckets: [1] }, /with the option "buckets": it is unknown/],
  ['a collect of a histogram', 'histogram', 'jobs', { collect: () => 1 }, /with the option "collect"/],
  ['a label with a dash', 'counter', 'jobs', { labels: ['a-b'] }, /^SyntaxError: .*its label "a-b" is not valid/],
  ['a label with a colon', 'counter', 'jobs', { labels: ['a:b'] }, /^SyntaxError: .*its label "a:b"/],
  ['the label le', 'histogram', 'jobs', { labels: ['le'] }, /^TypeError: .*"le" is reserved by Prometheus/],
  ['a label of Prometheus', 'gauge', 'jobs', { labels: ['__name__'] }, /"__name__" is reserved by Prometheus/],
  ['a label twice', 'gauge', 'jobs', { labels: ['a', 'a'] }, /"a" is listed twice; remove one/],
  [
    'labels that are not an array',
    'gauge',
    'jobs',
    { labels: 'a' },
    /its labels are not an array; give \['method', …\]/,
  ],
  ['falling buckets', 'histogram', 'jobs', { buckets: [1, 0.5] }, /^RangeError: .*its bound 0.5 follows 1; give/],
  ['a bucket twice', 'histogram', 'jobs', { buckets: [1, 1] }, /its bound 1 follows 1/],
  ['a bucket that is NaN', 'histogram', 'jobs', { buckets: [NaN] }, /^RangeError: .*its bound "NaN" is not a finite/],
  ['an infinite bucket', 'histogram', 'jobs', { buckets: [1, Infinity] }, /remove it, \+Inf is added anyway/],
  ['no bucket', 'histogram', 'jobs', { buckets: [] }, /its buckets are not an array of bounds/],
  ['a maxSeries of 0', 'gauge', 'jobs', { maxSeries: 0 }, /^RangeError: .*its maxSeries is "0"; give a whole/],
  ['a collect that is not a function', 'gauge', 'jobs', { collect: 5 }, /its collect is not a synchronous function/],
  ['an async collect', 'gauge', 'jobs', { collect: async () => 5 }, /its collect is not a synchronous function/],
] as const)
  test(`D99 – ${what} → rejected when it is created`, () =>
    assert.throws(
      () => make(made, name, { help: 'x', ...options }),
      (error) => message.test(String(error)),
    ));

const HISTOGRAM = 'http_request_duration_seconds';
for (const [what, action, message] of [
  ['no option', () => make('gauge', 'jobs', undefined), /^TypeError: Cannot make the gauge "jobs" with nothing/],
  [
    'a name that is used twice',
    () => together(['gauge', 'a'], ['counter', 'a']),
    /: another metric has this name; choose another/,
  ],
  ['a name of the plugin', () => together(['gauge', 'http_requests_total']), /another metric has this name/],
  ['a name of the process', () => together(['gauge', 'nodejs_eventloop_lag_max_seconds']), /has this name/],
  ['the name of the sum of a histogram', () => together(['gauge', `${HISTOGRAM}_sum`]), /has this name/],
  ['the sum of another metric', () => together(['counter', 'a_sum'], ['histogram', 'a']), /the name "a_sum"/],
  ['falling buckets of requests', () => metrics({ buckets: [2, 1] }), /http_request_duration_seconds": its bound 1/],
  ['wrong stages', () => metrics({ stages: {} as never }), /^TypeError: Cannot serve metrics after these stages/],
  ['a path without a slash', () => metrics({ ignored: ['health'] }), /^TypeError: Cannot ignore the requests for /],
] as const)
  test(`D99 – ${what} → rejected when it is created`, () =>
    assert.throws(action, (error) => message.test(String(error))));

const CHANGES: readonly [what: string, change: (metrics: ReturnType<typeof three>) => void, message: RegExp][] = [
  [
    'a counter decreased',
    ({ counter }) => counter.add({ kind: 'a' }, -1),
    /^RangeError: .*"c_total" by -1: a counter only/,
  ],
  ['NaN', ({ counter }) => counter.add({ kind: 'a' }, NaN), /^RangeError: .*metric "c_total" by "NaN": give a finite/],
  ['a text', ({ gauge }) => gauge.set('5' as never), /^RangeError: .*"g" by "5": give a finite number/],
  ['infinity', ({ gauge }) => gauge.set(Infinity), /by "Infinity": give a finite number/],
  ['labels of a metric without labels', ({ gauge }) => gauge.add({ kind: 'a' } as never), /: the metric has no labels/],
  [
    'an undefined value',
    ({ histogram }) => histogram.observe({ kind: 'a' }, undefined as never),
    /by "undefined": give a finite/,
  ],
  ['no labels', ({ counter }) => counter.add(undefined as never), /^TypeError: .*labels "undefined": give \{ kind \}/],
  ['a missing label', ({ counter }) => counter.add({ sort: 'a' } as never), /with no label "kind": give \{ kind \}/],
  [
    'an unknown label',
    ({ counter }) => counter.add({ kind: 'a', sort: 'a' } as never),
    /the label "sort": give \{ kind \}/,
  ],
  ['an undefined label', ({ counter }) => counter.add({ kind: undefined } as never), /undefined as the label "kind"/],
];
for (const [what, change, message] of CHANGES)
  test(`D99 – ${what} → throws and changes nothing`, () => {
    const all = three();
    const lines = () => ['c_total', 'g', 'h'].map((name) => linesOf(all.plugin, name));
    const before = lines();
    assert.throws(
      () => change(all),
      (error) => message.test(String(error)),
    );
    assert.deepEqual(lines(), before);
  });

function three() {
  const plugin = metrics();
  const counter = plugin.counter('c_total', { help: 'x', labels: ['kind'] });
  const gauge = plugin.gauge('g', { help: 'x' });
  return { plugin, counter, gauge, histogram: plugin.histogram('h', { help: 'x', labels: ['kind'] }) };
}

test('D99 – labels and values of another type → do not compile', () => {
  const { counter, gauge, histogram, plugin } = three();
  const wrong = [
    // @ts-expect-error The label is missing.
    () => counter.add({}, 1),
    // @ts-expect-error The metric does not have this label.
    () => counter.add({ kind: 'a', sort: 'b' }, 1),
    // @ts-expect-error The labels are missing.
    () => histogram.observe(1),
    // @ts-expect-error The metric has no labels.
    () => gauge.add({ kind: 'a' }, 1),
    // @ts-expect-error A label is missing.
    () => plugin.gauge('r', { help: 'x', labels: ['a', 'b'], collect: () => [[{ a: 1 }, 1]] }),
  ];
  assert.equal(wrong.length, 5);
});

test('operation – metrics that cannot be read → left out and logged, the others are shown', async (t) => {
  const error = t.mock.method(console, 'error', () => {});
  const returned = 'its collect has returned';
  const labels = ['a'];
  const rows: readonly [name: string, options: object, message: string][] = [
    ['throwing', { collect: throwing(new Error('no luck')) }, 'Error: no luck'],
    ['promising', { collect: () => Promise.reject(new Error('later')) }, `${returned} an object, not a finite number`],
    ['telling', { collect: () => 'many' }, `${returned} a string, not a finite number`],
    ['infinite', { collect: () => Infinity }, `${returned} Infinity, not a finite number`],
    ['listing', { collect: () => 5, labels }, `${returned} a number, not a list of [labels, number]`],
    ['mislabelled', { collect: () => [[{ b: 1 }, 1]], labels }, 'with no label "a": give { a }'],
  ];
  const plugin = metrics();
  plugin.gauge('working', { help: 'x', collect: () => 7 });
  for (const [name, options] of rows) plugin.gauge(name, { help: 'x', ...options } as never);
  const body = await (await application([plugin]).request('/metrics')).text();
  const shown = ['working', ...rows.map(([name]) => name)].filter((name) => body.includes(name));
  assert.deepEqual(shown, ['working']);
  assert.match(body, /^process_cpu_seconds_total /m);
  const lines = error.mock.calls.map(({ arguments: [line] }) => JSON.parse(String(line)) as Record<string, string>);
  for (const [at, [name, , message]] of rows.entries()) {
    assert.ok(lines[at]!['error']!.endsWith(message), `${name}: ${lines[at]!['error']}`);
    assert.equal(lines[at]!['path'], '/metrics');
  }
  assert.deepEqual([lines.length, lines.at(-1)!['error']], [rows.length + 1, 'Error: later']);
});

test('D78 – a request that the host framework answers → not counted, and not in flight', async (t) => {
  const { plugin, handler } = service();
  const listen = listener(pipeline([...plugin.outerStages!, problems(() => {}), ...plugin.stages!]));
  const port = await serveListener(t, (request, response) =>
    listen(request, response, () => response.end('of the host')),
  );
  assert.equal((await ask(port, { target: '/theirs' })).text, 'of the host');
  const now = await figures(handler);
  assert.equal(
    [...now.keys()].some((name) => name.startsWith('http_requests_total')),
    false,
  );
  assert.equal(now.get('http_requests_in_flight'), 0);
});
