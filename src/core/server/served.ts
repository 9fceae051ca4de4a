/** The settings of a server: the handler and options of the application, and the state that all requests share. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, Handler } from '../http/context.ts';
import { type ErrorLog, logError } from '../http/error-log.ts';
import { type Limits, limitsFrom } from '../http/limits.ts';
import { isBasePath } from '../http/normal-path.ts';
import type { HttpProblem } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { article } from '../options/assert-options.ts';
import { BodyMemory } from './body/body-memory.ts';
import { StopController } from './stop-controller.ts';
import type { Forwarding } from './trusted-proxy.ts';

/** Answers requests that fail validation, instead of the handler. */
export type RefusalHandler = (context: Context, problem: HttpProblem) => Reply | Promise<Reply>;

/** A request that was refused before any stage, or because of a limit of the whole service. */
export interface Refusal {
  /** The status of the problem. Over TLS, a connection above `maxConnections` is closed without a problem. */
  readonly status: number;
  /** The code of Node's parser, such as `HPE_HEADER_OVERFLOW`, or the name of the limit, such as `maxConnections`. */
  readonly reason: string;
  /** `-` if `isSeen` is false. */
  readonly method: string;
  /** `-` if `isSeen` is false. */
  readonly path: string;
  readonly requestId: string;
  /** The address of the client. If `isSeen` is false, the address of the peer, which may be a proxy. */
  readonly remoteAddress: string | undefined;
  /** True if the problem passes through stages, which can log it; false if it is sent without any stage. */
  readonly isSeen: boolean;
}

/** A handler with its settings, as `application(…)` returns it. */
export interface Servable {
  readonly handler: Handler;
  /** Answers invalid requests. By default the problem itself is sent. */
  readonly refuse?: RefusalHandler | undefined;
  /** The prefix to remove from request paths, ignoring case. Empty by default (D16). */
  readonly basePath?: string | undefined;
  /** Reads the headers of trusted proxies (D18). */
  readonly forwarding?: Partial<Pick<Forwarding, 'prefixOf' | 'remoteAddress'>> | undefined;
  /** Returns false for a request to a host that is not allowed. By default all hosts are allowed (D43). */
  readonly answersHost?: ((request: IncomingMessage) => boolean) | undefined;
  /** Returns true for a request that asks for an upgrade and has a route for it. By default no upgrade is accepted. */
  readonly takesUpgrade?: ((request: IncomingMessage) => boolean) | undefined;
  /** Throws a `RangeError` if the limits are too low for a route of the application. */
  readonly assertLimits?: ((limits: Limits) => void) | undefined;
  /** Called with the error that caused a 500. The default writes to standard error. */
  readonly log?: ErrorLog | undefined;
  /** Creates the ids of requests without a valid `X-Request-Id`. By default the library creates them (D10). */
  readonly newRequestId?: (() => string) | undefined;
  /** Called for requests that are refused before any stage, or by a limit of the whole service. Never throws. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
  /** Calls `begin` when the application begins to stop. Open streams then end, even if the server keeps running. */
  readonly whenStopping?: ((begin: () => void) => void) | undefined;
}

/** The settings and the state that all requests of a server share. */
export interface ServerSettings extends Servable {
  readonly basePath: string;
  readonly log: ErrorLog;
  readonly limits: Limits;
  readonly bodies: BodyMemory;
  readonly stopping: StopController;
  /** Joins header lines of the same name, if the caller created the server. A service has a server that joins them. */
  readonly headersOf: ((request: IncomingMessage) => IncomingHttpHeaders) | undefined;
}

/** The options of a listener. All other options belong to the application, or to an object `{ handler, log, … }`. */
export interface ListenerOptions {
  /** Replaces some of the limits. The default values are in `LIMITS`. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | undefined } | undefined;
}

/**
 * Creates the settings of a server. Throws a `RangeError` for an invalid limit, and a `TypeError` if `served` is
 * neither an application nor a handler.
 */
export function serverSettings(served: Handler | Servable, changes: ListenerOptions['limits'] = {}): ServerSettings {
  const servable = servableOf(served);
  const { basePath = '', log = logError } = servable;
  assertBasePath(basePath);
  const limits = limitsFrom(changes);
  servable.assertLimits?.(limits);
  const stopping = new StopController();
  servable.whenStopping?.(() => stopping.abort());
  const bodies = new BodyMemory(limits.maxBodyMemory);
  return { ...servable, basePath, log, limits, bodies, stopping, headersOf: joinedHeaders };
}

/**
 * Returns Node's headers. Joins several lines with the same name if Node returns only the first (RFC 9110 §5.2). Most
 * joined values are malformed, so the request is refused (D57).
 */
function joinedHeaders({ headers, headersDistinct }: IncomingMessage): IncomingHttpHeaders {
  const dropped = Object.entries(headersDistinct).filter(
    ([name, lines = []]) => lines.length > 1 && headers[name] === lines[0],
  );
  if (dropped.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(dropped.map(([name, lines = []]) => [name, lines.join(', ')])) };
}

function servableOf(served: Handler | Servable): Servable {
  const servable = typeof served === 'function' ? { handler: served } : served;
  if (typeof servable?.handler === 'function') return servable;
  const type = Array.isArray(served) ? 'a list' : article(typeof served);
  throw new TypeError(`Cannot serve ${type}: pass application([…]), or a handler (context) => reply`);
}

/** Throws a `TypeError` for an invalid base path, because no request path could begin with it. */
export function assertBasePath(basePath: unknown): void {
  if (typeof basePath === 'string' && isBasePath(basePath)) return;
  throw new TypeError(
    `Cannot serve below the base path ${JSON.stringify(basePath)}: no request path begins with it; use a path ` +
      'such as "/tools", percent-encoded, without a final slash, empty segments and dot segments, or leave it out',
  );
}
