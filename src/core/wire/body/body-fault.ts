/** Makes the errors for a body that is not read, or not to its end. */

import { HttpProblem } from '../../message/problem.ts';
import type { Exchange } from '../connection/exchange.ts';

/** What is not content in a body that is in order: up to two packets behind it, and the framing of a small one. */
const FRAMING_ALLOWANCE = 128 * 1024;

/**
 * Whether the chunks are so small that most of the body is framing. A megabyte in chunks of one byte took seconds and
 * half a gigabyte. Those of about twenty bytes are let in. `readBefore` is what the socket had read before the body.
 */
export function isMostlyFraming({ connection }: Exchange, readBefore: number, received: number): boolean {
  const framing = connection.socket.bytesRead - readBefore - received;
  return framing > FRAMING_ALLOWANCE + received / 4;
}

/** The reply to a request without a body. */
export const noBody = (): HttpProblem => new HttpProblem(400, 'The request has no body; send one');

/** The reply to a body that is mostly framing. */
export const mostlyFraming = (): HttpProblem =>
  new HttpProblem(413, 'The chunks of the body are so small that most of it is framing; send larger ones');

/** The reply to a body of more than `maxBody` bytes. */
export const tooLarge = (maxBody: number): HttpProblem =>
  new HttpProblem(413, `The body is larger than ${maxBody} bytes`);

/** The error for a handler that reads the body after the reply. */
export const answeredAlready = (): Error =>
  new Error('Cannot read the body of the request: it has been answered; read the body before');

/** The reply to a content coding that is not undone. `undone` are those that are; `remedy` says what to send. */
export const unknownCoding = (remedy: string, undone: string): HttpProblem =>
  new HttpProblem(415, `The content coding of the body is unknown here; ${remedy}`, {
    headers: { 'Accept-Encoding': undone },
  });
