/** Tells who asks what became of a reply, once nothing more of it is written. */
import { AsyncResource } from 'node:async_hooks';
import type { Context } from '../../message/context.ts';
import { originalOf } from '../../message/context-with.ts';
import { Exchange } from '../connection/exchange.ts';
import { headSent } from '../connection/node-internals.ts';

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
    const head = headSent(response);
    const announced = exchange.method === 'HEAD' ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head ?? '')?.[1] ?? 0);
    sent({
      status: head === undefined ? undefined : response.statusCode,
      bytes: exchange.streamedBytes ?? announced,
      isWhole: response.writableFinished,
    });
  };
  // The end of a reply may come in the asynchronous context of another request.
  response.once('close', AsyncResource.bind(closed));
}
