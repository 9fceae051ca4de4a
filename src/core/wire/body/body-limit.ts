/** Gives the bodies of one operation a limit of their own, within the memory that all bodies have (D49, D74). */
import { Readable } from 'node:stream';
import { Context } from '../../message/context.ts';
import { bodyOfCopy } from '../../message/context-with.ts';
import { bodyMemoryFull } from '../connection/body-memory.ts';
import { Exchange } from '../connection/exchange.ts';
import { type Limits, memoryFor } from '../connection/limits.ts';
import { noBody, tooLarge } from './body-fault.ts';
import { openBody } from './body-stream.ts';
import { isReadByHost } from './parsed-body.ts';

const exchangeOf = (context: Context): Exchange | undefined => {
  const state = Context.stateOf(context);
  return state instanceof Exchange ? state : undefined;
};

/** The longest body that fits into `maxBodyMemory`, in bytes; its value takes `copies` times its length. */
export const longestBody = ({ maxBodyMemory }: Limits, copies: number): number =>
  Math.floor((maxBodyMemory - memoryFor(0)) / (2 + copies));

/**
 * The body in memory, of at most `maxBytes`, or of the limit of the server. The value that is made of it takes `copies`
 * times its length. What cannot fit into `maxBodyMemory` is too large and not worth another try, so it is 413.
 */
export async function limitedBody(context: Context, maxBytes: number | undefined, copies: number): Promise<Uint8Array> {
  const exchange = exchangeOf(context);
  if (exchange === undefined) return bodyWithin(context, maxBytes);
  const { limits, bodies } = exchange.settings;
  exchange.bodyLimit = Math.min(maxBytes ?? limits.maxBody, longestBody(limits, copies));
  const bytes = await bodyWithin(context, maxBytes);
  if (copies > 0 && !bodies.take(exchange, copies * bytes.length)) throw bodyMemoryFull();
  return bytes;
}

/** The body as a stream, of at most `maxBytes`, or of the limit of the server. */
export function streamedBody(context: Context, maxBytes: number | undefined): Readable {
  const exchange = exchangeOf(context);
  const given = bodyOfCopy(context);
  const isRead = exchange === undefined || given !== undefined || exchange.wholeBody !== undefined;
  if (!isRead && !isReadByHost(exchange)) return openBody(exchange, maxBytes);
  if (exchange !== undefined) exchange.bodyLimit = maxBytes;
  return Readable.from(wholeBody(context, maxBytes), { objectMode: false });
}

async function* wholeBody(context: Context, maxBytes: number | undefined): AsyncGenerator<Uint8Array> {
  const bytes = await bodyWithin(context, maxBytes);
  if (bytes.length === 0) throw noBody();
  yield bytes;
}

/** A stage may have read the body before, within the limit of the server, or have given another one. */
async function bodyWithin(context: Context, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const bytes = await context.body();
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}
