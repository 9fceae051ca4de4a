/** A service whose limits are within reach, with a static folder that is full of traps. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService } from './running-service.ts';

/** So small that requests of a few kilobytes reach every limit. */
export const SMALL_LIMITS: readonly string[] = [
  '--max-body',
  '4k',
  '--max-header-bytes',
  '4k',
  '--max-items',
  '200',
  '--request-timeout',
  '2s',
  '--idle-timeout',
  '500ms',
  '--write-timeout',
  '3s',
];

/** An engine limits its own memory. */
const smallStore = (flags: readonly string[]): readonly string[] =>
  flags.some((flag) => /^rediss?:/.test(flag)) ? [] : ['--max-store-bytes', '256k'];

/** Text that must never be read through the service. */
export const SECRET = 'this lies outside';

/** Makes the folder; removes it with `remove`. */
export function folderOfTraps(): { root: string; remove(): void } {
  const base = mkdtempSync(join(tmpdir(), 'abuse-'));
  const root = join(base, 'public');
  const outside = join(base, 'public-private');
  for (const folder of [root, outside, join(root, 'folder')]) mkdirSync(folder);
  writeFileSync(join(outside, 'secret.txt'), SECRET);
  writeFileSync(join(root, '.hidden'), SECRET);
  for (const name of ['index.html', 'notes.txt', 'folder/index.html'])
    writeFileSync(join(root, name), `file ${name}\n`);
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(300_000, 'large '));
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link-out'));
  symlinkSync(outside, join(root, 'link-folder'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'pipe')]);
  return { root, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** A service and its folder. `end` stops the one and removes the other. */
export interface Abused {
  readonly service: RunningService;
  readonly root: string;
  end(): Promise<void>;
}

/** Starts it. Whoever started it ends it. */
export async function startAbused(flags: readonly string[] = [], node: readonly string[] = []): Promise<Abused> {
  const { root, remove } = folderOfTraps();
  const service = await startService({
    node,
    flags: [
      '--static',
      root,
      '--health-checks',
      'on',
      '--metrics',
      'on',
      ...SMALL_LIMITS,
      ...smallStore(flags),
      ...flags,
    ],
  });
  return {
    service,
    root,
    async end() {
      await service.stop();
      remove();
    },
  };
}
