/**
 * Creates the files of a store, also if the superuser runs a command for the user of a service.
 *
 * A new file gets the owner and the mode of the store's file, or the owner of the folder if there is no such file. A
 * symbolic link, which the owner of the folder may have planted, is not followed.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../extending.ts';

const { O_RDWR, O_CREAT, O_EXCL, O_SYNC = 0, O_NOFOLLOW = 0 } = constants;
/** Does not follow a link. Each write waits for the disk, because Node forbids `fsync` if it runs with `--permission`. */
const CREATION = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_SYNC;

/** The mode of a copy that replaces no file. */
export const PRIVATE = 0o600;
/** The mode of the files of a new store. The system removes the bits of the umask. */
export const SHARED = 0o644;

/**
 * Creates an empty file beside the file of a store, and returns its descriptor. `mode` applies if the file of the store
 * does not exist. Throws the system's error; its code is `EEXIST` if there is a file or a link with this name.
 */
export function createBeside(file: string, suffix: string, mode: number): number {
  const model = statSync(file, { throwIfNoEntry: false });
  const { uid, gid } = model ?? statSync(dirname(file));
  const descriptor = openSync(file + suffix, CREATION, mode);
  // Only the superuser may give a file to another user, and a container or `--permission` can take this right away.
  if (process.geteuid?.() === 0) attempt(() => fchownSync(descriptor, uid, gid), undefined);
  if (model !== undefined) attempt(() => fchmodSync(descriptor, model.mode & 0o777), undefined);
  return descriptor;
}

/** A file that gets its name when it is complete. */
export interface NewFile {
  /** The path until the file is published. */
  readonly path: string;
  readonly descriptor: number;
  /** Replaces the file of its name in one step. The content must be on the disk. */
  publish(): void;
  discard(): void;
}

/** Begins a new `FILE` + `suffix`. Deletes what a killed process has left of an earlier one. */
export function beginFile(file: string, suffix: string, mode: number): NewFile {
  const name = file + suffix;
  const path = `${name}-incomplete`;
  rmSync(path, { force: true });
  const descriptor = createBeside(file, `${suffix}-incomplete`, mode);
  return {
    path,
    descriptor,
    publish() {
      renameSync(path, name);
      closeSync(descriptor);
      // Windows cannot open a folder, and `--permission` forbids `fsync`. SQLite syncs the folder at the first change.
      attempt(() => syncFolder(dirname(file)), undefined);
    },
    discard() {
      closeSync(descriptor);
      rmSync(path, { force: true });
    },
  };
}

/**
 * Runs a command of the superuser with the rights of the owner of a file, or of its folder if there is no such file. So
 * SQLite, which opens files by their names, cannot follow a link to a place where only the superuser may write. The
 * whole process has these rights meanwhile, so only a program that does nothing else may call this.
 */
export async function asOwner<Result>(file: string, command: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return command();
  const { uid, gid } = statSync(file, { throwIfNoEntry: false }) ?? statSync(dirname(file));
  const group = process.getegid!();
  // A container can take these rights away from the superuser.
  attempt(() => {
    process.setegid!(gid);
    process.seteuid!(uid);
  }, undefined);
  try {
    return await command();
  } finally {
    process.seteuid!(0);
    process.setegid!(group);
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
