/**
 * Kills the service while it starts on a new file, again and again: is the next start one that finds the file as new,
 * or whole?
 *
 * Every second kill is at a random instant of the whole start. The others wait for the first file that the start makes,
 * so that they fall where the file is created, gets its tables and its first item.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { builtService } from '../built-service.ts';
import { addItem, listItems } from '../items.ts';
import { random } from '../random.ts';
import { type Start, spawnService, startService } from '../running-service.ts';

const SEED = 5;
/** Milliseconds after the first file of a start in which the kill falls. */
const WINDOW = 40;
/** Starts at a time. */
const AT_ONCE = 2;

/** Returns the number of kills before there was a file, before it held anything and later, and all that is wrong. */
export async function startKills(times: number) {
  const chance = random(SEED);
  const result = { kills: 0, withoutFile: 0, emptyFile: 0, filledFile: 0, differences: [] as string[] };
  const whole = await inFolder(lengthOfStart);
  async function killOften(): Promise<void> {
    while (result.kills < times) {
      const isAimed = result.kills++ % 2 === 0;
      await inFolder(async (folder) => {
        const file = join(folder, 'todo.db');
        await killedStart(file, isAimed, chance.below(isAimed ? WINDOW : whole));
        if (!existsSync(file)) result.withoutFile++;
        else if (statSync(file).size === 0) result.emptyFile++;
        else result.filledFile++;
        await nextStart(file).catch((error: unknown) => void result.differences.push(String(error)));
      });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, killOften));
  return result;
}

const startOn = async (file: string): Promise<Start> => ({ program: [await builtService()], flags: ['--store', file] });

/** Starts on the file, and kills so many milliseconds afterwards, or behind the first file if it is aimed. */
async function killedStart(file: string, isAimed: boolean, after: number): Promise<void> {
  const folder = watch(dirname(file));
  const { child, exited } = spawnService(await startOn(file));
  child.stdout?.resume();
  if (isAimed) await Promise.race([once(folder, 'change'), exited]);
  folder.close();
  await setTimeout(after);
  child.kill('SIGKILL');
  await exited;
}

/** Throws unless a start on the file has the first item, once, keeps another one, and says nothing of an error. */
async function nextStart(file: string): Promise<void> {
  const service = await startService(await startOn(file));
  try {
    const added = await addItem(service.port, 'second');
    const names = (await listItems(service.port)).map(({ name }) => name);
    assert.deepEqual(names, ['Item1', added?.name]);
    assert.equal(service.errors(), '');
  } finally {
    await service.stop('SIGKILL');
  }
}

/** Milliseconds that a start takes when nobody disturbs it. */
async function lengthOfStart(folder: string): Promise<number> {
  const from = performance.now();
  const service = await startService(await startOn(join(folder, 'todo.db')));
  const length = performance.now() - from;
  await service.stop('SIGKILL');
  return Math.ceil(length);
}

async function inFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
