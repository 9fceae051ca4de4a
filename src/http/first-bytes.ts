/**
 * Decides whether a stream can be sent at all, before the head of its reply is written: a file that is not there is a 500 then and not an
 * answer that is cut off.
 */
import type { Readable } from 'node:stream';

/** A stream of events may have nothing to say for long: after so many milliseconds its head goes. */
const PATIENCE = 50;

/** Resolves when the stream has something to send, has ended, or takes its time. Rejects with its error when it fails before that. */
export function firstBytes(body: Readable): Promise<void> {
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
    const timer = setTimeout(done, PATIENCE);
    body.on('error', failed).on('close', done).on('end', done).on('readable', done);
  });
}
