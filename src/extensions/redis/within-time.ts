/** Bounds the time for a reply. */
import { unreachable } from '../collection/collection.ts';

/** The reply. Rejects with an `HttpProblem` of 503 where none comes within so many milliseconds. */
export async function withinTime<Reply>(reply: Promise<Reply>, timeout: number): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(unreachable(`The store did not answer within ${timeout} ms`, 2));
    timer = setTimeout(giveUp, timeout);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}
