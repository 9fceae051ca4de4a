/** What stages cost that only pass a request on, and what each further one adds. */
import { table } from '../library/markdown.mjs';
import { inRounds } from '../library/rounds.mjs';
import { median, number, spread } from '../library/statistics.mjs';
import { startSubject } from '../library/subject.mjs';

const FILE = new URL('../subjects/pipeline.mjs', import.meta.url).pathname;

export async function pipeline({ quick, service, rounds = quick ? 7 : 25 }) {
  const { ask, stop } = startSubject(FILE, { env: { BENCH_MODULES: service.modules } });
  const counts = [0, 1, 2, 5, 10].map((name) => ({ name }));
  for (const { name } of counts) await ask({ stages: name, milliseconds: quick ? 50 : 200 });
  const times = await inRounds(
    counts,
    rounds,
    async ({ name }) => (await ask({ stages: name, milliseconds: quick ? 10 : 30 })).nanoseconds,
  );
  await stop();
  const bare = times.get(0);
  const rows = counts.map(({ name: count }) => {
    const added = times.get(count).map((time, round) => time - bare[round]);
    return [
      String(count),
      number(median(times.get(count)), 1),
      spread(added, 1),
      count === 0 ? '' : `**${number(median(added) / count, 1)}**`,
    ];
  });
  return `${table(['stages', 'ns/request', 'over none, middle half', 'ns for each stage'], rows)}\n`;
}
