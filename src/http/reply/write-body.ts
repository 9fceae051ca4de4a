/**
 * Bodies larger than one write: sent at the pace of the client, so that no more than a chunk is held for one that does not read.
 *
 * Once the head has gone a body can only be whole or broken off: one that turns out shorter or longer than its Content-Length, or
 * fails half-way, ends the connection, and the log says who made it (RFC 9112 §6.3, §8).
 */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Exchange } from '../connection/exchange.ts';
import { InvalidReply } from '../message/check-reply.ts';
import { report } from '../message/problem.ts';

/** One chunk after the other as the client takes them; then the end, unless the client has left. */
export function writeChunks(response: ServerResponse, chunks: readonly Uint8Array[]): void {
  let at = 0;
  const proceed = (): void => {
    while (at < chunks.length) {
      if (response.destroyed) return;
      if (!response.write(chunks[at++])) {
        response.once('drain', proceed);
        return;
      }
    }
    response.end();
  };
  proceed();
}

/** The stream to its end. `length` is what the head has said, in bytes. The stream is destroyed when the client leaves. */
export function writeStream(exchange: Exchange, body: Readable, length: number | undefined): void {
  const { response } = exchange;
  let sent = 0,
    over = false,
    stalled: NodeJS.Timeout | undefined;
  const end = (): void => {
    over = true;
    response.end();
  };
  const cut = (fault: string, cause?: unknown): void => {
    if (over) return;
    over = true;
    const { route, method, maker } = exchange;
    const who = maker ?? (route === undefined ? 'A stage' : `The route "${method} ${route.template.text}"`);
    report(
      new InvalidReply(`${who} ${fault}; the connection was cut, as the head had gone`, { cause }),
      exchange,
      exchange.settings.log,
    );
    exchange.connection.socket.destroy();
  };
  body.on('data', (chunk: unknown) => {
    if (over) return;
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      return cut(`streamed ${typeof chunk}s; stream texts or bytes`);
    sent += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    if (length !== undefined && sent > length) return cut(`streamed more than its Content-Length of ${length} bytes`);
    if (sent === length) stalled = setTimeout(end, STALLED);
    if (!response.write(chunk)) {
      body.pause();
      response.once('drain', () => body.resume());
    }
  });
  body.once('end', () => {
    if (length !== undefined && sent < length) return cut(`streamed ${sent} bytes for a Content-Length of ${length}`);
    end();
  });
  body.on('error', (error: Error) => cut('streamed a body that failed', error));
  body.once('close', () => cut('destroyed its stream before the end'));
  response.once('close', () => {
    over = true;
    clearTimeout(stalled);
    body.destroy();
  });
  if (length === undefined) {
    exchange.endless = true;
    // Whoever waits for events is told that they will come.
    response.flushHeaders();
  }
  if (length === undefined) cutWhenLeft(exchange, LEFT);
  else cutWhenLeft(exchange, exchange.settings.limits.writeTimeout, () => sent);
}

/** Time that a stream has to end once it has given as many bytes as its length says, in milliseconds. */
const STALLED = 1000;

/** Time from the end of the client's side to the judgement whether it has left, and between two judgements, in milliseconds. */
const LEFT = 750,
  AGAIN = 100;

/**
 * A client that has ended its side while the stream waits for more to send has left: it would be told nothing until the second
 * write fails (D41). One that is still taking bytes goes on. A reply with a length ends by itself, so it may take its time, but not
 * without a byte for all of it.
 */
function cutWhenLeft({ response, connection: { socket } }: Exchange, patience: number, sentBytes?: () => number): void {
  let timer: NodeJS.Timeout,
    before = -1;
  const judge = (): void => {
    const sent = sentBytes?.() ?? before,
      goesOn = sent !== before;
    before = sent;
    if (socket.writableLength > 0) timer = setTimeout(judge, AGAIN);
    else if (goesOn) timer = setTimeout(judge, patience);
    else socket.destroy();
  };
  const ended = (): void => {
    timer = setTimeout(judge, patience);
  };
  if (socket.readableEnded) ended();
  else socket.once('end', ended);
  response.once('close', () => {
    socket.off('end', ended);
    clearTimeout(timer);
  });
}
