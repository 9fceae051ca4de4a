/**
 * `npm run bench`: the service against a floor, a hand-written `node:http` server, and against the peers that are
 * installed.
 *
 *     npm run bench                            everything
 *     npm run bench -- --quick                 fewer rounds
 *     npm run bench -- --only calls,http       these tables
 *     npm run bench -- --row POST              the rows of calls and http whose name contains POST
 *     npm run bench -- --only calls --list     the functions that are called, too
 *     npm run bench -- --service FOLDER        another build of the service, in http and start
 *     npm ci --ignore-scripts --prefix test/bench/peers    once, to have the peers measured too
 *
 * The calls are exact. Every other figure is a ratio within short alternating slices: absolute ones are this machine's
 * and this hour's.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stopLoad } from './library/load.mjs';
import { machineLines } from './library/machine.mjs';
import { absentPeers, serviceAt } from './library/targets.mjs';
import { calls } from './tables/calls.mjs';
import { http } from './tables/http.mjs';
import { start } from './tables/start.mjs';

const TABLES = { calls, http, start };
const words = process.argv.slice(2);
const { values } = parseArgs({
  args: words,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(TABLES).join() },
    row: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    service: { type: 'string' },
  },
});
const names = values.only.split(',');
const unknown = names.find((name) => !(name in TABLES));
if (unknown !== undefined)
  throw new Error(`Cannot run the table "${unknown}": give one of ${Object.keys(TABLES).join(', ')}`);

console.log(`# Bench\n\n${machineLines(['npm run bench --', ...words].join(' '))}`);
const absent = absentPeers();
if (absent.length > 0)
  console.log(
    `- not installed and not measured (\`npm ci --ignore-scripts --prefix test/bench/peers\`): ${absent.join(', ')}`,
  );
const service = serviceAt(values.service && resolve(values.service));
for (const name of names) {
  const table = await TABLES[name]({ ...values, service });
  console.log(`\n## ${name}\n\n${table}`);
}
await stopLoad();
