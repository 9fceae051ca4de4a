/**
 * What a process has used so far, from `/proc`: processor time over all its threads and children, and memory.
 *
 * Processor time per request hardly moves when something else takes a share of the machine, requests per second do;
 * where there is no `/proc` the time is NaN, and the tables fall back on requests per second.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds on a processor, by the scheduler's own account, with those of the processes it has started. */
export function processorTime(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
    return [...tasks.map(ownTime), ...tasks.flatMap(childrenOf).map(processorTime)].reduce(
      (sum, time) => sum + time,
      0,
    );
  } catch {
    return NaN;
  }
}

const ownTime = (task) => Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ', 1)[0]);
const childrenOf = (task) => readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean);

/** Resident memory in MB. */
export function memory(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return NaN;
  }
}
