/**
 * What a process has used so far, from `/proc`: processor time over all its threads, and memory.
 *
 * Processor time per request hardly moves when something else takes a share of the machine, requests per second do;
 * where there is no `/proc` the time is NaN, and the tables fall back on requests per second.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds on a processor, by the scheduler's own account. */
export function processorTime(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
      0,
    );
  } catch {
    return NaN;
  }
}

/** Resident memory in MB. */
export function memory(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return NaN;
  }
}
