/** The processor time of this process and of those that it has started. */
import { readFileSync } from 'node:fs';

/** The seconds; a process that was started counts once it has ended and, where the system is not Linux, not at all. */
export function processorSeconds(): number {
  try {
    // proc_pid_stat(5): utime, stime, cutime and cstime, in hundredths. The name in front of them can have spaces.
    const text = readFileSync('/proc/self/stat', 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((all, field) => all + Number(field), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
