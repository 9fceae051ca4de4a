/** Counts the open file descriptors of this process below a folder. Returns 0 on systems other than Linux. */
import { readdirSync, readlinkSync } from 'node:fs';

export function openDescriptors(folder: string): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}
