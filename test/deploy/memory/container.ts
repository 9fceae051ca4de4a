/** Runs a process with the memory limit of a container, in a control group of version 1 or 2. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** A memory limit for the processes in it. */
export interface Container {
  /** The command that starts another command in the container. */
  readonly through: readonly string[];
  /** The peak memory of all its processes together, including the file cache, in bytes. */
  peak(): number;
  /** The number of its processes that the system has killed. */
  kills(): number;
  /** Removes the container. Call this after all its processes have ended. */
  remove(): void;
}

/** Creates a container with this number of bytes, or returns the reason why it cannot. */
export function container(bytes: number): Container | string {
  const isFirst = existsSync(join(ROOT, 'memory'));
  const folder = join(ROOT, isFirst ? 'memory' : '', `todo-${process.pid}-${bytes}`);
  const names = isFirst
    ? { limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes', kills: 'memory.oom_control' }
    : { limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  try {
    if (!isFirst) appendFileSync(join(ROOT, 'cgroup.subtree_control'), '+memory');
    mkdirSync(folder);
    writeFileSync(join(folder, names.limit), String(bytes));
    read(names.peak);
  } catch (error) {
    if (existsSync(folder)) rmdirSync(folder);
    return `no control group with a limit of memory can be made: ${(error as Error).message}`;
  }
  return {
    through: ['sh', '-c', `echo $$ >${join(folder, 'cgroup.procs')} && exec "$@"`, 'sh'],
    peak: () => Number(read(names.peak)),
    kills: () => Number(/^oom_kill (\d+)/m.exec(read(names.kills))?.[1] ?? 0),
    remove: () => rmdirSync(folder),
  };
}
