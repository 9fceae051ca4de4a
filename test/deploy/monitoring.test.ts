/** Tests the alerts and the dashboard: each alert fires, each query has a result, and promtool finds no error. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import { type App, app } from '../../src/service/app.ts';
import { readSettings, type Settings } from '../../src/service/settings/settings.ts';
import { spawnService } from '../abuse/running-service.ts';
import { oneFile } from '../release/one-file.ts';
import { ask } from '../support/ask.ts';
import {
  freePort,
  noEngine,
  noSqlite,
  type RunningEngine,
  startEngine,
  workBesideClient,
} from '../support/lasting-stores.ts';
import { logged } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const { error } = spawnSync('promtool', ['--version']);
const skip = error !== undefined && 'promtool is missing; the package prometheus of Debian has it';

/** The folder of the files for a deployment. */
const DEPLOY = new URL('../../src/deploy/', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, DEPLOY), 'utf8');

/** The expression of each alert, by its name. It is on the next line or folded over several lines. */
const alerts = new Map(
  Array.from(
    textOf('alerts.yml').matchAll(/- alert: (\w+)\n +expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/g),
    ([, name, folded, line]) => [name!, (folded ?? line)!.replace(/\s+/g, ' ').trim()],
  ),
);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}
const dashboard = JSON.parse(textOf('dashboard.json')) as Dashboard;
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const choices = dashboard.templating.list
  .map(({ query }) => /^label_values\((.*), \w+\)$/.exec(query)?.[1])
  .filter((query) => query !== undefined);

type Labels = Readonly<Record<string, string>>;
type Vector = readonly { readonly labels: Labels; readonly value: number }[];

const SCRAPED = { job: 'todo-item-service', instance: 'a:1' };
const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort());

/** Returns the values of the series that a selector matches, one for each scrape that has them. */
function selected(selector: string, scrapes: readonly string[]): { labels: Labels; values: number[] }[] {
  const [, name, matchers = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? assert.fail(selector);
  const series = new Map<string, { labels: Labels; values: number[] }>();
  for (const scrape of scrapes)
    for (const [, given = '', value] of scrape.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))) {
      const own = Object.fromEntries(Array.from(given.matchAll(/(\w+)="([^"]*)"/g), ([, label, is]) => [label!, is!]));
      const labels: Labels = { ...own, ...SCRAPED };
      const isMeant = [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].every(([, label, how, is]) => {
        assert.ok(labels[label!] !== undefined, `${name} has no ${label}`);
        return how === '=' ? labels[label!] === is : new RegExp(`^(?:${is})$`).test(labels[label!]!);
      });
      if (!isMeant) continue;
      const one = series.get(keyOf(labels)) ?? { labels, values: [] };
      series.set(keyOf(labels), one);
      one.values.push(Number(value!.replace('Inf', 'Infinity')));
    }
  return [...series.values()];
}

/** The subset of Prometheus that the alerts and the dashboard need, for scrapes a minute apart. */
function evaluated(expression: string, scrapes: readonly string[]): Vector {
  const of = (part = ''): Vector => evaluated(part, scrapes);
  if (expression.includes(' or ')) return expression.split(' or ').flatMap(of);
  const [, compared, sign, bound] = /^(.*) (>|==) ([\d.]+)$/.exec(expression) ?? [];
  if (compared !== undefined)
    return of(compared).filter(({ value }) => (sign === '>' ? value > Number(bound) : value === Number(bound)));
  const [above, below] = expression.split(' / ');
  if (below !== undefined)
    return of(above).flatMap(({ labels, value }) => {
      const divisor = of(below).find((one) => keyOf(one.labels) === keyOf(labels));
      return divisor === undefined ? [] : [{ labels, value: value / divisor.value }];
    });
  const [, rank, buckets] = /^histogram_quantile\(([\d.]+), (.*)\)$/.exec(expression) ?? [];
  if (rank !== undefined) {
    const all = of(buckets);
    const total = Math.max(...all.map(({ value }) => value));
    const found = all.find(({ value }) => total > 0 && value >= total * Number(rank));
    return found === undefined ? [] : [{ labels: SCRAPED, value: Number(found.labels['le']!.replace('+Inf', '10')) }];
  }
  const [, names, inner] = /^sum by \((.*?)\) \((.*)\)$/.exec(expression) ?? [];
  if (names !== undefined) {
    const sums = new Map<string, { labels: Labels; value: number }>();
    for (const one of of(inner)) {
      const labels = Object.fromEntries(names.split(', ').map((name) => [name, one.labels[name] ?? assert.fail(name)]));
      sums.set(keyOf(labels), { labels, value: one.value + (sums.get(keyOf(labels))?.value ?? 0) });
    }
    return [...sums.values()];
  }
  const [, call = 'last', ranged = expression] = /^(\w+)\((.*)\[.*\]\)$/.exec(expression) ?? [];
  return selected(ranged, call === 'last' ? scrapes.slice(-1) : scrapes).map(({ labels, values }) => {
    const changes = values.filter((value, at) => at > 0 && value !== values[at - 1]).length;
    const increase = values.at(-1)! - values[0]!;
    return { labels, value: { last: values.at(-1), changes, increase, rate: increase / 300 }[call]! };
  });
}

/** Scrapes the metrics of a service before and after each of five acts. */
async function scrapesOf(
  t: TestContext,
  settings: Partial<Settings>,
  act: (made: App, scrape: () => Promise<string>) => unknown,
): Promise<string[]> {
  const made = await app({ ...readSettings([], {}), metrics: true, storeWait: 0, ...settings });
  const { application } = made;
  await application.start().catch(() => {});
  t.after(async () => {
    await made.service.close(0);
    await application.stop();
    logged.splice(0);
  });
  const scrape = async (): Promise<string> => `up 1\n${await (await application.request('/metrics')).text()}`;
  const scrapes = [await scrape()];
  for (let time = 0; time < 5; time++) {
    await act(made, scrape);
    scrapes.push(await scrape());
  }
  return scrapes;
}

const post =
  (name: string) =>
  async ({ application }: App) => {
    for (let time = 0; time < 10; time++) await application.request('/api/todo', { method: 'POST', json: { name } });
  };
const read = async ({ application }: App): Promise<unknown> => await application.request('/api/todo');

const folder = temporaryFolder({});
let files = 0;
let engine: RunningEngine;
const newFile = (): string => join(folder, `${files++}.db`);

/** A fault, the alerts that it fires, and the acts that cause it in a service with these settings. */
type Fault = readonly [
  what: string,
  fires: readonly string[],
  settings: (t: TestContext) => Partial<Settings> | Promise<Partial<Settings>>,
  act: (made: App, scrape: () => Promise<string>, t: TestContext) => unknown,
  skip?: string | false,
];
const FULL = ['TodoStoreRefusesChanges', 'TodoErrors', 'TodoStoreNearlyFull'];
const NAME = 'x'.repeat(3000);
const FAULTS: readonly Fault[] = [
  ['no fault, items in memory', [], () => ({}), read],
  ['no fault, items in a file', [], () => ({ store: newFile(), maxStoreBytes: 2 ** 20 }), read, noSqlite],
  ['all items that may be', FULL, () => ({ maxItems: 1 }), post('a')],
  ['all memory for items taken', FULL, () => ({ maxStoreBytes: 720 }), post(NAME)],
  ['all items that may be in a file', FULL, () => ({ store: newFile(), maxItems: 1 }), post('a'), noSqlite],
  ['all bytes of a file taken', FULL, () => ({ store: newFile(), maxStoreBytes: 65_536 }), post(NAME), noSqlite],
  [
    'a file that was removed',
    ['TodoStoreDown', 'TodoErrors'],
    () => ({ store: newFile() }),
    async (made) => {
      rmSync(join(folder, `${files - 1}.db`), { force: true });
      await post('a')(made);
    },
    noSqlite,
  ],
  [
    'a full Redis',
    ['TodoStoreRefusesChanges', 'TodoErrors'],
    async (t) => {
      const former = process.cwd();
      t.after(() => process.chdir(former));
      workBesideClient();
      engine = await startEngine('redis-server');
      t.after(() => engine.stop());
      return { store: engine.url() };
    },
    async (made) => {
      engine.command('CONFIG', 'SET', 'maxmemory', '1');
      await post('a')(made);
    },
    noEngine('redis-server'),
  ],
  [
    'all connections taken',
    ['TodoLimitReached', 'TodoConnectionsNearLimit'],
    () => ({ maxConnections: 1 }),
    async ({ service }, _, t) => {
      if (service.connections.size > 0) return;
      const { port } = await service.listen(0);
      const first = connect(port, '127.0.0.1');
      t.after(() => first.destroy());
      await until(() => service.connections.size === 1, 'the connection is there');
      assert.equal((await ask(port, { target: '/api/todo' })).status, 503);
    },
  ],
  [
    'requests that take a second',
    ['TodoSlow'],
    () => ({}),
    (made, _, t) => {
      let now = 0;
      t.mock.reset();
      t.mock.method(performance, 'now', () => (now += 1000));
      return read(made);
    },
  ],
  [
    'a container whose memory is almost used',
    ['TodoMemoryNearLimit'],
    () => ({}),
    (_, __, t) => {
      t.mock.reset();
      t.mock.method(process, 'constrainedMemory', () => 256 * 2 ** 20);
      t.mock.method(process.memoryUsage, 'rss', () => 0.95 * 256 * 2 ** 20);
    },
  ],
  [
    'a heap that is almost full',
    ['TodoHeapNearLimit'],
    () => ({}),
    (_, __, t) => {
      t.mock.reset();
      const heap = v8.getHeapStatistics();
      t.mock.method(v8, 'getHeapStatistics', () => ({ ...heap, used_heap_size: heap.heap_size_limit * 0.95 }));
    },
  ],
  [
    'turns of the event loop of 0.3 s',
    ['TodoEventLoopLate'],
    () => ({}),
    async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      await setTimeout(25);
    },
  ],
  [
    'a start between two scrapes each',
    ['TodoRestarts'],
    () => ({}),
    (_, __, t) => {
      const later = performance.timeOrigin + 10_000;
      t.mock.reset();
      t.mock.getter(performance, 'timeOrigin', () => later);
    },
  ],
];

/** The alerts that depend on the load of the machine. */
const TIMED = ['TodoEventLoopLate', 'TodoSlow'];

function assertFires(scrapes: readonly string[], expected: readonly string[]): void {
  const names = [...alerts.keys()].filter((name) => evaluated(alerts.get(name)!, scrapes).length > 0);
  const isSure = (name: string): boolean => expected.includes(name) || !TIMED.includes(name);
  assert.deepEqual(names.filter(isSure).sort(), [...expected].sort());
}

for (const [what, expected, settings, act, skip = false] of FAULTS)
  test(`D116 – ${what} → fires ${expected.join(', ') || 'no alert'}`, { skip }, async (t) =>
    assertFires(await scrapesOf(t, await settings(t), (made, scrape) => act(made, scrape, t)), expected),
  );

test('D116 – an access log on a full disk → fires TodoLogLinesDropped', {
  skip: process.platform !== 'linux' && 'Linux alone has /dev/full',
}, async (t) => {
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  const flags = ['--metrics', 'on', '--access-log', 'on'];
  const { child } = spawnService({ port, flags, stdio: ['ignore', full, 'pipe'] });
  t.after(() => void child.kill('SIGKILL'));
  const scrape = async (): Promise<string> => {
    const answer = await ask(port, { target: '/metrics' }).catch(() => undefined);
    return answer === undefined ? '' : `up 1\n${answer.text}`;
  };
  let before = '';
  const listens = async (): Promise<boolean> => (before = await scrape()) !== '';
  await until(listens, 'the service listens', 20_000);
  await ask(port, { target: '/api/todo' });
  let after = '';
  const isLost = async (): Promise<boolean> =>
    /^log_lines_dropped_total\{log="access"\} [1-9]/m.test((after = await scrape()));
  await until(isLost, 'a line is lost');
  assertFires([before, after], ['TodoLogLinesDropped']);
});

test('D116 – todo.service with many connections → reports its descriptors with the rights of the unit, until it stops', {
  skip: noSqlite,
}, async (t) => {
  const program = join(folder, 'todo.cjs');
  writeFileSync(program, await oneFile({ version: '1.0.0', commit: 'unknown', modified: 0 }));
  const [, command] = /^ExecStart=\/usr\/bin\/node ((?:.*\\\n)*.*)$/m.exec(textOf('todo.service'))!;
  const words = command!
    .replace(/\\\n/g, '')
    .replaceAll('/var/lib/todo', folder)
    .replace('/opt/todo/todo.cjs', program)
    .replace('--allow-net', Number(process.versions.node.split('.')[0]) < 26 ? '' : '--allow-net')
    .replace('--admin-port 9090', '--admin-port 0');
  const limited = `ulimit -n 60; exec "${process.execPath}" ${words} --port 0`;
  const service = spawn('sh', ['-c', limited]);
  t.after(() => service.kill('SIGKILL'));
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  const port = Number(/:(\d+)/.exec(String(line))![1]);
  const adminPort = Number(/^Admin port.*:(\d+)$/m.exec(String(line))![1]);
  const scrape = async (): Promise<string> => {
    const answer = await ask(adminPort, { target: '/metrics', headers: { Connection: 'close' } }).catch(
      () => undefined,
    );
    return answer === undefined ? 'up 0' : `up 1\n${answer.text}`;
  };
  const scrapes = [await scrape()];
  assertFires(scrapes, []);
  const query = alerts.get('TodoDescriptorsNearLimit')!;
  const open = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    scrapes.push(await scrape());
    return evaluated(query, scrapes).length > 0;
  };
  await until(open, 'the alert fires', 20_000, 0);
  service.kill('SIGKILL');
  await once(service, 'exit');
  assertFires([...scrapes, await scrape()], ['TodoDown']);
});

test('D116 – the alerts → each fires in a test', () => {
  const others = ['TodoDescriptorsNearLimit', 'TodoDown', 'TodoLogLinesDropped'];
  const fired = [...FAULTS.flatMap(([, names]) => names), ...others];
  assert.deepEqual([...new Set(fired)].sort(), [...alerts.keys()].sort());
});

/** The metrics of a service with items in memory and a garbage collection, and of a service whose store is down. */
async function scraped(t: TestContext): Promise<readonly [inMemory: string, inRedis: string]> {
  const garbage: unknown[] = [];
  const collect = async (made: App, scrape: () => Promise<string>): Promise<void> => {
    await read(made);
    const isCollected = async (): Promise<boolean> => {
      for (let at = 0; at < 1e5; at++) garbage[at % 1000] = { at };
      return (await scrape()).includes('nodejs_gc_duration_seconds_count');
    };
    await until(isCollected, 'a garbage collection is told', 30_000);
  };
  const [inMemory, inRedis] = [
    await scrapesOf(t, { maxItems: 10 }, collect),
    await scrapesOf(t, { store: 'redis://127.0.0.1:1' }, read),
  ];
  return [inMemory.at(-1)!, inRedis.at(-1)!];
}

test('D116 – each query of the dashboard → has a result', async (t) => {
  const scrapes = [(await scraped(t)).join('\n')];
  assert.ok(shown.length >= 30 && choices.length === 2);
  for (const expression of [...shown, ...choices]) {
    const query = expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*');
    // A quantile of no requests is NaN.
    const series = query.replace(/^histogram_quantile\([\d.]+, (.*)\)$/, '$1');
    assert.ok(evaluated(series, scrapes).length > 0, expression);
  }
});

const page = (name: string): string => textOf(`../guide/operate/${name}`);
for (const [where, text, pattern] of [
  ['todo.service', textOf('todo.service'), /--admin-port (\d+)/g],
  ['compose.yml', textOf('compose.yml'), /TODO_ADMIN_PORT: (\d+)/g],
  ['kubernetes.yml', textOf('kubernetes.yml'), /TODO_ADMIN_PORT\n +value: "(\d+)"/g],
  ['the scrape job', page('monitoring.md'), /targets: \["127\.0\.0\.1:(\d+)"\]/g],
  ['the first commands of "At 3 a.m."', page('at-night.md'), /127\.0\.0\.1:(\d+)|port-forward deploy\/todo (\d+)/g],
] as const)
  test(`D117 – the admin port of ${where} → the same as in the other files and pages`, () => {
    const ports = Array.from(text.matchAll(pattern), ([, port, other]) => port ?? other);
    assert.ok(ports.length > 0);
    assert.deepEqual([...new Set(ports)], ['9090']);
  });

test('D116 – the scrape job of the page → has the name that the alerts and the dashboard select', () => {
  const [, job] = /job_name: (\S+)/.exec(page('monitoring.md'))!;
  const selected = textOf('alerts.yml').matchAll(/job="([^"]+)"/g);
  assert.deepEqual([...new Set(Array.from(selected, ([, name]) => name))], [job]);
});

test('D117 – todo.service → has health checks and metrics on its admin port', () => {
  const [, flags = ''] = /\/opt\/todo\/todo\.cjs (.*)$/m.exec(textOf('todo.service'))!;
  const { healthChecks, metrics, adminHost } = readSettings(flags.split(' '), {});
  assert.deepEqual([healthChecks, metrics, adminHost], [true, true, '127.0.0.1']);
});

function promtool(...given: readonly [readonly string[], string?]): void {
  const { status, stdout, stderr } = spawnSync('promtool', given[0], { input: given[1], encoding: 'utf8' });
  assert.equal(`${stderr}`, '');
  assert.equal(status, 0, stdout);
}

test('D116 – promtool check metrics → finds no error in a scrape', { skip }, async (t) =>
  promtool(['check', 'metrics'], (await scraped(t))[0].replace('up 1\n', '')),
);

test('D116 – promtool check rules → accepts the alerts and the queries of the dashboard', {
  skip,
}, () => {
  const rules = shown.map((expr, at) => ({ record: `shown:${at}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
  // JSON is YAML.
  const folder = temporaryFolder({ 'shown.yml': JSON.stringify({ groups: [{ name: 'shown', rules }] }) });
  const files = [new URL('alerts.yml', DEPLOY).pathname, join(folder, 'shown.yml')];
  promtool(['check', 'rules', ...files]);
});
