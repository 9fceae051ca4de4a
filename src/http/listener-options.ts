/** What a listener may be told, and the settings that all its exchanges share. */
import type { IncomingMessage } from 'node:http';
import { BodyMemory } from './connection/body-memory.ts';
import type { ExchangeSettings } from './connection/exchange.ts';
import { ChunksOnTheWay } from './connection/in-flight-chunks.ts';
import { type Limits, limitsFrom } from './connection/limits.ts';
import type { Context, Reply } from './message/context.ts';
import { type ErrorLog, type HttpProblem, logToConsole } from './message/problem.ts';

/** Answers a request that is refused at the door. */
export type Refusal = (context: Context, problem: HttpProblem) => Reply | Promise<Reply>;

/** What a listener may be told. */
export interface ListenerOptions {
  /** See `LIMITS` for the defaults. */
  readonly limits?: { readonly [Name in keyof Limits]?: Limits[Name] | undefined };
  /** Removed from a path that begins with it, ignoring case (D16). */
  readonly basePath?: string;
  /** What a trusted proxy cut off in front of the path of a request; links are written behind it. */
  readonly prefixOf?: (request: IncomingMessage) => string;
  readonly refuse?: Refusal;
  readonly log?: ErrorLog;
}

/** The options with their defaults. */
export function exchangeSettings({
  limits: given = {},
  basePath = '',
  prefixOf,
  log = logToConsole,
}: ListenerOptions): ExchangeSettings {
  const limits = limitsFrom(given);
  const bodies = new BodyMemory(limits.maxBodyMemory),
    onTheWay = new ChunksOnTheWay();
  return { limits, basePath, prefixOf, bodies, onTheWay, log, keepAlive: 0, closing: false };
}
