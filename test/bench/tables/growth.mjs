/** What grows with routes, items, connections and bodies: nothing faster than its answer. */
import { openLoad } from '../library/load.mjs';
import { table } from '../library/markdown.mjs';
import { memory } from '../library/processor-time.mjs';
import { inRounds } from '../library/rounds.mjs';
import { withItems } from '../library/scenarios.mjs';
import { startServer } from '../library/server-process.mjs';
import { median, number } from '../library/statistics.mjs';
import { FLOOR } from '../library/targets.mjs';
import { startInProcess } from './in-process.mjs';

const PLUGIN = new URL('../subjects/many-routes.mjs', import.meta.url).pathname;
const byKey = (key) => [{ path: `/api/todo/${key}` }];

export async function growth(settings) {
  const sections = [];
  for (const [title, make] of [
    ['Routes beside the six of the items: one item by id, in process', routes],
    ['Items: one by id, in process', itemsById],
    ['Items: the whole list', itemsAsList],
    ['Connections: one item by id', connections],
    ['Bodies: replace (PUT)', bodies],
  ])
    sections.push(`**${title}**\n\n${await make(settings)}`);
  return `${sections.join('\n\n')}\n`;
}

async function routes({ service, rounds = 60 }) {
  const env = (count) => ({
    PLUGIN,
    BENCH_ROUTES: String(count),
    BENCH_MODULES: service.modules,
  });
  return inProcess(
    [1, 10, 100, 1000, 10_000].map((count) => [count, { ...service, env: env(count) }, 1]),
    rounds,
  );
}

const itemsById = ({ service, rounds = 60 }) =>
  inProcess(
    [1, 10, 100, 1000, 10_000, 100_000].map((count) => [count, service, count]),
    rounds,
  );

/** Sizes side by side in one run, each over the first. */
async function inProcess(sizes, rounds) {
  const subjects = [];
  for (const [size, target, items] of sizes)
    subjects.push(await startInProcess({ ...target, name: size }, items, byKey, 1000));
  const turns = await inRounds(subjects, rounds, ({ turn }) => turn(12));
  const held = new Map(subjects.map(({ name, pid }) => [name, memory(pid)]));
  await Promise.all(subjects.map(({ stop }) => stop()));
  const first = turns.get(sizes[0][0]);
  const rows = sizes.map(([size]) => [
    number(size),
    number(median(turns.get(size))),
    number(held.get(size)),
    `**${number(median(turns.get(size).map((time, round) => time / first[round])), 2)}**`,
  ]);
  return table(['number', 'ns/request', 'memory MB', 'time over the first'], rows);
}

async function itemsAsList({ service, rounds = 5 }) {
  return overSockets([1, 10, 100, 1000, 10_000, 100_000], rounds, service, {
    items: (count) => count,
    requests: () => [{ path: '/api/todo' }],
    connections: (count) => (count > 1000 ? 8 : 64),
    bytes: (count) => count * 82,
  });
}

async function connections({ service, rounds = 5 }) {
  return overSockets([1, 10, 100, 1000], rounds, service, {
    items: () => 1,
    requests: byKey,
    connections: (count) => count,
    bytes: () => NaN,
  });
}

async function bodies({ service, rounds = 5 }) {
  return overSockets([100, 1000, 10_000, 100_000, 1_048_000], rounds, service, {
    items: () => 1,
    connections: () => 16,
    bytes: (size) => size,
    requests: (key, size) => [
      {
        method: 'PUT',
        path: `/api/todo/${key}`,
        body: JSON.stringify({ key, name: 'x'.repeat(Math.max(1, size - 79)), isComplete: false }),
      },
    ],
  });
}

/** Each size in servers of its own: ours, and the floor in the same rounds. */
async function overSockets(sizes, rounds, service, { items, requests, connections: connectionsFor, bytes }) {
  const rows = [];
  for (const size of sizes) {
    const opened = [];
    for (const target of [FLOOR, service]) {
      const server = await startServer(target);
      const load = await openLoad({
        server,
        requests: requests(await withItems(server, items(size)), size),
        connections: connectionsFor(size),
      });
      await load.slice(500);
      opened.push({ name: target.name, server, load });
    }
    const figures = await inRounds(opened, rounds, ({ load }) => load.slice(400));
    const held = opened.map(({ server }) => memory(server.pid));
    for (const { server, load } of opened) {
      await load.close();
      await server.stop();
    }
    const of = (name, key) => figures.get(name).map((figure) => figure[key]);
    const ours = median(of('ours', 'microseconds'));
    const ratio = median(of('ours', 'microseconds').map((time, round) => of('floor', 'microseconds')[round] / time));
    rows.push([
      number(size),
      number(ours, 1),
      number((ours * 1000) / bytes(size), 2),
      number(median(of('ours', 'late')), 1),
      number(held[1]),
      number(held[0]),
      `**${number(ratio, 2)}**`,
    ]);
  }
  return table(
    ['size', 'processor µs/request', 'ns/byte', '99 % within ms', 'memory MB', 'of the floor', 'ratio to floor'],
    rows,
  );
}
