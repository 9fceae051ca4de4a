/** Sources of replies that do not end by themselves, or that fail. */
import { Readable } from 'node:stream';

/** A stream that sends this text, if given, and then nothing until the test pushes more. */
export function waiting(first?: string): Readable {
  const body = new Readable({ read() {} });
  if (first !== undefined) body.push(first);
  return body;
}

/** A stream that never ends: it repeats these 64 KiB as long as somebody reads. */
export function endless(chunk: Uint8Array = Buffer.alloc(64 * 1024)): Readable {
  return new Readable({
    read() {
      this.push(chunk);
    },
  });
}

/** A source that sends this text, waits for a turn of the event loop, and fails. */
export async function* failing(first: string, message: string): AsyncGenerator<string> {
  yield first;
  await new Promise(setImmediate);
  throw new Error(message);
}
