/**
 * Step 6: half-close.
 *
 * Without it: a client sends its request, ends its side of the connection, and waits for the reply. TCP allows that.
 * But Node ends the server's side as soon as it sees the end of the client's side. If the handler still waits, for its
 * store for example, the order is stored and the reply is dropped. The client does not know that, and orders again.
 *
 * See it: start the step before this one, then send requests from another terminal. There is no reply. The second
 * command shows that the order is stored.
 *
 *     node --import tsx test/lessons/steps/serve.ts 5
 *     node --import tsx test/lessons/steps/send.ts --end "POST /order HTTP/1.1" "Host: a" "Content-Length: 0" ""
 *     curl localhost:8080/order
 *
 * Added: the server keeps its side open until the reply is sent. A client that ends its side in the middle of a request
 * still gets Node's 400, because the parser notices the missing part.
 *
 * The real core: `src/core/server/service.ts`. The manual of Node does not describe the member `httpAllowHalfOpen`, so
 * `src/core/server/connection/node-internals.ts` sets it, and a test fails if a version of Node changes it.
 */
import type { Server } from 'node:http';
import type { Stage } from '../tiny.ts';
import { service as previous } from './step-5-slow-body.ts';

export const service = (stages: readonly Stage[], bodyTime?: number): Server =>
  Object.assign(previous(stages, bodyTime), { httpAllowHalfOpen: true });
