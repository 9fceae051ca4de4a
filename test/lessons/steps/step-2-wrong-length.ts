/**
 * Step 2: a wrong Content-Length.
 *
 * Without it: a handler gives `name.length` as the length of its body. That counts UTF-16 code units, a Content-Length
 * counts bytes, and "ü" is one unit and two bytes. The client stops reading too early, and takes the last bytes of this
 * reply for the beginning of the next one. An attacker who chooses the name chooses these bytes, and so writes the next
 * reply on the connection. A proxy shares its connections between clients, so another client gets it.
 *
 * How one sees it: start the step before it, then ask from another terminal. The last letter is missing.
 *
 *     node --import tsx test/lessons/steps/serve.ts 1
 *     curl -d "Jürgen" localhost:8080/greeting
 *
 * Added: a stage that checks each reply before its first byte is written. A reply that cannot be sent is an error,
 * which step 1 answers: a forgotten `return`, a line feed in a header, a wrong length. A length that is left out does
 * no harm: Node then sends the body in chunks.
 *
 * The real core: `src/core/message/ready-reply.ts` checks after every stage, so that the log names the stage that made
 * the mistake; `src/core/message/reply-fault.ts` has the rules; `src/core/wire/reply/send-stream.ts` counts a stream.
 */
import { type Server, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Stage } from '../tiny.ts';
import { service as previous } from './step-1-thrown-string.ts';

const checked: Stage = async (context, next) => {
  const reply = await next(context);
  if (reply === undefined) throw new TypeError('A stage returned nothing; a "return" is missing');
  for (const [name, value] of Object.entries(reply.headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const bytes = Buffer.byteLength(reply.body);
    if (name.toLowerCase() === 'content-length' && Number(value) !== bytes)
      throw new TypeError(`A stage returned the Content-Length ${value} for a body of ${bytes} bytes`);
  }
  return reply;
};

export const service = (stages: readonly Stage[]): Server => previous([checked, ...stages]);
