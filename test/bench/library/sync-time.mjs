/** How long the disk takes to have a small change for good: what a store in a file waits for. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.mjs';

const PAGE = Buffer.alloc(4096, 1);

/** Milliseconds for a page at the end of a file in the folder of temporary files, the median of many. */
export function syncTime(times = 200) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'));
  const file = openSync(join(folder, 'pages'), 'w');
  try {
    return median(
      Array.from({ length: times }, () => {
        const started = performance.now();
        writeSync(file, PAGE);
        fdatasyncSync(file);
        return performance.now() - started;
      }),
    );
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
