/** An app as an embedding user writes it, in a process of its own; only the port is another. It prints it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { staticFiles } from '../../src/extensions/files/files.ts';
import { RouteCollection, routing } from '../../src/http.ts';
import { listener, ok, operation, pipeline, problems, route, text } from '../../src/index.ts';
import { routesOf } from '../../src/operations.ts';

const clock = {
  name: 'Clock',
  path: 'api/clock',
  operations: [
    operation({
      method: 'GET',
      path: '{zone:alpha}',
      summary: 'Tells the time',
      responses: { 200: { description: 'The time', schema: { type: 'string' } } },
      handle: ({ values }) => ok(new Date().toLocaleTimeString('en', { timeZone: values.zone })),
    }),
  ],
};
const routes = new RouteCollection().add(
  ...routesOf(clock),
  route({ method: 'GET', path: 'hello/{name=World}', handle: ({ values }) => text(`Hello ${values.name}`) }),
);

const server = createServer(listener(pipeline([problems(), staticFiles({ root: 'static' }), routing(routes)]))).listen(
  0,
  '127.0.0.1',
);
server.once('listening', () => console.log((server.address() as AddressInfo).port));
