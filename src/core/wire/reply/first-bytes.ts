/** Decides when the head of a streamed reply is sent: a stream that fails before its first byte is answered 500. */
import type { Readable } from 'node:stream';

/** How long the head of an event stream waits for an event, in milliseconds. An absent file fails sooner. */
export const MAX_HEAD_DELAY = 5;

/** Resolves at the first bytes, at the end, or after `delay` milliseconds. Rejects if the stream fails before that. */
export function firstBytes(body: Readable, delay: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      body.off('readable', done).off('end', done).off('close', done).off('error', failed);
      resolve();
    };
    const failed = (error: Error): void => {
      reject(error);
      done();
    };
    const timer = delay === undefined ? undefined : setTimeout(done, delay);
    body.on('error', failed).on('close', done).on('end', done).on('readable', done);
  });
}
