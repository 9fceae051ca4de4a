/**
 * Reads the body of a request into memory with a separate limit (D49), or as a stream with backpressure (D74). The
 * source of the context reads it from the socket.
 */
import { Readable } from 'node:stream';
import type { Context } from './context.ts';
import { HttpProblem } from './problem.ts';
import { SlottedContext } from './slotted-context.ts';

export const noBody = (): HttpProblem => new HttpProblem(400, 'The request has no body; send one');

export const tooLarge = (maxBody: number): HttpProblem =>
  new HttpProblem(413, `The body is larger than ${maxBody} bytes`);

/**
 * Reads the body into memory: at most `maxBytes`, or the limit of the server. The value that the caller creates from
 * the body takes `copies` times its length. A body that can never fit into `maxBodyMemory` is refused with 413, not
 * 503, because a retry cannot help. This happens only with a plain handler, because the start of an application fails
 * if its limits do not fit (D74).
 */
export async function limitedBody(context: Context, maxBytes: number | undefined, copies: number): Promise<Uint8Array> {
  const source = context instanceof SlottedContext ? context.source : undefined;
  source?.limitBody(maxBytes, copies);
  const bytes = await bodyWithin(context, maxBytes);
  source?.takeMemory(copies * bytes.length);
  return bytes;
}

/** Returns the body as a stream. The limit is `maxBytes`; if it is undefined, the limit of the server. */
export function streamedBody(context: Context, maxBytes: number | undefined): Readable {
  const { source, replaced } = context instanceof SlottedContext ? context : {};
  const stream = replaced?.body === undefined ? source?.bodyStream(maxBytes) : undefined;
  if (stream !== undefined) return stream;
  source?.limitBody(maxBytes, 0);
  return Readable.from(wholeBody(context, maxBytes), { objectMode: false });
}

async function* wholeBody(context: Context, maxBytes: number | undefined): AsyncGenerator<Uint8Array> {
  const bytes = await bodyWithin(context, maxBytes);
  if (bytes.length === 0) throw noBody();
  yield bytes;
}

/** Checks the length again, because a stage may have read the body with the limit of the server, or replaced it. */
async function bodyWithin(context: Context, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const bytes = await context.body();
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}
