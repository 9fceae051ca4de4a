/**
 * Finding a route: ours against the fastest tree at hand, memoirist; without a ratio where it is not installed.
 */
import { goalCell } from '../goals.mjs';
import { table } from '../library/markdown.mjs';
import { inRounds } from '../library/rounds.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { startSubject } from '../library/subject.mjs';
import { hasPeer } from '../library/targets.mjs';

const FILE = new URL('../subjects/routing.mjs', import.meta.url).pathname;
const LOADS = ['mixed', 'first', 'last', 'miss'];

export async function routing({ quick, service, rounds = quick ? 5 : 15 }) {
  const sizes = quick ? [10, 10_000] : [10, 100, 1000, 10_000];
  const base = hasPeer('memoirist') ? 'memoirist' : 'ours';
  const names = [...new Set([base, 'ours'])];
  const found = new Map();
  for (const size of sizes) found.set(size, await measured(names, size, service, rounds, quick));
  const grown = await growth([sizes[0], sizes.at(-1)], service, rounds, quick);
  const tables = LOADS.map((load) => loadTable(load, sizes, names, base, found));
  return `${[...tables, grown, building(sizes, names, found)].join('\n\n')}\n`;
}

async function measured(names, size, service, rounds, quick) {
  const subjects = [];
  const figures = new Map();
  // One after the other: a router builds when its process starts, and beside another it would be timed with the other's
  // work.
  for (const name of names) {
    const subject = startRouter(name, size, service);
    figures.set(`building ${name}`, await subject.ask({ act: 'building' }));
    subjects.push(subject);
  }
  await warmUp(subjects, quick);
  for (const load of LOADS) figures.set(load, await inRounds(subjects, rounds, timeOf(load, quick)));
  await Promise.all(subjects.map(({ stop }) => stop()));
  return figures;
}

function startRouter(name, size, { modules }) {
  const env = { BENCH_ROUTES: String(size), BENCH_MODULES: modules, BENCH_ROUTER: name };
  return { name, ...startSubject(FILE, { env, flags: ['--expose-gc', '--max-old-space-size=4096'] }) };
}

async function warmUp(subjects, quick) {
  for (let warm = 0; warm < 2; warm++)
    for (const { ask } of subjects) for (const load of LOADS) await ask({ load, milliseconds: quick ? 60 : 200 });
}

const timeOf =
  (load, quick) =>
  async ({ ask }) =>
    (await ask({ load, milliseconds: quick ? 15 : 40 })).nanoseconds;

function loadTable(load, sizes, names, base, found) {
  const rows = sizes.flatMap((size) =>
    names.flatMap((name) => {
      const times = found.get(size).get(load).get(name);
      const floor = found.get(size).get(load).get(base);
      if (times === undefined) return [];
      const ratios = times.map((time, round) => time / (floor ?? times)[round]);
      const ratio = floor && median(ratios);
      const line = `${number(size)} routes, ${load}`;
      const goal = name === 'ours' && base === 'memoirist' && floor ? goalCell('routing', line, ratio) : '';
      return [
        [
          name === names[0] ? `**${number(size)}**` : '',
          name,
          number(median(times), 1),
          floor ? spread(ratios) : '',
          floor ? `**${number(ratio, 2)}**` : '',
          goal,
        ],
      ];
    }),
  );
  return `**${load}** (less is better)\n\n${table(['routes', 'router', 'ns', 'middle half', `time over ${base}`, 'goal'], rows)}`;
}

/**
 * In rounds of their own, both sizes side by side: a machine that changes its speed in between would show in the ratio.
 */
async function growth([small, large], service, rounds, quick) {
  const subjects = [small, large].map((size) => ({ ...startRouter('ours', size, service), name: size }));
  await warmUp(subjects, quick);
  const lines = [];
  for (const load of LOADS) {
    const times = await inRounds(subjects, rounds, timeOf(load, quick));
    lines.push([`growth ${number(small)} to ${number(large)}, ${load}`, over(times, large, small)]);
  }
  const ends = ['first', 'last'].map((name) => ({ name, ask: subjects[1].ask }));
  const times = await inRounds(ends, rounds, (end) => timeOf(end.name, quick)(end));
  lines.push([`last over first, ${number(large)} routes`, over(times, 'last', 'first')]);
  await Promise.all(subjects.map(({ stop }) => stop()));
  return table(
    ['ours', 'times', 'goal'],
    lines.map(([line, ratio]) => [line, `**${number(ratio, 2)}**`, goalCell('routing', line, ratio)]),
  );
}

const over = (times, one, other) => median(times.get(one).map((time, round) => time / times.get(other)[round]));

function building(sizes, names, found) {
  const rows = names.flatMap((name) =>
    sizes
      .filter((size) => size >= 1000)
      .map((size) => {
        const { nanoseconds, bytes } = found.get(size).get(`building ${name}`) ?? {};
        const goals =
          name === 'ours'
            ? [
                goalCell('routing', 'building, µs a route', nanoseconds / 1000),
                goalCell('routing', 'memory, bytes a route', bytes),
              ]
            : ['', ''];
        return [name, number(size), number(nanoseconds / 1000, 2), goals[0], number(bytes), goals[1]];
      }),
  );
  const head = ['router', 'routes', 'µs a route', 'goal', 'bytes a route', 'goal'];
  return `**building**, in a process that has built none before\n\n${table(head, rows)}`;
}
