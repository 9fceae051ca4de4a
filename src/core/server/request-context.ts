/** Makes the context of a request from its exchange, and finds the exchange of a context. */
import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { Context } from '../http/context.ts';
import { longestBody } from '../http/limits.ts';
import { type SentPath, searchOf } from '../http/path.ts';
import { type RequestSource, SlottedContext } from '../http/slotted-context.ts';
import { bodyMemoryFull } from './body/body-memory.ts';
import { openBody } from './body/body-stream.ts';
import { readBody } from './body/read-body.ts';
import { Exchange } from './connection/connection.ts';
import { clientOf } from './trusted-proxy.ts';

export function contextOf(exchange: RequestExchange, { path, segments }: SentPath): SlottedContext {
  const { request, requestId, settings } = exchange;
  const basePath = (settings.forwarding?.prefixOf?.(request) ?? '') + settings.basePath;
  const headers = settings.headersOf?.(request) ?? request.headers;
  const stopping = settings.stopping.signal;
  const members = { method: request.method!, path, basePath, segments, headers, requestId, request, stopping };
  return new SlottedContext(members, exchange);
}

/** An exchange that answers what its context asks. */
export class RequestExchange extends Exchange implements RequestSource {
  query(): URLSearchParams {
    return (this.searchParams ??= new URLSearchParams(searchOf(this.request.url!)));
  }

  /** Reads the body at the first call. Later calls return the same bytes. */
  body(): Promise<Uint8Array> {
    if (this.wholeBody === undefined) {
      this.wholeBody = readBody(this);
      // A handler that has replied may ignore the promise. Its rejection must not be an uncaught error.
      this.wholeBody.catch(() => {});
    }
    return this.wholeBody;
  }

  limitBody(maxBytes: number | undefined, copies: number): void {
    const { limits } = this.settings;
    this.bodyLimit = Math.min(maxBytes ?? limits.maxBody, longestBody(limits, copies));
  }

  takeMemory(bytes: number): void {
    if (bytes > 0 && !this.settings.bodies.take(this, bytes)) throw bodyMemoryFull(this);
  }

  bodyStream(maxBytes: number | undefined): Readable | undefined {
    return this.wholeBody === undefined ? openBody(this, maxBytes) : undefined;
  }

  remoteAddress(): string | undefined {
    return this.settings.forwarding?.remoteAddress?.(this) ?? clientOf(this.request.socket);
  }

  timeLimit(): number {
    return this.settings.limits.handlerTimeout;
  }

  awaits(): 'handler' | 'body' | 'nothing' {
    const { hasRead, connection, settings } = this;
    const isCut = connection.socket.destroyed && settings.stopping.signal.aborted;
    if (this.replyStarted || isCut) return 'nothing';
    this.hasRead = false;
    return hasRead || connection.reading?.waitsForHandler === false ? 'body' : 'handler';
  }

  isOver(): boolean {
    return this.state === 'done' && !this.isLate;
  }

  giveUp(reason: Error): void {
    this.refusedBy('handlerTimeout');
    this.isLate = true;
    this.abandon(reason);
  }
}

/** Returns the exchange of this context or of its original; undefined for a context that this server did not create. */
export const exchangeOf = (context: Context): RequestExchange | undefined =>
  context instanceof SlottedContext && context.source instanceof RequestExchange ? context.source : undefined;

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
    const { sentBody, sentBytes } = exchange;
    const bytes = sentBody === undefined ? sentBytes : Buffer.byteLength(sentBody);
    sent({ status, bytes, isWhole: response.writableFinished || status === 101 });
  };
  // The event may be emitted in the asynchronous context of another request. `AsyncResource.bind` takes more time.
  const scope = new AsyncResource('whenSent');
  response.once('close', () => scope.runInAsyncScope(closed));
}
