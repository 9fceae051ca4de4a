/**
 * Writes lines to a descriptor without ever making the service wait, and without ever ending it.
 *
 * The reader of a pipe may stop reading, the disk may be full, `| head -1` may have gone: lines are then dropped and counted,
 * and the next line that goes through is preceded by one that says how many are missing. A pipe or a socket is written
 * through libuv, which does not block on it; a file through the thread pool.
 */
import { fstatSync, write } from 'node:fs';
import type { Writable } from 'node:stream';

/** Takes lines, writes them when it can. */
export interface LineWriter {
  /** Takes one line, without its line feed; drops it when too much waits already. Never throws. */
  line(text: string): void;
  /** Resolves when what waits is written, or after `patience` ms. */
  flush(patience: number): Promise<void>;
}

/** Writes a text as far as it goes and calls back, with an error when it did not go whole. */
type Sink = (text: string, written: (error?: Error | null) => void) => void;

/** A writer of lines to `descriptor`. At most `bound` characters wait. `lost` words the line about missing ones. */
export function lineWriter(descriptor: number, bound: number, lost: (count: number) => string): LineWriter {
  let waiting: string[] = [],
    size = 0,
    writing = false,
    missing = 0,
    failed = false,
    sink: Sink | undefined;
  let idle: (() => void)[] = [];

  function send(): void {
    // What is missing is told once there is a reader again, not tried over and over.
    if (waiting.length === 0 && (missing === 0 || failed)) {
      writing = false;
      for (const resolve of idle) resolve();
      idle = [];
      return;
    }
    if (missing > 0) waiting.unshift(lost(missing));
    const text = `${waiting.join('\n')}\n`,
      lines = waiting.length,
      told = missing;
    waiting = [];
    missing = 0;
    (sink ??= sinkOf(descriptor))(text, (error) => {
      size = waiting.reduce((sum, line) => sum + line.length, 0);
      failed = Boolean(error);
      // The line that told of missing ones is none of them.
      if (error) missing += told > 0 ? told + lines - 1 : lines;
      setImmediate(send);
    });
  }

  return {
    line(text) {
      if (size + text.length > bound) {
        missing++;
        return;
      }
      waiting.push(text);
      size += text.length;
      // Lines of one turn of the event loop go out in one write.
      if (!writing) {
        writing = true;
        setImmediate(send);
      }
    },
    flush: (patience) =>
      new Promise((resolve) => {
        if (!writing) return resolve();
        const timer = setTimeout(resolve, patience);
        idle.push(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

function sinkOf(descriptor: number): Sink {
  const stream = streamOf(descriptor);
  if (stream === undefined) return (text, written) => writeFile(descriptor, Buffer.from(text), written);
  // Without a listener the error of a reader that has gone would end the process.
  stream.on('error', () => {});
  return (text, written) => {
    if (stream.destroyed || !stream.writable) setImmediate(written, new Error('The reader has gone'));
    else stream.write(text, written);
  };
}

/** The stream of a pipe or a socket; undefined for everything that the thread pool writes. */
function streamOf(descriptor: number): Writable | undefined {
  try {
    const found = fstatSync(descriptor);
    if (!found.isFIFO() && !found.isSocket()) return undefined;
    if (descriptor === 1) return process.stdout;
    if (descriptor === 2) return process.stderr;
    const { Socket } = process.getBuiltinModule('node:net');
    return new Socket({ fd: descriptor, readable: false, writable: true }).unref();
  } catch {
    return undefined;
  }
}

function writeFile(descriptor: number, bytes: Uint8Array, written: (error?: Error | null) => void): void {
  write(descriptor, bytes, 0, bytes.length, null, (error, count) => {
    if (error || count === bytes.length) written(error);
    else if (count === 0) written(new Error('Nothing was written'));
    else writeFile(descriptor, bytes.subarray(count), written);
  });
}
