/** Declares what is served and its options, and makes a listener of it for a server or a framework (D78). */
import type { IncomingMessage } from 'node:http';
import type { Handler } from '../message/context.ts';
import { isBasePath } from '../message/path.ts';
import { type ErrorLog, logToConsole } from '../message/problem.ts';
import { article, assertNamed } from '../options/assert-options.ts';
import { acceptor, type Listener } from './answer-request.ts';
import { readBody } from './body/read-body.ts';
import { StopController } from './connection/closing.ts';
import type { ExchangeSettings, Refusal, RefusalHandler } from './connection/exchange.ts';
import { type Limits, limitsFrom } from './connection/limits.ts';
import { BodyMemory, InFlightChunks } from './connection/memory.ts';
import { mountPathOf } from './mounted-listener.ts';
import type { Forwarding } from './trusted-proxy.ts';

/** A handler with the settings that belong to it. `application(…)` returns one, so that none can be forgotten. */
export interface Servable {
  readonly handler: Handler;
  readonly refuse?: RefusalHandler | undefined;
  readonly basePath?: string | undefined;
  readonly forwarding?: Pick<Forwarding, 'prefixOf' | 'remoteAddress'> | undefined;
  /** Is the request for a host that is answered? All are unless given (D43). */
  readonly answersHost?: ((request: IncomingMessage) => boolean) | undefined;
  /** Throws a `RangeError` for limits within which it cannot do what it declares. */
  readonly assertLimits?: ((limits: Limits) => void) | undefined;
  readonly log?: ErrorLog | undefined;
  readonly newRequestId?: (() => string) | undefined;
  /** Is told of requests that are refused before any stage, and by a limit of the whole service; it does not throw. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
  /** Calls `begin` when it begins to stop: open streams end, also where the server is stopped later. */
  readonly whenStopping?: ((begin: () => void) => void) | undefined;
}

/** The options of a listener. */
export interface ListenerOptions {
  /** The defaults are `LIMITS`. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | undefined } | undefined;
  /** Removed from a path that begins with it, ignoring case; that of the application unless given (D16). */
  readonly basePath?: string | undefined;
  /**
   * What a trusted proxy has removed from the front of the path of a request; links begin with it (D18). That of the
   * application's trusted proxies unless given.
   */
  readonly prefixOf?: ((request: IncomingMessage) => string) | undefined;
  /** That of the application unless given; for a plain handler the listener sends the problem. */
  readonly refuse?: RefusalHandler | undefined;
  /** That of the application unless given; else standard error. */
  readonly log?: ErrorLog | undefined;
  /** Makes the ids of requests that bring none; what the application has unless given (D10). */
  readonly newRequestId?: (() => string) | undefined;
}

const OPTIONS: readonly string[] = ['limits', 'basePath', 'prefixOf', 'refuse', 'log', 'newRequestId'];

/**
 * Turns an application or a handler into a listener for `createServer` of `node:http`, or a middleware of Express,
 * Connect and Fastify, within the limits of heads and bodies. `HttpService` also guards the connections. Throws as
 * `exchangeSettings` does.
 *
 * With `next`, a request that nothing answers is passed on untouched, and so is one that is refused outside the mount
 * path and the base path (D78). Every other reply is sent, problems too: `next` never gets an error.
 *
 *     const api = listener(application([todo()])); // express().use('/api', api)
 */
export function listener(served: Handler | Servable, options: ListenerOptions = {}): Listener {
  const settings = exchangeSettings(served, options);
  const prefixOf = (request: IncomingMessage): string => (settings.prefixOf?.(request) ?? '') + mountPathOf(request);
  return acceptor({ ...settings, prefixOf });
}

/**
 * The settings of what is served: those of the application where an option does not replace them. Throws a `RangeError`
 * for a limit that cannot be used, a `TypeError` for what cannot be served, an option that is neither one of a listener
 * nor one of `more`, and a second base path.
 */
export function exchangeSettings(
  served: Handler | Servable,
  options: ListenerOptions,
  more: readonly string[] = [],
): ExchangeSettings {
  assertNamed('serve', options, [...OPTIONS, ...more]);
  const servable = servableOf(served);
  const { handler, answersHost, forwarding, assertLimits, whenStopping, refused } = servable;
  const { refuse = servable.refuse, prefixOf = forwarding?.prefixOf } = options;
  const { log = servable.log ?? logToConsole, newRequestId = servable.newRequestId } = options;
  const { basePath = servable.basePath ?? '' } = options;
  if (servable.basePath !== undefined && servable.basePath !== basePath)
    throw new TypeError(
      `Cannot serve the application below "${basePath}": it was composed for "${servable.basePath}"; give one base path`,
    );
  assertBasePath(basePath);
  const limits = limitsFrom(options.limits ?? {});
  assertLimits?.(limits);
  const stopping = new StopController();
  whenStopping?.(() => stopping.abort());
  return {
    ...{ handler, refuse, basePath, prefixOf, answersHost, log, newRequestId, refused, limits, stopping, readBody },
    remoteAddressOf: forwarding?.remoteAddress,
    bodies: new BodyMemory(limits.maxBodyMemory),
    inFlightChunks: new InFlightChunks(),
    keepAlive: 0,
  };
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
