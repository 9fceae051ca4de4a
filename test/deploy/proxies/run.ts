/**
 * Runs a rolling restart of two instances behind each installed proxy, and sends hostile requests through it. Prints a
 * table. The exit code is 1 if a run fails.
 *
 *     npm run test:proxies -- [--requests N] [--clients N] [--drain-delay TIME] [--only nginx|haproxy|caddy] [--seed N]
 */
import { parseArgs } from 'node:util';
import { noEngine } from '../../support/lasting-stores.ts';
import { hostileRequests } from './hostile-requests.ts';
import { rollingRestart } from './rolling-restart.ts';
import { noProxy, PROXIES, proxyVersion } from './running-proxy.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '8' },
    'drain-delay': { type: 'string', default: '3s' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const numbers = [values.requests, values.clients, values.seed].map(Number);
const [requests, clients, seed] = numbers as [number, number, number];
const table = [
  '| Proxy | Requests | Failed | Hostile requests | 5xx without explanation |',
  '| --- | --: | --: | --: | --: |',
];
let faults = 0;

for (const proxy of PROXIES.filter((name) => (values.only ?? name) === name)) {
  const reason = noProxy(proxy) || noEngine('redis-server');
  if (reason !== false) {
    console.log(`${proxy}: skipped, ${reason}`);
    continue;
  }
  const restarts = await rollingRestart({ proxy, requests, clients, drainDelay: values['drain-delay'] });
  const failed = [...restarts.failed].reduce((sum, [, count]) => sum + count, 0);
  for (const [what, count] of restarts.failed) console.log(`${proxy}: ${count} times ${what}`);
  const hostile = await hostileRequests(proxy, requests, seed);
  for (const what of [...hostile.serverErrors, ...hostile.harm]) console.log(`${proxy}: ${what}`);
  const counts = [...hostile.statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}:${count}`);
  console.log(`${proxy}: statuses of hostile requests ${counts.join(' ')}`);
  const name = `${proxy} ${proxyVersion(proxy)}`;
  table.push(`| ${name} | ${restarts.asked} | ${failed} | ${hostile.tried} | ${hostile.serverErrors.length} |`);
  faults += failed + hostile.serverErrors.length + hostile.harm.length;
}
console.log(table.join('\n'));
process.exitCode = faults === 0 ? 0 : 1;
