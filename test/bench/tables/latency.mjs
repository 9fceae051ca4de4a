/**
 * How long the slowest hundredth of requests takes when they come at a fixed rate, 60 % of the most that the floor
 * answers. A request that waits for a free connection counts from when it should have begun, so that a server that
 * halts is not spared what comes meanwhile.
 */
import { openLoad } from '../library/load.mjs';
import { again, inSets, linesOf } from '../library/pairs.mjs';
import { SCENARIOS, withItems } from '../library/scenarios.mjs';
import { startServer } from '../library/server-process.mjs';
import { median } from '../library/statistics.mjs';
import { FLOOR } from '../library/targets.mjs';

const MIXED = SCENARIOS.find(({ name }) => name === 'mixed');
const SHARE = 0.6;

export async function latency({ quick, service, sets = quick ? 2 : 3, rounds = quick ? 5 : 15 }) {
  const results = await inSets({ sets, rounds, seconds: 24 }, async () => {
    const opened = [];
    for (const target of [FLOOR, service, { ...service, name: again('ours') }]) {
      const server = await startServer(target);
      const load = await openLoad({ server, requests: MIXED.requests(await withItems(server, MIXED.items)) });
      await load.slice({ requests: 30_000 });
      opened.push({ name: target.name, server, load });
    }
    const most = [];
    for (let time = 0; time < 5; time++) most.push((await opened[0].load.slice(100)).perSecond);
    return opened.map(({ name, server, load }) => ({
      name,
      slice: () => load.pace(SHARE * median(most), 300),
      async close() {
        await load.close();
        await server.stop();
      },
    }));
  });
  return ['half', 'late'].flatMap((part) =>
    linesOf({
      row: part === 'half' ? 'half within' : '99 % within',
      results,
      pairs: [['ours', 'floor']],
      costOf: (figures) => figures[part],
      digits: 2,
    }),
  );
}
