/**
 * Loads a file and its precompressed variants from the disk, all in one consistent state.
 *
 * A file that changes while it is read is read again. An `app.js.br` that is older than its `app.js` was made from
 * another script and is left out.
 */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type Coding, mediaTypeOf } from '../../http.ts';
import { openFile, statIfPresent } from './disk-file.ts';
import { type ServedFile, type Variant, variant } from './file-variant.ts';

/** How the files of a folder are loaded and answered. */
export interface LoadOptions {
  /** The largest file that is cached in memory, in bytes. */
  readonly maxCachedFileBytes: number;
  /** Further headers of every reply, as a flat list. */
  readonly headers: readonly string[];
  /** Takes precompressed files of any age. The files of a checkout have arbitrary times. */
  readonly ignoreAge: boolean;
}

/** A loaded file. */
export interface LoadedFile {
  readonly file: ServedFile;
  /** The states of the file and of its variants, in the order of `SUFFIXES`; undefined for an absent one. */
  readonly states: readonly (Stats | undefined)[];
  /** Bytes in memory. */
  readonly bytes: number;
}

const CODINGS = Object.entries({ br: '.br', gzip: '.gz' }) as readonly (readonly [Coding, string])[];

/** The suffixes of the file itself and of its precompressed variants. */
export const SUFFIXES: readonly string[] = ['', ...CODINGS.map(([, suffix]) => suffix)];

/** Milliseconds by which a variant may be older than its file, since copying sets their times one after the other. */
const AGE_TOLERANCE_MS = 1000;

/** Loads a file; undefined when it is absent. Rejects with a 503 `HttpProblem` when the disk fails. */
export async function loadFile(root: string, name: string, options: LoadOptions): Promise<LoadedFile | undefined> {
  const { maxCachedFileBytes, headers, ignoreAge } = options;
  const original = await read(root, name, maxCachedFileBytes);
  if (original === undefined) return undefined;
  const states: (Stats | undefined)[] = [original.stats];
  const precompressed: { coding: Coding; name: string; content: Content }[] = [];
  for (const [coding, suffix] of CODINGS) {
    const sibling = name + suffix;
    const state = await statIfPresent(`${root}/${sibling}`);
    const content = state?.isFile() ? await read(root, sibling, maxCachedFileBytes) : undefined;
    states.push(content?.stats ?? state);
    if (content === undefined) continue;
    if (ignoreAge || content.stats.mtimeMs + AGE_TOLERANCE_MS >= original.stats.mtimeMs)
      precompressed.push({ coding, name: sibling, content });
  }
  const shared = { mediaType: mediaTypeOf(name), varies: precompressed.length > 0, headers };
  const encoded: Partial<Record<Coding, Variant>> = {};
  let bytes = original.bytes?.length ?? 0;
  for (const { coding, name: sibling, content } of precompressed) {
    encoded[coding] = variant({ ...shared, ...sourceOf(content), name: sibling, coding });
    bytes += content.bytes?.length ?? 0;
  }
  const identity = variant({ ...shared, ...sourceOf(original), name });
  return { file: { identity, encoded, codings: precompressed.map(({ coding }) => coding) }, states, bytes };
}

/** The content of a file; `bytes` is undefined for one that is too large to be cached. */
type Content = { readonly stats: Stats; readonly bytes: Uint8Array | undefined };

const sourceOf = ({ stats: { size, mtimeMs }, bytes }: Content) => ({ length: bytes?.length ?? size, mtimeMs, bytes });

async function read(root: string, name: string, maxBytes: number): Promise<Content | undefined> {
  const opened = await openFile(root, name);
  if (opened === undefined) return undefined;
  try {
    return await readContent(opened.handle, opened.stats, maxBytes);
  } finally {
    await opened.handle.close();
  }
}

/** Reads a file, again while it changes, at most `attempts` times; the last result counts. */
async function readContent(handle: FileHandle, before: Stats, maxBytes: number, attempts = 3): Promise<Content> {
  if (before.size > maxBytes) return { stats: before, bytes: undefined };
  const buffer = Buffer.allocUnsafeSlow(before.size);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const stats = await handle.stat();
  if (attempts > 1 && !isSameState(before, stats)) return readContent(handle, stats, maxBytes, attempts - 1);
  return { stats, bytes: buffer.subarray(0, filled) };
}

/** Is it the same file with the same content, as far as the disk can tell? True where both are absent. */
export const isSameState = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one?.ino === other?.ino &&
  one?.dev === other?.dev &&
  one?.size === other?.size &&
  one?.mtimeMs === other?.mtimeMs &&
  one?.ctimeMs === other?.ctimeMs;
