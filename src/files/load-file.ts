/**
 * Reads a file and what lies compressed beside it, as one consistent state.
 *
 * A file may be rewritten while it is read: then it is read again, and whatever is kept has the length that is announced.
 * And an `app.js.br` that is older than its `app.js` was made from another script: it is left aside.
 */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mediaTypeOf } from '../http/headers/media-types.ts';
import type { Coding } from '../http/headers/negotiation.ts';
import { look, openFile } from './disk-file.ts';
import { type ServedFile, type Variant, variant } from './file-variant.ts';

/** How a folder's files are read and answered. */
export interface LoadOptions {
  /** Largest file that is held in memory, in bytes. */
  readonly largestHeld: number;
  /** Header lines of every answer. */
  readonly lines: readonly string[];
  /** Take compressed files for good whatever their age: a checkout gives files the dates it likes. */
  readonly anyAge: boolean;
}

/** A file in memory. */
export interface LoadedFile {
  readonly file: ServedFile;
  /** What the disk said of the file and of each name beside it, in the order of `SUFFIXES`. */
  readonly states: readonly (Stats | undefined)[];
  /** Bytes held. */
  readonly held: number;
}

const CODINGS: readonly (readonly [Coding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** What may follow the name of a file: nothing, and one suffix per coding. */
export const SUFFIXES: readonly string[] = ['', ...CODINGS.map(([, suffix]) => suffix)];

/** Milliseconds by which a compressed file may be older: both were copied in one go. */
const SAME_AGE = 1000;

/** Loads a file; undefined where there is none to serve. Rejects with a 503 `HttpProblem` as `look` does. */
export async function loadFile(root: string, name: string, options: LoadOptions): Promise<LoadedFile | undefined> {
  const plain = await read(root, name, options.largestHeld);
  if (plain === undefined) return undefined;
  const states: (Stats | undefined)[] = [plain.stats];
  const beside: { coding: Coding; name: string; content: Content }[] = [];
  for (const [coding, suffix] of CODINGS) {
    const sibling = name + suffix;
    const seen = await look(`${root}/${sibling}`);
    const content = seen?.isFile() ? await read(root, sibling, options.largestHeld) : undefined;
    states.push(content?.stats ?? seen);
    if (content === undefined) continue;
    if (options.anyAge || content.stats.mtimeMs + SAME_AGE >= plain.stats.mtimeMs)
      beside.push({ coding, name: sibling, content });
  }
  const shared = { mediaType: mediaTypeOf(name), varies: beside.length > 0, lines: options.lines };
  const coded: Partial<Record<Coding, Variant>> = {};
  for (const { coding, name: sibling, content } of beside) {
    coded[coding] = variant({ ...shared, ...partsOf(content), name: sibling, coding });
  }
  const held = [plain, ...beside.map(({ content }) => content)].reduce(
    (sum, { bytes }) => sum + (bytes?.length ?? 0),
    0,
  );
  const file = {
    plain: variant({ ...shared, ...partsOf(plain), name }),
    coded,
    codings: beside.map(({ coding }) => coding),
  };
  return { file, states, held };
}

interface Content {
  readonly stats: Stats;
  readonly bytes: Uint8Array | undefined;
}

const partsOf = ({ stats, bytes }: Content) => ({ length: bytes?.length ?? stats.size, changed: stats.mtimeMs, bytes });

async function read(root: string, name: string, largestHeld: number): Promise<Content | undefined> {
  const opened = await openFile(root, name);
  if (opened === undefined) return undefined;
  try {
    return await readWhole(opened.handle, opened.stats, largestHeld);
  } finally {
    await opened.handle.close();
  }
}

/** Reads until nothing changed meanwhile, three times at most: after that, what the last reading found. */
async function readWhole(handle: FileHandle, before: Stats, largestHeld: number, attempts = 3): Promise<Content> {
  if (before.size > largestHeld) return { stats: before, bytes: undefined };
  const buffer = Buffer.allocUnsafeSlow(before.size);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const stats = await handle.stat();
  if (attempts > 1 && !sameState(before, stats)) return readWhole(handle, stats, largestHeld, attempts - 1);
  return { stats, bytes: buffer.subarray(0, filled) };
}

/** Is this the same file with, as far as the disk can tell, the same content? */
export const sameState = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one?.ino === other?.ino &&
  one?.dev === other?.dev &&
  one?.size === other?.size &&
  one?.mtimeMs === other?.mtimeMs &&
  one?.ctimeMs === other?.ctimeMs;
