/** A plugin with a stream of events that never says anything. */
import { Readable } from 'node:stream';

export default {
  name: 'event-stream',
  stages: [
    function eventStream(context, next) {
      if (context.path !== '/events') return next(context);
      return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: new Readable({ read() {} }) };
    },
  ],
};
