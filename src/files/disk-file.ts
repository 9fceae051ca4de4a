/**
 * Regular files of one folder, and nothing else that has a name there.
 *
 * A link may lead out of the folder, a pipe blocks whoever opens it until someone writes, a device answers for ever, and
 * between a look and an opening a name can come to mean another file. So: follow every link first and compare whole path
 * pieces (a sibling `public-private` also *begins with* `public`), look before opening, open what was looked at without
 * following or waiting, and look again at what was opened, and where that lies.
 */
import { constants, realpath as realpathOf, type Stats, stat as statOf } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import { HttpProblem } from '../http/message/problem.ts';

const realpath = promisify(realpathOf.native);
const stat = promisify(statOf) as (path: string) => Promise<Stats>;

/** A file that is open. The one who asked for it closes it. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Milliseconds for which a look at the disk is believed: too short for anyone to notice, long enough to cost nothing under load. */
export const TRUSTED = 20;

/** There is nothing of this name, or nothing that this process may see. */
const ABSENT = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'ELOOP',
  'ENAMETOOLONG',
  'EINVAL',
  'ENXIO',
  'ENODEV',
  'EISDIR',
  'EILSEQ',
]);

/** What lies under a path, links followed; undefined for nothing. Rejects with a 503 `HttpProblem` when the system cannot tell now. */
export const look = (path: string): Promise<Stats | undefined> => stat(path).catch(absent);

/**
 * Opens a regular file below `root`; undefined for nothing, for anything else and for what lies outside. A file that is being
 * replaced is tried again. Rejects as `look` does.
 */
export async function openFile(root: string, name: string): Promise<OpenFile | undefined> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const opened = await tryOpen(root, name);
    if (opened !== 'replaced') return opened;
  }
  return undefined;
}

const ATTEMPTS = 5;
// Neither flag exists on Windows, where neither pipes nor links of this kind lie in folders.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

async function tryOpen(root: string, name: string): Promise<OpenFile | 'replaced' | undefined> {
  const [folder, path] = (await Promise.all([realpath(root), realpath(`${root}/${name}`)]).catch(absent)) ?? [];
  if (folder === undefined || path === undefined || !isBelow(folder, path)) return undefined;
  const seen = await look(path);
  if (seen === undefined) return 'replaced';
  if (!seen.isFile()) return undefined;
  const handle = await open(path, FLAGS).catch(absent);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    const same = stats.isFile() && stats.ino === seen.ino && stats.dev === seen.dev;
    if (same && isBelow(folder, await placeOf(handle, path))) return { handle, stats };
  } catch (error) {
    await handle.close();
    return absent(error);
  }
  await handle.close();
  return 'replaced';
}

/** Where an open file really lies: Linux says it of the descriptor; elsewhere the links are followed once more. */
const placeOf = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));

/** Is this real path inside that real folder? */
const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Undefined for what is not there; for want of descriptors or a failing disk, "later" and no more (D10). */
export function absent(error: unknown): undefined {
  if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  throw new HttpProblem(503, 'The file cannot be read at the moment', { headers: { 'Retry-After': '1' } });
}
