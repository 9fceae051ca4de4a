/**
 * Kills the service, or the engine that keeps its items, many times under load. Ends in one line of figures.
 *
 *     npm run test:kill -- [--times N] [--store file|redis] [--kill service|engine|start] [--seed N] [--clients N]
 *
 * Without `--store` and `--kill` it does all that can be done here.
 */
import { parseArgs } from 'node:util';
import { noPlace } from '../store-place.ts';
import { accountLine, added, emptyAccount } from './account.ts';
import { killRun } from './kill-run.ts';
import { startKills } from './start-kills.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '200' },
    store: { type: 'string' },
    kill: { type: 'string' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '8' },
  },
});
const [times, seed, clients] = [values.times, values.seed, values.clients].map(Number) as [number, number, number];
const KINDS = [
  { store: 'file', kill: 'service' },
  { store: 'file', kill: 'start' },
  { store: 'redis', kill: 'service' },
  { store: 'redis', kill: 'engine' },
] as const;

const from = performance.now();
let all = emptyAccount();
for (const { store, kill } of KINDS) {
  if ((values.store ?? store) !== store || (values.kill ?? kill) !== kill) continue;
  const reason = noPlace(store);
  if (reason !== false) {
    console.log(`${store}, ${kill}: not tried, ${reason}`);
    continue;
  }
  try {
    if (kill === 'start') {
      const { kills, differences, withoutFile, emptyFile, filledFile } = await startKills({ times, seed });
      all = added(all, { ...emptyAccount(), kills, differences });
      const before = `${withoutFile} before there was a file, ${emptyFile} with an empty one, ${filledFile} later`;
      console.log(`${store}, ${kill}: ${kills} kills, ${before}, ${differences.length} differences`);
    } else {
      const account = await killRun({ store, kill, times, seed, clients });
      all = added(all, account);
      console.log(`${store}, ${kill}: ${accountLine(account)}`);
    }
  } catch (error) {
    all.differences.push(`${store}, ${kill}: ${error instanceof Error ? error.stack : String(error)}`);
  }
}
for (const line of all.differences) console.log(line);
console.log(`${accountLine(all)}, ${Math.round((performance.now() - from) / 1000)} s`);
process.exit(all.differences.length === 0 && all.kills > 0 ? 0 : 1);
