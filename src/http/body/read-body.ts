/** Decides whether the body of a request is read, before `100 Continue` is sent, and undoes its content coding. */
import { bodyMemoryFull } from '../connection/body-memory.ts';
import type { Exchange } from '../connection/exchange.ts';
import { HttpProblem } from '../message/problem.ts';
import { answeredAlready, BodyCollector, tooLarge } from './body-collector.ts';
import { decodeContent, isContentCoding } from './content-coding.ts';

const EMPTY = new Uint8Array(0);

/**
 * The whole body. Rejects with `ClientGone`, an `HttpProblem` (400, 408, 413, 415 or 503; D3, D44), or, once the reply
 * has begun, an `Error`.
 */
export function readBody(exchange: Exchange): Promise<Uint8Array> {
  const { request, bodyLength, settings } = exchange;
  const { bodies, limits } = settings;
  const { maxBody } = limits;
  if (bodyLength === 0) return Promise.resolve(EMPTY);
  if (exchange.replyStarted) return Promise.reject(answeredAlready());
  if (exchange.bodyFailure !== undefined) return Promise.reject(exchange.bodyFailure);
  if (bodyLength !== 'chunked' && bodyLength > maxBody) return Promise.reject(tooLarge(maxBody));
  if (bodies.full) return Promise.reject(bodyMemoryFull());
  const coding = request.headers['content-encoding'];
  if (coding === undefined) return new BodyCollector(exchange).collect();
  if (!isContentCoding(coding)) return Promise.reject(unknownCoding());
  return new BodyCollector(exchange).collect().then((bytes) =>
    decodeContent(bytes, coding, (chunk, length) => {
      if (length > maxBody) return tooLarge(maxBody);
      return bodies.take(exchange, chunk) ? undefined : bodyMemoryFull();
    }),
  );
}

const unknownCoding = (): HttpProblem =>
  new HttpProblem(415, 'The content coding of the body is unknown here; use gzip, deflate, br or none', {
    headers: { 'Accept-Encoding': 'gzip, deflate, br' },
  });
