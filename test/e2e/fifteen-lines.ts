/** An app as a user would write it, in a separate process. It listens on a free port and prints it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { application, listener, ok, operation, route, text } from '../../src/index.ts';
import { staticFiles } from '../../src/plugins/files/files.ts';

const clock = {
  name: 'clock',
  stages: [staticFiles({ root: 'static' })],
  routes: [
    operation({
      method: 'GET',
      path: 'api/clock/{zone:alpha}',
      summary: 'Tells the time',
      responses: { 200: { description: 'The time', schema: { type: 'string' } } },
      handle: ({ values }) => ok(new Date().toLocaleTimeString('en', { timeZone: values.zone })),
    }),
    route({ method: 'GET', path: 'hello/{name=World}', handle: ({ values }) => text(`Hello ${values.name}`) }),
  ],
};

const server = createServer(listener(application([clock]).handler)).listen(0, '127.0.0.1');
server.once('listening', () => console.log((server.address() as AddressInfo).port));
