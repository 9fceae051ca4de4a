/** This project: a stage gets a context and `next`, and returns a reply. */
import { createServer, type Server } from 'node:http';
import { application, listener, type Plugin, problemReply, route, text, withHeaders } from '../../../src/index.ts';

const site: Plugin = {
  name: 'site',
  outerStages: [
    async function seen(context, next) {
      const reply = await next(context);
      return withHeaders(reply, { 'X-Seen': String(reply.status) });
    },
  ],
  stages: [
    function closed(context, next) {
      return context.method === 'GET' ? next(context) : problemReply(context, 503, 'Only reading today');
    },
  ],
  routes: [
    route({ path: 'hello/{name}', handle: ({ values }) => text(`Hello ${values.name}`) }),
    route({
      path: 'broken',
      handle() {
        throw new Error('The handler has failed');
      },
    }),
  ],
};

export const server = (): Server => createServer(listener(application([site], { log() {} })));
