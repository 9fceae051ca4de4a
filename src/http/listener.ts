/** Turns a handler into a request listener for `createServer` of `node:http`. */
import type { RequestListener } from 'node:http';
import { acceptRequests } from './accept-requests.ts';
import { exchangeSettings, type ListenerOptions } from './listener-options.ts';
import type { Handler } from './message/context.ts';

/**
 * Answers each request by `handler`, within the limits of heads and bodies. `HttpService` also guards the connections.
 * Throws a `RangeError` for a limit that cannot be used.
 */
export function listener(handler: Handler, options: ListenerOptions = {}): RequestListener {
  const { accept } = acceptRequests(handler, options, exchangeSettings(options));
  return (request, response) => accept(request, response, false);
}
