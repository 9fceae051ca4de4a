/** What a server serves, and what all its requests share. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, Handler } from '../message/context.ts';
import { type ErrorLog, logError } from '../message/error-log.ts';
import { isBasePath } from '../message/normal-path.ts';
import type { HttpProblem } from '../message/problem.ts';
import { readyHandler } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import { article } from '../options/assert-options.ts';
import { BodyMemory } from './body/body-memory.ts';
import { type Limits, limitsFrom } from './connection/limits.ts';
import { StopController } from './stop-controller.ts';
import type { Forwarding } from './trusted-proxy.ts';

/** Answers a request that fails validation, in place of the handler. */
export type RefusalHandler = (context: Context, problem: HttpProblem) => Reply | Promise<Reply>;

/** A request that is refused before any stage, or because a limit of the whole service is reached. */
export interface Refusal {
  /** The status of the problem that the client gets. Over TLS, a connection too many is closed without a problem. */
  readonly status: number;
  /** The code of Node's parser, such as `HPE_HEADER_OVERFLOW`, or the name of the limit, such as `maxConnections`. */
  readonly reason: string;
  /** `-` where no request line can be read. */
  readonly method: string;
  /** `-` where it cannot be read; not decoded where no stage has seen it. */
  readonly path: string;
  readonly requestId: string;
  /** The other end of the connection, which may be a proxy, where no stage has seen the request. */
  readonly remoteAddress: string | undefined;
  /** Do the stages see the problem too? */
  readonly isSeen: boolean;
}

/** A handler with the settings that belong to it. `application(…)` returns one, so that none can be forgotten. */
export interface Servable {
  readonly handler: Handler;
  /** Unless given, the problem is sent as it is. */
  readonly refuse?: RefusalHandler | undefined;
  /** Removed from a path that begins with it, ignoring case; none unless given (D16). */
  readonly basePath?: string | undefined;
  /** What trusted proxies tell of a request (D18). */
  readonly forwarding?: Partial<Pick<Forwarding, 'prefixOf' | 'remoteAddress'>> | undefined;
  /** Is the request for a host that is answered? All are unless given (D43). */
  readonly answersHost?: ((request: IncomingMessage) => boolean) | undefined;
  /** Throws a `RangeError` for limits within which it cannot do what it declares. */
  readonly assertLimits?: ((limits: Limits) => void) | undefined;
  /** Is called with the cause of every 500; writes to standard error unless given. */
  readonly log?: ErrorLog | undefined;
  /** Makes the ids of requests that bring none; those of the process unless given (D10). */
  readonly newRequestId?: (() => string) | undefined;
  /** Is called for requests that are refused before any stage, and by a limit of the whole service. Never throws. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
  /** Calls `begin` when it begins to stop: open streams end, also where the server is stopped later. */
  readonly whenStopping?: ((begin: () => void) => void) | undefined;
}

/** What all requests of a server share: what is served, and what its requests take together. */
export interface ServerSettings extends Servable {
  readonly basePath: string;
  readonly log: ErrorLog;
  readonly limits: Limits;
  readonly bodies: BodyMemory;
  /** The idle time that `Keep-Alive` announces, in milliseconds; 0 where the caller made the server. */
  readonly keepAlive: number;
  readonly stopping: StopController;
  /** Joins the lines of one name where the caller made the server. Undefined for a service: its server joins them. */
  readonly headersOf: ((request: IncomingMessage) => IncomingHttpHeaders) | undefined;
}

/** The options of a listener. The application, or an object `{ handler, basePath, log }`, has the others. */
export interface ListenerOptions {
  /** The defaults are `LIMITS`. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | undefined } | undefined;
}

/**
 * What all requests to a server share. Throws a `RangeError` for a limit that cannot be used, a `TypeError` for what
 * cannot be served.
 */
export function serverSettings(served: Handler | Servable, given: ListenerOptions['limits'] = {}): ServerSettings {
  const servable = servableOf(served);
  const { basePath = '', log = logError } = servable;
  assertBasePath(basePath);
  const limits = limitsFrom(given);
  servable.assertLimits?.(limits);
  const stopping = new StopController();
  servable.whenStopping?.(() => stopping.abort());
  const bodies = new BodyMemory(limits.maxBodyMemory);
  return { ...servable, basePath, log, limits, bodies, keepAlive: 0, stopping, headersOf: joinedHeaders };
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
