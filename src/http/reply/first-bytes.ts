/**
 * Decides whether a stream can be sent at all, before the head of its reply is written: a file that is not there is a 500 then and not an
 * answer that is cut off.
 */
import type { Readable } from 'node:stream';

/** A stream of events may have nothing to say for long: its head goes after so many milliseconds. A file that is missing says so sooner. */
export const HEAD_PATIENCE = 5;

/**
 * Resolves when the stream has something to send, has ended, or `patience` milliseconds have passed. Rejects with its error when it fails
 * before that.
 */
export function firstBytes(body: Readable, patience: number | undefined): Promise<void> {
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
    const timer = patience === undefined ? undefined : setTimeout(done, patience);
    body.on('error', failed).on('close', done).on('end', done).on('readable', done);
  });
}
