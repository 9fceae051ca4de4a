/** Makes the context of a request, and finds the exchange of a context. */
import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { Context } from '../http/context.ts';
import { longestBody } from '../http/limits.ts';
import { type SentPath, searchOf } from '../http/path.ts';
import { type RequestSource, SlottedContext } from '../http/slotted-context.ts';
import { bodyMemoryFull } from './body/body-memory.ts';
import { openBody } from './body/body-stream.ts';
import { readBody } from './body/read-body.ts';
import type { Exchange } from './connection/connection.ts';
import { clientOf } from './trusted-proxy.ts';

export function contextOf(exchange: Exchange, { path, segments }: SentPath): SlottedContext {
  const { request, requestId, settings } = exchange;
  const basePath = (settings.forwarding?.prefixOf?.(request) ?? '') + settings.basePath;
  const headers = settings.headersOf?.(request) ?? request.headers;
  const stopping = settings.stopping.signal;
  const members = { method: request.method!, path, basePath, segments, headers, requestId, request, stopping };
  return new SlottedContext(members, new ExchangeSource(exchange));
}

/** Answers what the context of an exchange asks at the first access. */
class ExchangeSource implements RequestSource {
  readonly exchange: Exchange;
  #query: URLSearchParams | undefined = undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(searchOf(this.exchange.request.url!)));
  }

  /** Reads the body at the first call. Later calls return the same bytes. */
  body(): Promise<Uint8Array> {
    const { exchange } = this;
    if (exchange.wholeBody === undefined) {
      exchange.wholeBody = readBody(exchange);
      // A handler that has replied may ignore the promise. Its rejection must not be an uncaught error.
      exchange.wholeBody.catch(() => {});
    }
    return exchange.wholeBody;
  }

  limitBody(maxBytes: number | undefined, copies: number): void {
    const { limits } = this.exchange.settings;
    this.exchange.bodyLimit = Math.min(maxBytes ?? limits.maxBody, longestBody(limits, copies));
  }

  takeMemory(bytes: number): void {
    const { exchange } = this;
    if (bytes > 0 && !exchange.settings.bodies.take(exchange, bytes)) throw bodyMemoryFull(exchange);
  }

  bodyStream(maxBytes: number | undefined): Readable | undefined {
    return this.exchange.wholeBody === undefined ? openBody(this.exchange, maxBytes) : undefined;
  }

  remoteAddress(): string | undefined {
    const { request, settings } = this.exchange;
    return settings.forwarding?.remoteAddress?.({ request }) ?? clientOf(request.socket);
  }

  signal(): AbortSignal {
    return this.exchange.signal();
  }

  timeLimit(): number {
    return this.exchange.settings.limits.handlerTimeout;
  }

  awaits(): 'handler' | 'body' | 'nothing' {
    const { exchange } = this;
    if (exchange.replyStarted) return 'nothing';
    const { hasRead, connection } = exchange;
    exchange.hasRead = false;
    return hasRead || connection.reading?.waitsForHandler === false ? 'body' : 'handler';
  }

  giveUp(reason: Error): void {
    const { exchange } = this;
    exchange.refusedBy('handlerTimeout');
    exchange.isLate = true;
    exchange.abandon(reason);
  }
}

/** Returns the exchange of this context or of its original; undefined for a context that this server did not create. */
export const exchangeOf = (context: Context): Exchange | undefined =>
  context instanceof SlottedContext && context.source instanceof ExchangeSource ? context.source.exchange : undefined;

/** The part of a reply that was sent. */
export interface SentReply {
  /** The sent status; undefined if no head was sent. */
  readonly status: number | undefined;
  /** The bytes of the body that were passed to the system, without the framing of chunks. */
  readonly bytes: number;
  /** True if the whole reply was sent; false if the connection was closed before. */
  readonly isWhole: boolean;
}

/**
 * Calls `sent` when the reply is sent or the connection is closed. Never calls it for a context without a connection.
 */
export function whenSent(context: Context, sent: (reply: SentReply) => void): void {
  const exchange = exchangeOf(context);
  if (exchange === undefined) return;
  const { response } = exchange;
  const closed = (): void => {
    const status = response.headersSent ? response.statusCode : undefined;
    sent({ status, bytes: exchange.sentBytes, isWhole: response.writableFinished });
  };
  // The event may be emitted in the asynchronous context of another request. `AsyncResource.bind` takes more time.
  const scope = new AsyncResource('whenSent');
  response.once('close', () => scope.runInAsyncScope(closed));
}
