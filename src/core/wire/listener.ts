/** Makes a listener of what is served, for a server or a framework (D78). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Handler } from '../message/context.ts';
import { logError } from '../message/problem.ts';
import { readyHandler } from '../message/ready-reply.ts';
import { article, assertOptions } from '../options/assert-options.ts';
import { acceptor, type Listener } from './accept-requests.ts';
import { readBody } from './body/read-body.ts';
import { StopController } from './connection/closing.ts';
import type { ExchangeSettings, Servable } from './connection/exchange.ts';
import { type Limits, limitsFrom } from './connection/limits.ts';
import { BodyMemory } from './connection/memory.ts';
import { isBasePath, mountPathOf } from './mount-path.ts';

/** The options of a listener. The application, or an object `{ handler, basePath, log }`, has the others. */
export interface ListenerOptions {
  /** The defaults are `LIMITS`. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | undefined } | undefined;
}

/**
 * Turns an application or a handler into a listener for `createServer` of `node:http`, or a middleware of Express,
 * Connect and Fastify, within the limits of heads and bodies. `HttpService` also guards the connections. Throws as
 * `exchangeSettings` does.
 *
 * With `next`, a request that nothing answers is passed on untouched, and so is one that is refused outside the mount
 * path and the base path (D78). Every other reply is sent, problems too: `next` never gets an error.
 *
 * Mount it before body parsers. A handler that reads a body which a parser has read gets an `Error`, a 500.
 *
 *     const hello: Plugin = { name: 'hello', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
 *     const api = listener(application([hello])); // express().use('/api', api)
 */
export function listener(served: Handler | Servable, options: ListenerOptions = {}): Listener {
  assertOptions('serve', options, ['limits']);
  const settings = exchangeSettings(served, options.limits);
  const { forwarding } = settings;
  const prefixOf = (request: IncomingMessage): string => (forwarding?.prefixOf?.(request) ?? '') + mountPathOf(request);
  return acceptor({ ...settings, forwarding: { ...forwarding, prefixOf } });
}

/**
 * What all requests to a server share. Throws a `RangeError` for a limit that cannot be used, a `TypeError` for what
 * cannot be served.
 */
export function exchangeSettings(served: Handler | Servable, given: ListenerOptions['limits'] = {}): ExchangeSettings {
  const servable = servableOf(served);
  const { handler, refuse, basePath = '', forwarding, answersHost } = servable;
  const { assertLimits, log = logError, newRequestId, refused, whenStopping } = servable;
  assertBasePath(basePath);
  const limits = limitsFrom(given);
  assertLimits?.(limits);
  const stopping = new StopController();
  whenStopping?.(() => stopping.abort());
  return {
    ...{ handler, refuse, basePath, forwarding, answersHost, log, newRequestId, refused, limits, stopping, readBody },
    bodies: new BodyMemory(limits.maxBodyMemory),
    keepAlive: 0,
    headersOf: joinedHeaders,
  };
}

/** Node's headers. If Node has kept only the first of several lines, they are combined (RFC 9110 §5.2). */
function joinedHeaders({ headers, headersDistinct }: IncomingMessage): IncomingHttpHeaders {
  const dropped = Object.entries(headersDistinct).filter(
    ([name, lines = []]) => lines.length > 1 && headers[name] === lines[0],
  );
  if (dropped.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(dropped.map(([name, lines = []]) => [name, lines.join(', ')])) };
}

function servableOf(served: Handler | Servable): Servable {
  const servable = typeof served === 'function' ? { handler: served } : served;
  if (typeof servable?.handler === 'function')
    return { ...servable, handler: readyHandler(servable.handler, () => 'the handler') };
  const given = Array.isArray(served) ? 'a list' : article(typeof served);
  throw new TypeError(`Cannot serve ${given}: give application([…]), or a handler (context) => reply`);
}

/** Throws a `TypeError` for a base path with which no path can begin: it would never be removed. */
export function assertBasePath(basePath: unknown): void {
  if (typeof basePath === 'string' && isBasePath(basePath)) return;
  throw new TypeError(
    `Cannot serve below the base path ${JSON.stringify(basePath)}: no path of a request begins with it; give a path such ` +
      'as "/tools", without a slash at its end, without empty segments and dots, percent-encoded, or leave it out',
  );
}
