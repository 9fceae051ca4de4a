/** Tests `trace()` in an application: its recordings, its access rules, and its effects on the application. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { application, mounted, operations, type Plugin, problemFormat, type Stage, text } from '../../../src/index.ts';
import type { Recording, RequestSummary, Station } from '../../../src/plugins/trace/recording.ts';
import { trace } from '../../../src/plugins/trace/trace.ts';
import { LastRequests } from '../../../src/plugins/trace/trace-page.ts';
import { routed } from '../../support/plain-routes.ts';

type TraceOptions = Parameters<typeof trace>[0];

const closed: Stage = function closed(context, next) {
  return context.path === '/closed' ? text('closed', { status: 423 }) : next(context);
};
const shop = (): Plugin => ({
  ...routed('till', ({ context }) => text(String(context.headers['cookie']))),
  name: 'shop',
  outerStages: [closed],
});
const traced = (options: TraceOptions = {}) => application([trace(options), shop()]);

type Traced = ReturnType<typeof traced>;
const got = async (app: Traced, target: string, headers = {}) => {
  const reply = await app.request(target, { headers: { Host: 'localhost', ...headers } });
  const body = await reply.text();
  return { status: reply.status, text: body, json: () => JSON.parse(body) };
};
/** Waits for this number of recordings, which end a moment after the reply. Returns their targets and statuses. */
async function summaries(app: Traced, many: number): Promise<readonly string[]> {
  for (;;) {
    const list: readonly RequestSummary[] = (await got(app, '/trace/requests')).json();
    if (list.length >= many) return list.map(({ target, status }) => `${target} ${status}`);
    await turnOfLoop();
  }
}
const labels = (stations: readonly Station[]): unknown[] =>
  stations.flatMap(({ label, stations: inner }) => [label, ...labels(inner)]);

test('trace() – the first plugin of an application → each request with every station, those of the page left out', async () => {
  const app = traced();
  await app.start();
  assert.equal((await got(app, '/till')).text, 'undefined');
  assert.equal((await got(app, '/closed')).status, 423);
  assert.equal((await got(app, '/%zz')).status, 400);
  assert.match((await got(app, '/trace')).text, /<title>Trace</);
  assert.deepEqual(await summaries(app, 3), ['/%zz 400', '/closed 423', '/till 200']);
  const stationsOf = async (number: number) =>
    labels((await got(app, `/trace/requests/${number}`)).json().recording.stations);
  assert.deepEqual(await stationsOf(1), ['shop: closed', 'problems', 'routing', '* /till', '* /till']);
  assert.deepEqual(await stationsOf(2), ['shop: closed']);
  assert.deepEqual(await stationsOf(3), ['shop: closed']);
  const { routes, stages } = (await got(app, '/trace/pipeline')).json();
  assert.deepEqual([routes.length, stages.length], [1, 4]);
});

test('trace() – apart → only the other application has the page, which shows this one', async () => {
  const { page, ...plugin } = trace({ apart: true });
  const app = application([plugin, shop()]);
  const other = application([routed('near', () => text('near')), page]);
  for (const target of ['/till', '/trace', '/TRACE/requests']) await got(app, target);
  assert.deepEqual(await summaries(other, 3), ['/TRACE/requests 404', '/trace 404', '/till 200']);
  assert.equal((await got(other, '/near')).text, 'near');
});

test('trace() – apart, in two applications → the page shows the application that was composed last', async () => {
  const { page, ...plugin } = trace({ apart: true });
  const other = application([page]);
  assert.equal((await got(other, '/trace/requests')).status, 404);
  const [first, last] = [application([plugin, shop()]), application([plugin, shop()])];
  await got(first, '/till?first');
  await got(last, '/till?last');
  assert.deepEqual(await summaries(other, 1), ['/till?last 200']);
});

test('trace() – another path → the page is there, and the application at /trace', async () => {
  const app = traced({ path: '/internal/trace' });
  assert.equal((await got(app, '/trace')).status, 404);
  for (const target of ['/internal/trace', '/INTERNAL/Trace/trace.js', '/internal/trace/requests'])
    assert.equal((await got(app, target)).status, 200, target);
  assert.equal((await got(app, '/internal/tracer')).status, 404);
});

test('trace() – below a base path → links of the page lead there', async () => {
  const app = application([trace(), shop()], { basePath: '/tools' });
  assert.match((await got(app, '/tools/trace')).text, /src="trace\/trace\.js"/);
  assert.equal((await got(app, '/tools/trace/trace.js')).status, 200);
});

test('trace() – unanswered, and problems of the operations → as without it', async () => {
  const options = { unanswered: () => text('nobody here', { status: 404 }) };
  const write = ({ detail }: { readonly detail: string }) => ({ error: detail });
  const problems = problemFormat({ mediaType: 'application/json', schema: { type: 'object' }, write });
  const plugins = [operations({ problems }), shop()];
  for (const app of [application(plugins, options), application([trace(), ...plugins], options)]) {
    assert.equal((await got(app, '/nothing')).text, 'nobody here');
    assert.match((await got(app, '/%zz')).text, /^\{"error":/);
  }
});

function inProduction(t: TestContext): void {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  t.after(() => {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  });
}

test('trace() – in production → disabled, unless inProduction is true', async (t) => {
  inProduction(t);
  assert.equal((await got(traced(), '/trace')).status, 404);
  assert.equal((await got(traced({ inProduction: true }), '/trace')).status, 200);
});

const REFUSED: readonly (readonly [options: object, says: RegExp])[] = [
  [{ path: '/debug' }, /^Cannot show the trace at "\/debug": its last segment is not "trace"; use a path such as/],
  [{ path: 'trace' }, /^Cannot show the trace at "trace"/],
  [{ everybody: true }, /^Cannot make a trace with the option "everybody": it is unknown; use one of path, every/],
];
for (const [options, says] of REFUSED) {
  test(`trace() – ${JSON.stringify(options)} → refused with the remedy`, () => {
    assert.throws(() => trace(options), { name: 'TypeError', message: says });
  });
}

test('trace() – mounted below a prefix → refused with the remedy', () => {
  assert.throws(() => application([mounted('debug', trace())]), {
    message:
      /^Cannot mount the plugin "debug\/trace": its instrument wraps the whole application; add the plugin to appli/,
  });
});

test('trace() – stored requests → at most fifty, and 16 MiB', () => {
  const finished = (number: number, bytes: number): Recording => ({
    ...{ number, method: 'GET', target: '/', at: '', took: 1 },
    ...{ requestId: 'x'.repeat(bytes), httpVersion: '1.1', headers: [], stations: [], complete: true },
    body: { kind: 'none' },
  });
  const kept = (bytes: readonly number[]): number[] => {
    const requests = new LastRequests();
    for (const [number, size] of bytes.entries()) requests.add(finished(number, size));
    return requests.summaries().map(({ number }) => number);
  };
  const mega = 1024 * 1024;
  assert.equal(kept(Array.from({ length: 60 }, () => 1)).length, 50);
  assert.deepEqual(kept([10 * mega, mega, 6 * mega, mega]), [3, 2, 1]);
  assert.deepEqual(kept([mega, 17 * mega]), []);
});
