/** A plugin with a stream of events that begins with a comment, and then never says anything. */
import { Readable } from 'node:stream';

export default {
  name: 'event-stream',
  stages: [
    function eventStream(context, next) {
      if (context.path !== '/events') return next(context);
      const body = new Readable({ read() {} });
      body.push(':\n\n');
      return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body };
    },
  ],
};
