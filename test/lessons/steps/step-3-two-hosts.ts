/**
 * Step 3: two Host lines.
 *
 * Without it: Node keeps the first Host line of a request and drops the second. A proxy may read the second line. Then
 * the proxy passes the request on to the public site, and the service answers for the administrators' site. Two
 * programs read one request differently: this is the basis of request smuggling and cache poisoning.
 *
 * See it: start the step before this one, then send requests from another terminal.
 *
 *     node --import tsx test/lessons/steps/serve.ts 2
 *     node --import tsx test/lessons/steps/send.ts "GET /page HTTP/1.1" "Host: admin.example" "Host: public.example" ""
 *
 * Added: a stage that refuses such a request before a handler sees it. RFC 9112 §3.2 requires the 400.
 *
 * The real core: `src/core/server/validate-request.ts` runs before every stage. It also refuses an invalid Host, an
 * unknown transfer coding, other versions of HTTP, and more or longer lines than its limits allow.
 */
import type { Server } from 'node:http';
import type { Stage } from '../tiny.ts';
import { HttpProblem } from './step-1-thrown-string.ts';
import { service as previous } from './step-2-wrong-length.ts';

const oneHost: Stage = (context, next) => {
  // `headers` has one value for each name; `headersDistinct` has every line.
  const { host: hosts = [] } = context.request.headersDistinct;
  if (hosts.length > 1) throw new HttpProblem(400, 'The request has more than one Host header');
  return next(context);
};

export const service = (stages: readonly Stage[]): Server => previous([oneHost, ...stages]);
