/** Runs the application that lends devices as a process. With `--describe 2.0` it prints that document and ends. */
import { parseArgs } from 'node:util';
import { serve } from '../../../src/index.ts';
import { lending } from '../../lending/application.ts';

const { values } = parseArgs({ options: { describe: { type: 'string' } } });

const application = lending({
  ada: { identity: { name: 'Ada', department: 'film' }, roles: ['keeper'] },
  bob: { identity: { name: 'Bob', department: 'news' } },
});
const { url, close } = await serve(application, { port: 0, signals: ['SIGTERM'] });
if (values.describe === undefined) process.stdout.write(`Lending  ${url}\n`);
else {
  const file = values.describe === '2.0' ? 'swagger.json' : 'openapi.json';
  const reply = await application.request(`/swagger/v1/${file}`);
  process.stdout.write(await reply.text());
  await close();
}
