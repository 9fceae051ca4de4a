/** Measures the processor time of this process and its child processes. */
import { readFileSync } from 'node:fs';

/** Returns the processor time in seconds. Child processes count after they have ended, and only on Linux. */
export function processorSeconds(): number {
  try {
    // proc_pid_stat(5): utime, stime, cutime and cstime, in hundredths. The name before them can contain spaces.
    const text = readFileSync('/proc/self/stat', 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((all, field) => all + Number(field), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
