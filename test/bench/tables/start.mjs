/** From the start of the process to its first answer, and what it holds in memory; less is better. */
import { goalCell } from '../goals.mjs';
import { openLoad } from '../library/load.mjs';
import { table } from '../library/markdown.mjs';
import { memory, processorTime } from '../library/processor-time.mjs';
import { inRounds } from '../library/rounds.mjs';
import { withItems } from '../library/scenarios.mjs';
import { startServer } from '../library/server-process.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { FLOOR, peers } from '../library/targets.mjs';

const LINES = [
  ['start to first answer', 'ms', ({ first }) => first],
  ['processor time until then', 'ms', ({ used }) => used],
  ['memory at rest', 'MB', ({ rest }) => rest],
  ['memory after GET load', 'MB', ({ loaded }) => loaded],
];

export async function start({ quick, service, rounds = quick ? 5 : 25 }) {
  const targets = [FLOOR, service, ...(quick ? [] : peers())];
  // The first start of each reads its files from the disk; it does not count.
  for (const target of targets) await (await startServer(target)).stop();
  const figures = await inRounds(targets, rounds, (target, round) =>
    measured(target, round < (quick ? 1 : 3) ? (quick ? 500 : 3000) : 0),
  );
  const rows = LINES.flatMap(([line, unit, of]) =>
    targets.map(({ name }) => {
      const own = figures.get(name).map(of);
      const floor = figures.get('floor').map(of);
      const pairs = own.map((value, round) => value / floor[round]).filter(Number.isFinite);
      const ratio = median(pairs);
      return [
        name === 'floor' ? `**${line}**` : '',
        name,
        `${number(median(own.filter(Number.isFinite)), 1)} ${unit}`,
        spread(pairs),
        `**${number(ratio, 2)}**`,
        name === 'ours' ? goalCell('start', line, ratio) : '',
      ];
    }),
  );
  return `${table(['figure', 'server', 'median', 'middle half', 'ratio to floor', 'goal'], rows)}\n`;
}

async function measured(target, load) {
  const server = await startServer(target);
  const figures = {
    first: server.firstAnswer,
    used: processorTime(server.pid) / 1e6,
    rest: memory(server.pid),
    loaded: NaN,
  };
  if (load > 0) {
    const opened = await openLoad({ server, requests: [{ path: `/api/todo/${await withItems(server, 1)}` }] });
    await opened.slice(load);
    figures.loaded = memory(server.pid);
    await opened.close();
  }
  await server.stop();
  return figures;
}
