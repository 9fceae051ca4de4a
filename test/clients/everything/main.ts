/**
 * Runs the application as a process, with every reply checked against its description: `--naming PascalCase` and
 * `--base-path /service` as for the service. With `--describe 2.0` it prints that document and ends.
 */
import { parseArgs } from 'node:util';
import { HttpService } from '../../../src/extending.ts';
import type { PropertyNaming } from '../../../src/index.ts';
import { describe, describeOpenApi } from '../../../src/plugins/description/description.ts';
import { verification } from '../../../src/testing.ts';
import { everything, INFO } from './everything.ts';

const { values } = parseArgs({
  options: { naming: { type: 'string' }, 'base-path': { type: 'string' }, describe: { type: 'string' } },
});
const naming = (values.naming ?? 'camelCase') as PropertyNaming;
const basePath = values['base-path'] ?? '';

const composed = everything(naming, basePath, [verification()]);
if (values.describe !== undefined) {
  const write = values.describe === '2.0' ? describe : describeOpenApi;
  process.stdout.write(JSON.stringify(write(composed.routes, { ...INFO, basePath })));
} else {
  await composed.start();
  const { handler, refuse } = composed;
  const service = new HttpService({ handler, refuse, basePath }, { limits: { maxBody: 4096 } });
  const { port } = await service.listen(0, '127.0.0.1');
  process.on('SIGTERM', async () => {
    await service.close();
    await composed.stop();
  });
  process.stdout.write(`Everything  http://127.0.0.1:${port}${basePath}\n`);
}
