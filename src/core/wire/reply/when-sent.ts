/** Tells who asks what became of a reply, once nothing more of it is written. */
import { AsyncResource } from 'node:async_hooks';
import type { Context } from '../../message/context.ts';
import { originalOf } from '../../message/context-with.ts';
import { Exchange } from '../connection/exchange.ts';

/** What was sent of a reply. */
export interface SentReply {
  /** Undefined where no head was sent. */
  readonly status: number | undefined;
  /** Bytes of the body that were handed to the system, without the framing of chunks. */
  readonly bytes: number;
  /** Has everything been sent? False where the client has left before, or was cut. */
  readonly isWhole: boolean;
}

/** Calls back once the reply to this request is sent, or its connection is closed. Never for a context without one. */
export function whenSent(context: Context, sent: (reply: SentReply) => void): void {
  const exchange = originalOf(context);
  if (!(exchange instanceof Exchange)) return;
  const { response } = exchange;
  const closed = (): void => {
    sent({
      status: response.headersSent ? response.statusCode : undefined,
      bytes: exchange.sentBytes,
      isWhole: response.writableFinished,
    });
  };
  // The end of a reply may come in the asynchronous context of another request.
  response.once('close', AsyncResource.bind(closed));
}
