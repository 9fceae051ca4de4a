/** Declares what is served and its options, and completes them to the settings that all exchanges share. */
import type { IncomingMessage } from 'node:http';
import type { Context, Handler } from '../message/context.ts';
import { isBasePath } from '../message/path.ts';
import { type ErrorLog, type HttpProblem, logToConsole } from '../message/problem.ts';
import type { Reply } from '../message/reply.ts';
import { article, assertNamed } from '../options/assert-options.ts';
import { readBody } from './body/read-body.ts';
import { StopController } from './connection/closing.ts';
import type { ExchangeSettings } from './connection/exchange.ts';
import { type Limits, limitsFrom } from './connection/limits.ts';
import { BodyMemory, InFlightChunks } from './connection/memory.ts';
import type { Forwarding } from './trusted-proxy.ts';

/** Answers a request that fails validation, in place of the handler. */
export type RefusalHandler = (context: Context, problem: HttpProblem) => Reply | Promise<Reply>;

/** A handler with the settings that belong to it. `application(…)` returns one, so that none can be forgotten. */
export interface Servable {
  readonly handler: Handler;
  readonly refuse?: RefusalHandler;
  readonly basePath?: string | undefined;
  readonly forwarding?: Pick<Forwarding, 'prefixOf' | 'remoteAddress'>;
  /** Is the request for a host that is answered? All are unless given (D43). */
  readonly answersHost?: ((request: IncomingMessage) => boolean) | undefined;
  /** Throws a `RangeError` for limits within which it cannot do what it declares. */
  readonly assertLimits?: (limits: Limits) => void;
  readonly log?: ErrorLog | undefined;
  readonly newRequestId?: (() => string) | undefined;
  /** Calls `begin` when it begins to stop: open streams end, also where the server is stopped later. */
  readonly whenStopping?: (begin: () => void) => void;
}

/** The options of a listener. */
export interface ListenerOptions {
  /** The defaults are `LIMITS`. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | undefined };
  /** Removed from a path that begins with it, ignoring case; that of the application unless given (D16). */
  readonly basePath?: string;
  /**
   * What a trusted proxy has removed from the front of the path of a request; links begin with it (D18). That of the
   * application's trusted proxies unless given.
   */
  readonly prefixOf?: (request: IncomingMessage) => string;
  /** That of the application unless given; for a plain handler the listener sends the problem. */
  readonly refuse?: RefusalHandler;
  /** That of the application unless given; else standard error. */
  readonly log?: ErrorLog;
  /** Makes the ids of requests that bring none; what the application has unless given (D10). */
  readonly newRequestId?: () => string;
}

/** The settings. Throws a `RangeError` for a limit that cannot be used, a `TypeError` for two different base paths. */
export function exchangeSettings(options: ListenerOptions, served: Partial<Servable> = {}): ExchangeSettings {
  const { basePath = served.basePath ?? '', log = served.log ?? logToConsole } = options;
  const { prefixOf = served.forwarding?.prefixOf, newRequestId = served.newRequestId } = options;
  if (served.basePath !== undefined && served.basePath !== basePath)
    throw new TypeError(
      `Cannot serve the application below "${basePath}": it was composed for "${served.basePath}"; give one base path`,
    );
  assertBasePath(basePath);
  const limits = limitsFrom(options.limits ?? {});
  served.assertLimits?.(limits);
  const bodies = new BodyMemory(limits.maxBodyMemory);
  const inFlightChunks = new InFlightChunks();
  const stopping = new StopController();
  served.whenStopping?.(() => stopping.abort());
  const shared = { limits, bodies, inFlightChunks, stopping };
  const remoteAddressOf = served.forwarding?.remoteAddress;
  const { answersHost } = served;
  return { ...shared, basePath, prefixOf, answersHost, remoteAddressOf, readBody, log, newRequestId, keepAlive: 0 };
}

/** What is served: a plain handler becomes a part without settings. Throws a `TypeError` for any other value. */
export function servableOf(served: Handler | Servable): Servable {
  if (typeof served === 'function') return { handler: served };
  if (typeof served?.handler === 'function') return served;
  const given = Array.isArray(served) ? 'a list' : article(typeof served);
  throw new TypeError(`Cannot serve ${given}: give application([…]), or a handler (context) => reply`);
}

/** Throws a `TypeError` for an option that a listener does not have, and its service neither. */
export function assertServingOptions(options: ListenerOptions, ...more: readonly string[]): void {
  assertNamed('serve', options, [...LISTENER_OPTIONS, ...more]);
}
const LISTENER_OPTIONS: readonly string[] = ['limits', 'basePath', 'prefixOf', 'refuse', 'log', 'newRequestId'];

/** Throws a `TypeError` for a base path that no path begins with: it would never be removed. */
export function assertBasePath(basePath: unknown): void {
  if (typeof basePath === 'string' && isBasePath(basePath)) return;
  throw new TypeError(
    `Cannot serve below the base path ${JSON.stringify(basePath)}: no path of a request begins with it; give a path such ` +
      'as "/tools", without a slash at its end, without empty segments and dots, percent-encoded, or leave it out',
  );
}
