/** The alerts and the dashboard beside this file: each query names what a scrape has, and promtool finds no fault. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { app } from '../../src/program/app.ts';
import { defaults } from '../../src/program/settings/settings.ts';
import { ask } from '../support/ask.ts';
import { logged, serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const { error } = spawnSync('promtool', ['--version']);
const skip = error !== undefined && 'promtool is missing; the package prometheus of Debian has it';

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Each expression of a rule: on the line of its name, or folded below it. */
const alerts = [...textOf('alerts.yml').matchAll(/^ +expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
  ([, folded, line]) => (folded ?? line)!.replace(/\s+/g, ' ').trim(),
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

/** What a service tells that keeps items in memory, and one whose store cannot be asked. */
async function scraped(t: TestContext): Promise<readonly [inMemory: string, inRedis: string]> {
  const { port } = await serve(t, { metrics: true, maxItems: 10 });
  assert.equal((await ask(port, { target: '/api/todo', headers: { Connection: 'close' } })).status, 200);
  await ask(port, 'no HTTP\r\n\r\n');
  const scrape = async (): Promise<string> =>
    (await ask(port, { target: '/metrics', headers: { Connection: 'close' } })).text;
  const garbage: unknown[] = [];
  const isCollected = async (): Promise<boolean> => {
    for (let at = 0; at < 1e5; at++) garbage[at % 1000] = { at };
    return (await scrape()).includes('nodejs_gc_duration_seconds_count');
  };
  await until(isCollected, 'a garbage collection is told', 30_000);
  const memory = await scrape();
  const { application } = await app({ ...defaults(), metrics: true, store: 'redis://127.0.0.1:1' });
  await application.request('/api/todo');
  logged.splice(0);
  return [memory, await (await application.request('/metrics')).text()];
}

/** The labels of each sample by its name. Prometheus adds those of the scrape, and whether it had an answer. */
function samplesOf(scrape: string): Map<string, Set<string>> {
  const samples = new Map([['up', new Set<string>()]]);
  for (const [, name, labels = ''] of scrape.matchAll(/^([a-z_0-9]+)(?:\{(.*)\})? \S+$/gm)) {
    if (!samples.has(name!)) samples.set(name!, new Set());
    for (const [, label] of labels.matchAll(/([a-z_]+)="/g)) samples.get(name!)!.add(label!);
  }
  for (const labels of samples.values()) labels.add('job').add('instance');
  return samples;
}

const KEYWORDS = new Set(['by', 'and', 'or', 'unless']);

/** The names of an expression with the labels that are asked of each, and those that results are grouped by. */
function namesIn(expression: string): { readonly names: Map<string, string[]>; readonly grouped: string[] } {
  const grouped: string[] = [];
  const plain = expression.replace(/\[[^\]]*\]/g, '').replace(/\bby \(([^)]*)\)/g, (_, labels: string) => {
    grouped.push(...labels.split(/, ?/));
    return '';
  });
  const names = new Map<string, string[]>();
  for (const [, name, isCalled, matchers = ''] of plain.matchAll(/\b([a-z_][\w:]*)\b(?:(\s*\()|\{([^}]*)\})?/g))
    if (!isCalled && !KEYWORDS.has(name!))
      names.set(
        name!,
        [...matchers.matchAll(/([a-z_]+)(?:=|!)/g)].map(([, label]) => label!),
      );
  return { names, grouped };
}

test('D116 – each query of the alerts and of the dashboard → names and labels that a scrape has', async (t) => {
  const samples = samplesOf((await scraped(t)).join(''));
  assert.ok(alerts.length >= 10 && shown.length >= 30 && choices.length === 2);
  for (const expression of [...alerts, ...shown, ...choices]) {
    const { names, grouped } = namesIn(expression);
    assert.ok(names.size > 0, expression);
    for (const [name, labels] of names) {
      const known = samples.get(name);
      assert.ok(known !== undefined, `${name} is not told: ${expression}`);
      for (const label of [...labels, ...grouped])
        assert.ok(known.has(label), `${name} has no ${label}: ${expression}`);
    }
  }
});

function promtool(...given: readonly [readonly string[], string?]): void {
  const { status, stdout, stderr } = spawnSync('promtool', given[0], { input: given[1], encoding: 'utf8' });
  assert.equal(`${stderr}`, '');
  assert.equal(status, 0, stdout);
}

test('D116 – promtool check metrics → nothing to say of a scrape', { skip }, async (t) =>
  promtool(['check', 'metrics'], (await scraped(t))[0]),
);

test('D116 – promtool check rules → the alerts are rules, and the queries of the dashboard are queries', {
  skip,
}, () => {
  const rules = shown.map((expr, at) => ({ record: `shown:${at}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
  // JSON is YAML.
  const folder = temporaryFolder({ 'shown.yml': JSON.stringify({ groups: [{ name: 'shown', rules }] }) });
  const files = [new URL('alerts.yml', import.meta.url).pathname, join(folder, 'shown.yml')];
  promtool(['check', 'rules', ...files]);
});
