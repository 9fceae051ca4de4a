/** The metrics of several workers as those of one service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { MetricFamily } from '../../../src/extensions/metrics/exposition.ts';
import { gatherMetrics, summed } from '../../../src/extensions/metrics/gathering.ts';
import { metrics } from '../../../src/extensions/metrics/metrics.ts';
import { LOADER, withLibrary } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const PATIENCE = 30_000;

const family = (
  type: MetricFamily['type'],
  samples: Readonly<Record<string, number>>,
  aggregator?: MetricFamily['aggregator'],
): MetricFamily => ({
  name: 'x',
  help: 'x',
  type,
  samples: Object.entries(samples),
  ...(aggregator && { aggregator }),
});

for (const [what, processes, before, expected] of [
  [
    'counters and histograms → added up by what stands behind the name',
    [family('counter', { '{a="1"}': 1, '{a="2"}': 2 }), family('counter', { '{a="2"}': 3, '{a="3"}': 4 })],
    [],
    { '{a="1"}': 1, '{a="2"}': 5, '{a="3"}': 4 },
  ],
  ['gauges → added up', [family('gauge', { '': 2 }), family('gauge', { '': -5 })], [], { '': -3 }],
  [
    'gauges of the greatest → that one',
    [family('gauge', { '': 2 }, 'max'), family('gauge', { '': 1 }, 'max')],
    [],
    { '': 2 },
  ],
  [
    'gauges of the least → that one',
    [family('gauge', { '': 2 }, 'min'), family('gauge', { '': 1 }, 'min')],
    [],
    { '': 1 },
  ],
  [
    'a counter that was told higher, by a digit of its fraction → not told lower',
    [family('counter', { '': 0.1 + (0.2 + 0.3) })],
    [family('counter', { '': 0.1 + 0.2 + 0.3, '{a="gone"}': 1 })],
    { '': 0.1 + 0.2 + 0.3, '{a="gone"}': 1 },
  ],
  ['a gauge that was higher → lower', [family('gauge', { '': 1 })], [family('gauge', { '': 2 })], { '': 1 }],
] as const)
  test(`D115 – ${what}`, () => {
    const [sum] = summed(
      processes.map((one) => [one]),
      before,
    );
    assert.deepEqual(Object.fromEntries(sum!.samples), expected);
  });

test('D115 – ofAllWorkers in a process that is no worker → refused at the start', async (t) => {
  const { send } = process;
  t.after(() => Object.assign(process, { send }));
  delete (process as { send?: unknown }).send;
  const plugin = metrics({ ofAllWorkers: true });
  t.after(() => plugin.stop!());
  await assert.rejects(
    async () => plugin.start!(undefined as never),
    /this process is no worker of node:cluster; leave/,
  );
});

const PROGRAM = `
import cluster from 'node:cluster';
import { application, serve, text } from 'todo-item-service';
import { gatherMetrics, metrics } from 'todo-item-service/metrics';

if (cluster.isPrimary) {
  gatherMetrics();
  for (let workers = 0; workers < 2; workers++) cluster.fork();
  cluster.on('exit', () => cluster.fork());
  cluster.once('listening', (worker, { port }) => console.log(port));
} else {
  const numbers = metrics({ ofAllWorkers: true });
  numbers.gauge('here', { help: 'x', collect: () => 1 });
  const who = { name: 'who', stages: [(context, next) => context.path === '/who' ? text(String(process.pid)) : next(context)] };
  await serve(application([numbers, who]), { port: 0, signals: ['SIGTERM'] });
}`;

test('D115 – two workers, one killed, one stopped → each scrape tells all that was answered', async (t) => {
  const folder = temporaryFolder({ 'program.mjs': withLibrary(PROGRAM) });
  const cwd = fileURLToPath(new URL('../../../', import.meta.url));
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, [...LOADER, join(folder, 'program.mjs')], { cwd, stdio: [...stdio] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${Number(line)}`;
  const get = async (path: string): Promise<string> =>
    (await fetch(url + path, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(3000) })).text();
  let asked = 0;
  const who = async (): Promise<number> => {
    asked++;
    return Number(await get('/who'));
  };
  const both = async (without?: number): Promise<number[]> => {
    const found = new Set<number>();
    await until(
      async () => found.add(await who()).size === 2 && !found.has(without ?? 0),
      'both workers',
      PATIENCE,
      20,
    );
    return [...found];
  };
  const counted = async (): Promise<readonly [requests: number, here: number]> => {
    const text = await get('/metrics');
    const told = (name: string): number => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
    assert.ok(told('process_start_time_seconds') < Date.now() / 1000 + 1);
    assert.equal(told('http_request_duration_seconds_count'), told('http_requests_total'));
    return [told('http_requests_total'), told('here')];
  };
  const replaced = async (pid: number, signal: NodeJS.Signals): Promise<void> => {
    process.kill(pid, signal);
    const others = new Set<number>();
    await until(
      async () => {
        const answering = await who().catch(() => {
          // It was given to the one that ended, which may have counted it.
          asked--;
          return pid;
        });
        return answering !== pid && others.add(answering).size === 2;
      },
      `another worker after ${signal}`,
      PATIENCE,
      20,
    );
  };

  const [first] = await both();
  for (let scrapes = 0; scrapes < 4; scrapes++) assert.deepEqual(await counted(), [asked, 2]);
  await replaced(first!, 'SIGKILL');
  await until(async () => (await counted())[1] === 2, 'the gauges of the killed one are gone', PATIENCE);
  assert.deepEqual(await counted(), [asked, 2]);
  const [second] = await both(first);
  await replaced(second!, 'SIGTERM');
  await until(async () => (await counted())[1] === 2, 'the gauges of the stopped one are gone', PATIENCE);
  assert.deepEqual(await counted(), [asked, 2]);
});

test('D115 – asked where no worker is left to ask → what workers tell later is told', async (t) => {
  const sent: unknown[] = [];
  const worker = (id: number, isConnected: boolean) => ({
    id,
    isConnected: () => isConnected,
    send(message: { readonly metrics: string; readonly families?: readonly MetricFamily[] }, done: () => void) {
      if (message.metrics === 'sum') sent.push(message.families?.[0]?.samples);
      else cluster.emit('message', this, { metrics: 'told', families: [family('counter', { '': 7 })] });
      done();
    },
  });
  gatherMetrics();
  t.after(() => {
    for (const event of ['message', 'disconnect', 'exit']) cluster.removeAllListeners(event);
    delete cluster.workers![2];
  });
  cluster.emit('message', worker(1, false), { metrics: 'ask' });
  await new Promise(setImmediate);
  const later = worker(2, true);
  Object.assign(cluster.workers!, { 2: later });
  cluster.emit('message', later, { metrics: 'told', families: [] });
  cluster.emit('message', later, { metrics: 'ask' });
  await until(() => sent.length > 0, 'the sum', PATIENCE);
  assert.deepEqual(sent, [[['', 7]]]);
});

test('D115 – workers that end one after the other, each with series of its own → no more than maxSeries, and "other"', async (t) => {
  const sent: (readonly MetricFamily[])[] = [];
  const worker = (id: number) => ({
    id,
    isConnected: () => true,
    send(message: { readonly metrics: string; readonly families?: readonly MetricFamily[] }, done: () => void) {
      if (message.metrics === 'sum') sent.push(message.families!);
      done();
    },
  });
  gatherMetrics();
  t.after(() => {
    for (const event of ['message', 'disconnect', 'exit']) cluster.removeAllListeners(event);
  });
  const series = (a: string): MetricFamily[] => [
    { ...family('counter', { [`{b="\\"",role="${a}"}`]: 1 }), maxSeries: 2 },
    {
      ...family('histogram', { [`_bucket{a="${a}",le="+Inf"}`]: 1, [`_sum{a="${a}"}`]: 2, [`_count{a="${a}"}`]: 1 }),
      ...{ name: 'y', maxSeries: 2 },
    },
    { ...family('gauge', { [`{a="${a}"}`]: 1 }), name: 'z' },
  ];
  for (const [id, a] of ['1', '2', '3', '4', '1'].entries()) {
    cluster.emit('message', worker(id), { metrics: 'told', families: series(a) });
    if (id < 4) cluster.emit('disconnect', worker(id));
  }
  cluster.emit('message', worker(9), { metrics: 'ask' });
  await until(() => sent.length > 0, 'the sum', PATIENCE);
  assert.deepEqual(
    sent[0]!.map(({ samples }) => Object.fromEntries(samples)),
    [
      { '{b="\\"",role="1"}': 2, '{b="\\"",role="2"}': 1, '{b="other",role="other"}': 2 },
      {
        ...{ '_bucket{a="1",le="+Inf"}': 2, '_sum{a="1"}': 4, '_count{a="1"}': 2 },
        ...{ '_bucket{a="2",le="+Inf"}': 1, '_sum{a="2"}': 2, '_count{a="2"}': 1 },
        ...{ '_bucket{a="other",le="+Inf"}': 2, '_sum{a="other"}': 4, '_count{a="other"}': 2 },
      },
      { '{a="1"}': 1 },
    ],
  );
});
