/** Makes a listener of what is served, for a server or a framework (D78). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Handler } from '../message/context.ts';
import { isBasePath } from '../message/path.ts';
import { logToConsole } from '../message/problem.ts';
import { article, assertNamed } from '../options/assert-options.ts';
import { acceptor, type Listener } from './answer-request.ts';
import { readBody } from './body/read-body.ts';
import { StopController } from './connection/closing.ts';
import type { ExchangeSettings, Servable } from './connection/exchange.ts';
import { type Limits, limitsFrom } from './connection/limits.ts';
import { BodyMemory } from './connection/memory.ts';
import { mountPathOf } from './mounted-listener.ts';

/** The options of a listener. What belongs to what is served is given with it: `{ handler, basePath, log }`. */
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
 *     const api = listener(application([todo()])); // express().use('/api', api)
 */
export function listener(served: Handler | Servable, options: ListenerOptions = {}): Listener {
  const settings = exchangeSettings(served, options);
  const { forwarding } = settings;
  const prefixOf = (request: IncomingMessage): string => (forwarding?.prefixOf?.(request) ?? '') + mountPathOf(request);
  return acceptor({ ...settings, forwarding: { ...forwarding, prefixOf } });
}

/**
 * What all requests to a server share. Throws a `RangeError` for a limit that cannot be used, a `TypeError` for what
 * cannot be served, and for an option that is neither `limits` nor one of `more`.
 */
export function exchangeSettings(
  served: Handler | Servable,
  options: ListenerOptions,
  more: readonly string[] = [],
): ExchangeSettings {
  assertNamed('serve', options, ['limits', ...more]);
  const servable = servableOf(served);
  const { handler, refuse, basePath = '', forwarding, answersHost } = servable;
  const { assertLimits, log = logToConsole, newRequestId, refused, whenStopping } = servable;
  assertBasePath(basePath);
  const limits = limitsFrom(options.limits ?? {});
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
  if (typeof served === 'function') return { handler: served };
  if (typeof served?.handler === 'function') return served;
  const given = Array.isArray(served) ? 'a list' : article(typeof served);
  throw new TypeError(`Cannot serve ${given}: give application([…]), or a handler (context) => reply`);
}

/** Throws a `TypeError` for a base path that no path begins with: it would never be removed. */
export function assertBasePath(basePath: unknown): void {
  if (typeof basePath === 'string' && isBasePath(basePath)) return;
  throw new TypeError(
    `Cannot serve below the base path ${JSON.stringify(basePath)}: no path of a request begins with it; give a path such ` +
      'as "/tools", without a slash at its end, without empty segments and dots, percent-encoded, or leave it out',
  );
}
