/** Where the items of a run are kept: in memory, an SQLite file in a folder of its own, or an engine of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_FOLDER, noEngine, noSqlite, type RunningEngine, startEngine } from '../support/lasting-stores.ts';
import { builtService } from './built-service.ts';
import type { Start } from './running-service.ts';

export type StoreKind = 'redis' | 'file' | 'memory';

/** A place, and how a service is told of it. */
export interface StorePlace {
  readonly start: Start;
  readonly engine?: RunningEngine;
  readonly file?: string;
  remove(): Promise<void>;
}

/** Why there is no such place here; false where there is. */
export const noPlace = (kind: StoreKind): string | false =>
  kind === 'redis' ? noEngine('redis-server') : kind === 'file' && noSqlite;

/** Makes a new, empty place. */
export async function storePlace(kind: StoreKind): Promise<StorePlace> {
  const program = [await builtService()];
  if (kind === 'redis') {
    const engine = await startEngine('redis-server');
    const start = { program, flags: ['--metrics', 'on', '--store', engine.url()], env: { NODE_PATH: CLIENT_FOLDER } };
    return { start, engine, remove: () => engine.stop() };
  }
  if (kind === 'memory') return { start: { program, flags: ['--metrics', 'on'] }, remove: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  const file = join(folder, 'todo.db');
  return {
    file,
    start: { program, flags: ['--metrics', 'on', '--store', file] },
    async remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
