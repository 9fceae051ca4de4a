/** Where the items of a run are kept: an SQLite file in a folder of its own, or a list in an engine of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_FOLDER, noEngine, noSqlite, type RunningEngine, startEngine } from '../support/lasting-stores.ts';
import { builtService } from './built-service.ts';
import type { Start } from './running-service.ts';

export type StoreKind = 'file' | 'redis';

/** A place, and how a service is told of it. */
export interface StorePlace {
  readonly start: Start;
  readonly engine?: RunningEngine;
  remove(): Promise<void>;
}

/** Why there is no such place here; false where there is. */
export const noPlace = (kind: StoreKind): string | false => (kind === 'file' ? noSqlite : noEngine('redis-server'));

/** Makes a new, empty place. */
export async function storePlace(kind: StoreKind): Promise<StorePlace> {
  const program = [await builtService()];
  if (kind === 'redis') {
    const engine = await startEngine('redis-server');
    const start = { program, flags: ['--metrics', 'on', '--store', engine.url()], env: { NODE_PATH: CLIENT_FOLDER } };
    return { start, engine, remove: () => engine.stop() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  return {
    start: { program, flags: ['--metrics', 'on', '--store', join(folder, 'todo.db')] },
    async remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
