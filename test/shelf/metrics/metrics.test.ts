/** Tests `/metrics`: its format and its counters. */
import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Handler } from '../../../src/core/http/context.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { text } from '../../../src/core/http/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { listener } from '../../../src/core/server/service.ts';
import { metrics } from '../../../src/shelf/metrics/metrics.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask } from '../../support/ask.ts';
import { errorLines } from '../../support/error-lines.ts';
import { plain, routed } from '../../support/plain-routes.ts';
import { serveListener } from '../../support/serve.ts';
import { throwing } from '../../support/throwing.ts';
import { until } from '../../support/until.ts';

/** A new service for each test, so that its counters start at 0. */
function service(answers: Stage = () => text('well')) {
  return application([metrics(), { name: 'answers', stages: [answers] }], { log: () => {} });
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
});

test('D99 – requests → counted and timed by method, template and exact status', async () => {
  const { request } = application(
    [
      metrics(),
      mounted('tools', { name: 'letters', routes: [plain('letters/{letter}', { method: ['GET', 'POST'] })] }),
      routed('breaks/{how?}', ({ values }) => {
        if (values['how'] === 'later') return Promise.reject(new Error('broken'));
        throw new HttpProblem(409, 'No');
      }),
      { name: 'shadow', stages: [(context, next) => (context.path === '/stage' ? text('well') : next(context))] },
    ],
    { log() {} },
  );
  for (const path of ['/tools/letters/a', '/tools/letters/b', '/Breaks', '/breaks/later', '/stage', '/no'])
    await request(path);
  await request('/tools/letters/c', { method: 'POST' });
  await request('/stage', { method: 'PROPFIND' });
  await request('/a%');
  const body = await (await request('/metrics')).text();
  const lines = body
    .split('\n')
    .filter((line) => /^http_requests_total|^http_\w+_(?:bucket\{.*"\+Inf"|count\{)/.test(line));
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
  const { start, stop, handler } = service();
  const before = await figures(handler);
  assert.ok(before.get('process_resident_memory_bytes')! > 1e6);
  assert.ok(before.get('nodejs_heap_size_used_bytes')! > 1e5);
  assert.ok(before.get('process_cpu_seconds_total')! > 0);
  assert.ok(Math.abs(before.get('process_start_time_seconds')! - Date.now() / 1000) < 3600);
  assert.equal(before.has('nodejs_eventloop_lag_max_seconds'), false);
  await start();
  const after = await figures(handler);
  for (const figure of ['mean', 'p99', 'max'])
    assert.ok(after.get(`nodejs_eventloop_lag_${figure}_seconds`)! >= 0, figure);
  await stop();
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

for (const [what, constrained, limit] of [
  ['a container of 256 MiB', () => 2 ** 28, 2 ** 28],
  ['no limit, on Linux', () => 2 ** 64, totalmem()],
  ['an unknown limit', () => 0, totalmem()],
  ['a limit above the memory of the machine', () => 2 * totalmem(), totalmem()],
  ['a system that does not tell its limit', throwing(new Error('no right')), undefined],
] as const)
  test(`D115 – the limit of memory, ${what} → ${limit === 2 ** 28 ? limit : limit && 'the memory of the machine'}`, async (t) => {
    t.mock.method(process, 'constrainedMemory', constrained);
    assert.equal((await figures(service().handler)).get('process_memory_limit_bytes'), limit);
  });

for (const [what, options, counted] of [
  ['by default', {}, ['/x']],
  ['with custom paths', { ignored: ['/x', '/metrics'] }, ['/health', '/ready']],
] as const)
  test(`D115 – ignored paths, ${what} → neither counted nor timed`, async () => {
    const routes = ['health', 'ready', 'x'].map((path) => plain(path));
    const { request } = application([metrics(options), { name: 'routes', routes }]);
    for (const path of ['/health', '/ready', '/x', '/metrics']) await request(path);
    const body = await (await request('/metrics')).text();
    const counts = [...body.matchAll(/^http_(?:requests_total|request_duration_seconds_count)\{.*route="([^"]*)"/gm)];
    const paths = counts.map(([, path]) => path);
    assert.deepEqual(paths, [...counted, ...counted]);
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
  const { start, stop, handler } = service();
  await start();
  const { body } = await answerOf(handler, { path: '/metrics' });
  const types = new Map(Array.from(body.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name, type]) => [name!, type!]));
  const first = await figures(handler);
  const second = await figures(handler);
  await stop();
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
  const { start, stop, handler } = service();
  await start();
  runInNewContext('gc')();
  const isMeasured = async () => (await figures(handler)).has('nodejs_gc_duration_seconds_count{kind="major"}');
  await until(isMeasured, 'the collection is measured');
  await stop();
});

test('operation – other methods → fall through', async () => {
  const { handler } = service((context, next) => next(context));
  assert.equal((await answerOf(handler, { method: 'POST', path: '/metrics' })).status, 404);
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

for (const [what, options, message] of [
  ['wrong stages', { stages: {} }, /^TypeError: Cannot serve metrics after these stages/],
  ['a path without a slash', { ignored: ['health'] }, /^TypeError: Cannot ignore the requests for /],
  [
    'a text as further metrics',
    { more: 'up 1' },
    /^TypeError: Cannot serve metrics with "more" as "up 1": give a func/,
  ],
  [
    'an option of prom-client',
    { buckets: [1] },
    /^TypeError: Cannot serve metrics with the option "buckets": it is unkno/,
  ],
] as const)
  test(`D99 – ${what} → rejected when the plugin is created`, () =>
    assert.throws(
      () => metrics(options as never),
      (error) => message.test(String(error)),
    ));

test('D99 – a template with quotes and backslashes → escaped in its label', async () => {
  const path = String.raw`letters/{letter:regex(^\d"$)}`;
  const { request } = application([metrics(), routed(path, () => text('well'))]);
  await request('/letters/7%22');
  const said = await (await request('/metrics')).text();
  const labels = String.raw`method="GET",route="/letters/{letter:regex(^\\d\"$)}",status="200"`;
  assert.ok(said.includes(`http_requests_total{${labels}} 1`));
});

/** Families as `prom-client` writes them. */
const LETTERS = `# HELP letters_total Letters
# TYPE letters_total counter
letters_total{kind="red"} 1

# HELP letter_size_bytes Size
# TYPE letter_size_bytes histogram
letter_size_bytes_bucket{le="100"} 1
letter_size_bytes_bucket{le="+Inf"} 1
letter_size_bytes_sum 8
letter_size_bytes_count 1
`;
const REPEATED = '# HELP process_max_fds Other\n# TYPE process_max_fds gauge\nprocess_max_fds 9\n';

/** The families that `more` adds, and the lines of the log after two scrapes. */
async function added(t: TestContext, more: () => unknown) {
  const lines = errorLines(t);
  const { request } = application([metrics({ more: more as () => string })]);
  await request('/metrics');
  const said = await (await request('/metrics')).text();
  const [own, ...rest] = said.split(/(?<=# TYPE nodejs_gc_duration_seconds histogram\n(?:nodejs_gc.*\n)*)/);
  assert.match(own!, /^# HELP http_requests_total /);
  assert.equal(said.match(/^# TYPE process_max_fds /gm)?.length ?? 0, process.platform === 'linux' ? 1 : 0);
  return { text: rest.join('').trimEnd(), lines: lines() };
}

for (const [what, more, shown, omitted] of [
  ['a text', () => LETTERS, LETTERS, undefined],
  ['a promise of a text', async () => LETTERS, LETTERS, undefined],
  ['a text without a line feed at its end', () => LETTERS.trimEnd(), LETTERS, undefined],
  ['samples without a head', () => 'letters 5\nletters_sent 6', 'letters 5\nletters_sent 6', undefined],
  ['an empty text', () => '', '', undefined],
  ['a family of the process', () => REPEATED + LETTERS, LETTERS, 'process_max_fds'],
  ['the same family twice', () => `${LETTERS}up 1\n${LETTERS}`, `${LETTERS}up 1`, 'letters_total, letter_size_bytes'],
  ['the end of OpenMetrics', () => `${LETTERS}# EOF\n`, LETTERS, '# EOF'],
] as const)
  test(`D99 – further metrics: ${what} → ${omitted === undefined ? 'shown' : `without ${omitted}, with one warning`}`, async (t) => {
    const { text, lines } = await added(t, more);
    assert.equal(text, shown.trimEnd());
    const rule = 'a family may occur only once, and "# EOF" ends the text';
    const warning = `warning: /metrics omits ${omitted} of the option "more": ${rule}`;
    const told = lines.map(({ level, message }) => `${level}: ${message}`);
    assert.deepEqual(told, omitted === undefined ? [] : [warning]);
  });

for (const [what, more, cause] of [
  ['throws', throwing(new Error('no luck')), 'Error: no luck'],
  ['rejects', () => Promise.reject(new Error('later')), 'Error: later'],
  ['returns no text', () => 5, 'TypeError: it has returned "5"; return a text in the format of Prometheus'],
] as const)
  test(`D99 – further metrics: the function ${what} → the other metrics are shown, and the error is logged`, async (t) => {
    const { text, lines } = await added(t, more);
    assert.equal(text, '');
    const told = lines.map(({ error, cause, path }) => [error, cause.error, path]);
    assert.deepEqual(told, Array(2).fill(['Error: Cannot show the metrics of the option "more"', cause, '/metrics']));
  });

test('D78 – a request that the host framework answers → not counted, and not in flight', async (t) => {
  const app = application([metrics()]);
  const listen = listener(app);
  const port = await serveListener(t, (request, response) =>
    listen(request, response, () => response.end('of the host')),
  );
  assert.equal((await ask(port, { target: '/theirs' })).text, 'of the host');
  const now = await figures(app.handler);
  assert.ok([...now.keys()].every((name) => !name.startsWith('http_requests_total')));
  assert.equal(now.get('http_requests_in_flight'), 0);
});
