/** What the trace costs: processor time of the service by the request, with and without it, in the same round. */
import { openLoad } from '../library/load.mjs';
import { table } from '../library/markdown.mjs';
import { inRounds } from '../library/rounds.mjs';
import { SCENARIOS, withItems } from '../library/scenarios.mjs';
import { startServer } from '../library/server-process.mjs';
import { median, number, spread } from '../library/statistics.mjs';

const SHOWN = ['one item by id', 'replace (PUT)'];

export async function trace({ quick, service, rounds = quick ? 5 : 9 }) {
  const targets = [
    { ...service, name: 'off' },
    { ...service, name: 'off again' },
    { ...service, name: 'on', env: { TRACE: 'on' } },
  ];
  const rows = [];
  for (const scenario of SCENARIOS.filter(({ name }) => SHOWN.includes(name))) {
    const opened = [];
    for (const target of targets) {
      const server = await startServer(target);
      const requests = scenario.requests(await withItems(server, scenario.items));
      const load = await openLoad({ server, requests, program: 'own' });
      await load.slice(700);
      opened.push({ name: target.name, server, load });
    }
    const figures = await inRounds(opened, rounds, ({ load }) => load.slice(quick ? 150 : 1000));
    for (const { load, server } of opened) {
      await load.close();
      await server.stop();
    }
    const costs = (name) => figures.get(name).map(({ microseconds }) => microseconds);
    for (const { name } of targets) {
      const ratios = costs(name).map((value, round) => value / costs('off')[round]);
      const cells = [number(median(costs(name)), 1), spread(ratios), `**${number(median(ratios), 2)}**`];
      rows.push([scenario.name, name, ...cells]);
    }
  }
  return `${table(['requests', 'trace', 'processor µs/request', 'middle half', 'ratio to off'], rows)}\n`;
}
