/** The link to an item, by the name of its route; the number of other named routes must not matter. */
import { goalCell } from '../goals.mjs';
import { table } from '../library/markdown.mjs';
import { inRounds } from '../library/rounds.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { startSubject } from '../library/subject.mjs';

const FILE = new URL('../subjects/links.mjs', import.meta.url).pathname;

export async function links({ quick, service, rounds = quick ? 7 : 25 }) {
  const rows = [];
  for (const count of [10, 10_000]) {
    const { ask, stop } = startSubject(FILE, {
      env: { BENCH_ROUTES: String(count), BENCH_MODULES: service.modules },
    });
    const ways = ['by hand', 'ours'].map((name) => ({ name }));
    for (const { name } of ways) await ask({ way: name, milliseconds: quick ? 100 : 400 });
    const times = await inRounds(
      ways,
      rounds,
      async ({ name }) => (await ask({ way: name, milliseconds: quick ? 20 : 50 })).nanoseconds,
    );
    await stop();
    for (const { name } of ways) {
      const ratios = times.get(name).map((time, round) => time / times.get('by hand')[round]);
      const line = `${number(count)} named routes`;
      rows.push([
        name === 'ours' ? '' : `**${line}**`,
        name,
        number(median(times.get(name)), 1),
        name === 'ours' ? goalCell('links', line, median(times.get(name))) : '',
        spread(ratios),
        `**${number(median(ratios), 2)}**`,
      ]);
    }
  }
  return `${table(['routes', 'way', 'ns', 'goal (ns)', 'middle half', 'time over by hand'], rows)}\n`;
}
