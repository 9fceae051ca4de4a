/**
 * The long tests: spoiled requests, clients against a model, and faults. Ends in one line of figures.
 *
 *     npm run test:abuse -- [--seed N] [--requests N] [--only fuzz|model|faults]
 *                           [--first N] [--fault TEXT]
 *
 * A finding says its seed and its connection; `--only fuzz --seed S --first C --requests 1` tries that one again.
 */
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';
import { fuzzRun } from './fuzz-run.ts';
import { modelRun } from './model.ts';
import { assertOrderKept } from './order.ts';
import { startService } from './running-service.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string' },
    only: { type: 'string' },
    first: { type: 'string' },
    fault: { type: 'string' },
  },
});
const seed = Number(values.seed ?? 1);
const first = Number(values.first ?? 0);
const requests = Number(values.requests ?? 60_000);
/** Everything that is wrong, a line each, and what the parts count. `delay` is in seconds. */
const result = { inputs: 0, crashes: 0, serverErrors: 0, lost: 0, delay: 0, wrong: [] as string[] };
const started = performance.now();

const parts: Readonly<Record<string, () => Promise<void>>> = {
  async fuzz() {
    const { tried, findings, lost, crashed, delay, statuses, errors } = await fuzzRun({ seed, requests, first });
    for (const finding of findings) result.wrong.push(JSON.stringify(finding));
    if (errors.includes('"error"')) result.wrong.push(`log: ${errors.slice(0, 1000)}`);
    result.inputs += tried;
    result.serverErrors += [...statuses]
      .filter(([status]) => status >= 500 && ![501, 505, 507].includes(status))
      .reduce((sum, [, count]) => sum + count, 0);
    result.delay = Math.max(result.delay, delay);
    result.lost += lost;
    result.crashes += Number(crashed);
    const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}:${count}`);
    console.log(`fuzz: ${tried} requests, statuses ${counts.join(' ')}`);
  },
  async model() {
    const service = await startService();
    const { operations, conflicts, differences } = await modelRun({
      port: service.port,
      seed,
      clients: 40,
      operations: 400,
    });
    await assertOrderKept(service.port, 300);
    result.inputs += operations;
    result.lost += differences.length;
    result.wrong.push(...differences);
    if ((await service.stop()).code !== 0) result.crashes++;
    console.log(
      `model: ${operations} operations by 40 clients, ${conflicts} conflicts refused, ${differences.length} differences`,
    );
  },
  async faults() {
    for (const fault of FAULTS) {
      if (values.fault !== undefined && !fault.name.includes(values.fault)) continue;
      const from = performance.now();
      try {
        const why = await fault.run();
        const took = `${Math.round(performance.now() - from)} ms`;
        console.log(why === undefined ? `ok ${fault.name} (${took})` : `not tried ${fault.name}: ${why}`);
      } catch (error) {
        result.wrong.push(`${fault.name}: ${error instanceof Error ? error.stack : String(error)}`);
        console.log(`FAILED ${fault.name}`);
      }
    }
  },
};

for (const [name, part] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  await part().catch(
    (error: unknown) => void result.wrong.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`),
  );
}
for (const line of result.wrong) console.log(line);
const { inputs, crashes, serverErrors, lost, delay, wrong } = result;
console.log(
  `${inputs} inputs tried, ${crashes} crashes, ${serverErrors} 5xx, ${lost} items lost, largest event-loop delay ` +
    `${Math.round(delay * 1000)} ms, ${wrong.length} faults, ${Math.round((performance.now() - started) / 1000)} s`,
);
process.exit(wrong.length + crashes + serverErrors + lost === 0 ? 0 : 1);
