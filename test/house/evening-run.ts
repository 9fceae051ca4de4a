/** Requests the first item of the service, and prints the files of `src/` that ran for the request, as JSON. */
import { Agent, request } from 'node:http';
import { Session } from 'node:inspector/promises';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { app } from '../../src/service/app.ts';
import { readSettings } from '../../src/service/settings/settings.ts';
import { ROOT } from './source-files.ts';

// The timers of the service are stopped, because they would run code that does not belong to the request.
mock.timers.enable({ apis: ['setInterval'] });
const { application, service } = await app(readSettings([], {}));
await application.start();
const { port } = await service.listen(0);
// Both requests use one connection, so that the code that opens a connection is not measured.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const get = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, path, agent }, (reply) => resolve(text(reply)));
    sent.once('error', reject).end();
  });

const [item] = JSON.parse(await get('/api/todo')) as [{ readonly key: string }];
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await get(`/api/todo/${item.key}`);
const { result } = await session.post('Profiler.takePreciseCoverage');
const ran = result
  .filter(({ functions }) => functions.some(({ ranges: [whole] }) => whole!.count > 0))
  .filter(({ url }) => url.startsWith('file:'))
  .map(({ url }) => fileURLToPath(url))
  .filter((path) => path.startsWith(`${ROOT}src/`))
  .map((path) => path.slice(ROOT.length));
console.log(JSON.stringify(ran.sort()));
agent.destroy();
await service.close(0);
await application.stop();
