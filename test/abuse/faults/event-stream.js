/** A plugin with a stream of events that never says anything, and the number of those that are open. */
import { Readable } from 'node:stream';

let open = 0;

export default {
  name: 'event-stream',
  stages: [
    function eventStream(context, next) {
      if (context.path === '/open')
        return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: String(open) };
      if (context.path !== '/events') return next(context);
      const body = new Readable({ read() {} });
      open++;
      body.once('close', () => open--);
      return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body };
    },
  ],
};
