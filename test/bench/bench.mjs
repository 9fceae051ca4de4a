/**
 * `npm run bench`: the service against a floor, a hand-written `node:http` server, and against peers where they are
 * installed.
 *
 *     npm run bench                         everything, some 35 minutes
 *     npm run bench -- --quick              the short form for every day, about a minute
 *     npm run bench -- --only http,routing  these tables; also --rounds N, --load own, --service FOLDER (another build)
 *     npm ci --prefix test/bench/peers      once, to have the peers measured too
 *
 * Every table has interleaved rounds with warm-up and ends in a ratio: absolute figures are this machine's and this
 * hour's.
 */
import { resolve } from 'node:path';
import { missedGoals } from './goals.mjs';
import { stopLoad } from './library/load.mjs';
import { machineLines } from './library/machine.mjs';
import { options } from './library/options.mjs';
import { absentPeers, serviceAt } from './library/targets.mjs';
import { TABLES } from './tables/all.mjs';

const { only, service, ...asked } = options(
  process.argv.slice(2),
  TABLES.map(({ name }) => name),
);
const wanted = TABLES.filter(({ name, quick }) => only?.includes(name) ?? (quick || !asked.quick));
const settings = { ...asked, service: serviceAt(service && resolve(service)) };
const absent = absentPeers();

console.log(
  `# Bench\n\n${machineLines(
    `npm run bench${process.argv
      .slice(2)
      .map((word, at) => `${at === 0 ? ' --' : ''} ${word}`)
      .join('')}`,
  )}`,
);
if (absent.length > 0)
  console.log(
    `- not measured, for they are not installed (\`npm ci --prefix test/bench/peers\`): ${absent.join(', ')}`,
  );

const started = performance.now();
for (const { name, title, make } of wanted) {
  const from = performance.now();
  console.log(`\n## ${title}\n\n${await make(settings)}`);
  console.error(`${name}: ${Math.round((performance.now() - from) / 1000)} s`);
}
await stopLoad();
console.log(`\n${missedGoals()}\n\nTook ${Math.round((performance.now() - started) / 1000)} s.`);
