/** A service whose limits are within reach, with a static folder that is full of traps. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService } from './running-service.ts';

/** So small that requests of a few kilobytes reach every limit. */
const SMALL_LIMITS = [
  ...['--max-body', '4k', '--max-header-bytes', '4k', '--max-items', '200', '--max-store-bytes', '256k'],
  ...['--request-timeout', '2s', '--idle-timeout', '500ms', '--write-timeout', '3s'],
];

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

/** Starts it. `end` stops the service and removes its folder. */
export async function startAbused(): Promise<{ readonly service: RunningService; end(): Promise<void> }> {
  const { root, remove } = folderOfTraps();
  const operated = ['--static', root, '--health-checks', 'on', '--metrics', 'on'];
  const service = await startService({ flags: [...operated, ...SMALL_LIMITS] });
  return {
    service,
    async end() {
      await service.stop();
      remove();
    },
  };
}
