/** Declares the options of a listener, and completes them to the settings that all its exchanges share. */
import type { IncomingMessage } from 'node:http';
import { readBody } from './body/read-body.ts';
import { BodyMemory } from './connection/body-memory.ts';
import type { ExchangeSettings } from './connection/exchange.ts';
import { InFlightChunks } from './connection/in-flight-chunks.ts';
import { type Limits, limitsFrom } from './connection/limits.ts';
import type { Context, Reply } from './message/context.ts';
import { type ErrorLog, type HttpProblem, logToConsole } from './message/problem.ts';

/** Answers a request that fails validation, in place of the handler. */
export type RefusalHandler = (context: Context, problem: HttpProblem) => Reply | Promise<Reply>;

/** The options of a listener. */
export interface ListenerOptions {
  /** The defaults are `LIMITS`. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | undefined };
  /** Removed from a path that begins with it, ignoring case; none by default (D16). */
  readonly basePath?: string;
  /** What a trusted proxy has removed from the front of the path of a request; links begin with it (D18). */
  readonly prefixOf?: (request: IncomingMessage) => string;
  /** By default the listener sends the problem. */
  readonly refuse?: RefusalHandler;
  /** Standard error by default. */
  readonly log?: ErrorLog;
}

/** The settings. Throws a `RangeError` for a limit that cannot be used. */
export function exchangeSettings(options: ListenerOptions): ExchangeSettings {
  const { basePath = '', prefixOf, log = logToConsole } = options;
  const limits = limitsFrom(options.limits ?? {});
  const bodies = new BodyMemory(limits.maxBodyMemory);
  const inFlightChunks = new InFlightChunks();
  return { limits, basePath, prefixOf, bodies, inFlightChunks, readBody, log, keepAlive: 0, closing: false };
}
