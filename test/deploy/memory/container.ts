/** Runs a process with as much memory as a container has: in a control group, of version 1 or 2. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** A limit of memory for what is started in it. */
export interface Container {
  /** The command that starts another one in it. */
  readonly through: readonly string[];
  /** The most memory that its processes have had together, with the files that the system keeps for them, in bytes. */
  peak(): number;
  /** How often the system has killed one of its processes. */
  kills(): number;
  /** Its processes must have ended. */
  remove(): void;
}

/** Makes a container with this many bytes, or tells why it cannot. */
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
