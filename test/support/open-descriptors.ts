/** How many descriptors this process has open below a folder. Linux alone can tell; elsewhere 0. */
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
