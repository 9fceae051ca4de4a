/**
 * Writes lines to a file descriptor without blocking, and drops lines that cannot be written.
 *
 * The reader of a pipe may stop reading or exit, and a disk may be full. Dropped lines are counted, and a line with
 * their number precedes the next line that is written. Pipes and sockets are written as streams, which do not block;
 * files are written through the thread pool.
 */
import { fstatSync, write } from 'node:fs';
import type { Writable } from 'node:stream';
import { ignoreErrors } from '../../extending.ts';

/**
 * Most bytes of one write, in whole lines. A pipe takes as many at once (PIPE_BUF of Linux): the lines of several
 * processes are not mixed.
 */
export const MAX_WRITE = 4096;

/** Buffers lines and writes them. */
export interface LineWriter {
  /** Writes a line, given without its line feed, or drops it when the buffer is full. Never throws. */
  line(text: string): void;
  /** Resolves when all buffered lines are written, or after `timeout` ms. */
  flush(timeout: number): Promise<void>;
}

/** Writes a text and calls back, with an error when it was not written as a whole. */
type Sink = (text: string, written: (error?: Error | null) => void) => void;

/** A writer that buffers at most `limit` characters. `droppedLine` reports the number of dropped lines. */
export function lineWriter(descriptor: number, limit: number, droppedLine: (count: number) => string): LineWriter {
  const buffered: string[] = [];
  let size = 0;
  let writing = false;
  let dropped = 0;
  let failed = false;
  let sink: Sink | undefined;
  let flushed: (() => void)[] = [];

  function send(): void {
    // After a failure, the line about dropped lines waits for the next line.
    if (buffered.length === 0 && (dropped === 0 || failed)) {
      writing = false;
      for (const resolve of flushed) resolve();
      flushed = [];
      return;
    }
    // A failed write drops its lines, and the dropped lines that it reports count again.
    const reported = dropped;
    if (dropped > 0) buffered.unshift(droppedLine(dropped));
    dropped = 0;
    const lines = buffered.splice(0, linesOfOneWrite(buffered));
    (sink ??= sinkOf(descriptor))(`${lines.join('\n')}\n`, (error) => {
      size = buffered.reduce((sum, line) => sum + line.length, 0);
      failed = Boolean(error);
      if (error) dropped += reported > 0 ? reported + lines.length - 1 : lines.length;
      if (buffered.length > 0) send();
      else setImmediate(send);
    });
  }

  return {
    line(text) {
      if (size + text.length > limit) {
        dropped++;
        return;
      }
      buffered.push(text);
      size += text.length;
      // A write takes several lines of a turn of the event loop.
      if (!writing) setImmediate(send);
      writing = true;
    },
    flush: (timeout) =>
      new Promise((resolve) => {
        if (!writing) return resolve();
        const timer = setTimeout(resolve, timeout);
        flushed.push(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

/** How many lines fit into one write, at least one. */
function linesOfOneWrite(lines: readonly string[]): number {
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > MAX_WRITE);
  return end < 0 ? lines.length : Math.max(end, 1);
}

function sinkOf(descriptor: number): Sink {
  const stream = streamOf(descriptor);
  if (stream === undefined) return (text, written) => writeFile(descriptor, Buffer.from(text), written);
  return (text, written) => {
    if (stream.destroyed || !stream.writable) setImmediate(written, new Error('The reader has gone'));
    else
      stream.write(text, (error) => {
        // The stream emits the error behind this call, and it would end the process.
        if (error) ignoreErrors(stream);
        written(error);
      });
  };
}

/** The stream of a pipe or a socket; undefined for a file. */
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
