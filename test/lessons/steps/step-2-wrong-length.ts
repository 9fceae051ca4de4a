/**
 * Step 2: a wrong Content-Length.
 *
 * Without it: a handler sends `name.length` as the length of its body. That counts UTF-16 code units, but a
 * Content-Length counts bytes, and "ü" is one unit and two bytes. The client stops reading too early. It takes the last
 * bytes of this reply for the beginning of the next reply. An attacker who chooses the name writes these bytes, and so
 * the next reply on the connection. A proxy shares its connections between clients, so another client gets it.
 *
 * See it: start the step before this one, then send requests from another terminal. The last letter is missing.
 *
 *     node --import tsx test/lessons/steps/serve.ts 1
 *     curl -d "Jürgen" localhost:8080/greeting
 *
 * Added: a stage that checks each reply before its first byte is written. It throws for a forgotten `return`, a line
 * feed in a header and a wrong length, and step 1 answers with a 500. A missing length does no harm: Node then sends
 * the body in chunks.
 *
 * The real core: `src/core/http/ready-reply.ts` checks the reply of every stage, so the log names the stage with the
 * mistake. `src/core/http/reply.ts` has the rules. `src/core/server/reply/send-stream.ts` counts the bytes of a
 * stream.
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
