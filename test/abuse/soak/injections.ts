/** The faults of a soak. Each is injected into a service under load, and is over when the service has recovered. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { Client } from '../client.ts';
import { letGo, silentOnes } from '../faults/connections.ts';
import { resetMany } from '../faults/resets.ts';
import type { RunningService } from '../running-service.ts';
import type { StorePlace } from '../store-place.ts';

/** What a fault is injected into. */
export interface Soaked {
  readonly service: RunningService;
  readonly place: StorePlace;
  /** Sends the signal, waits for the end, and starts the service again at the same port. */
  restart(signal: NodeJS.Signals): Promise<void>;
}

export interface Injection {
  readonly name: string;
  /** What it may do to a request: end its connection, have it refused with 503. Anything else is an error. */
  readonly ends?: boolean;
  readonly refuses?: boolean;
  /** It ends processes, so what memory they had is gone with them. */
  readonly kills?: boolean;
  fits(soaked: Soaked): boolean;
  inject(soaked: Soaked): Promise<void>;
}

/** What is used of `node:sqlite`, which the types of Node 20 do not have. */
interface Sqlite {
  readonly DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void };
}

/** Processes of a service whose items are in an engine. */
export const WORKERS = 2;
/** Milliseconds in which a service must have recovered. */
export const PATIENCE = 20_000;

export const INJECTIONS: readonly Injection[] = [
  {
    name: 'a worker is killed',
    ends: true,
    kills: true,
    fits: ({ service }) => workersOf(service).length > 0,
    inject: ({ service }) => replaced(service, 1, ([worker]) => process.kill(worker!, 'SIGKILL')),
  },
  {
    name: 'workers are replaced',
    ends: true,
    kills: true,
    fits: ({ service }) => workersOf(service).length > 0,
    inject: ({ service }) => replaced(service, WORKERS, () => service.child.kill('SIGHUP')),
  },
  {
    name: 'the service is killed',
    ends: true,
    kills: true,
    fits: () => true,
    inject: ({ restart }) => restart('SIGKILL'),
  },
  {
    name: 'the service is stopped',
    ends: true,
    kills: true,
    fits: () => true,
    inject: ({ restart }) => restart('SIGTERM'),
  },
  {
    name: 'the engine is killed',
    refuses: true,
    fits: ({ place }) => place.engine !== undefined,
    async inject({ place }) {
      await place.engine!.kill();
      await setTimeout(1000);
      await place.engine!.restart();
    },
  },
  {
    name: 'the engine does not answer',
    refuses: true,
    fits: ({ place }) => place.engine !== undefined,
    async inject({ place }) {
      place.engine!.signal('SIGSTOP');
      await setTimeout(3000);
      place.engine!.signal('SIGCONT');
    },
  },
  {
    name: 'the file is locked',
    refuses: true,
    fits: ({ place }) => place.file !== undefined,
    async inject({ place }) {
      const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite') as unknown as Sqlite;
      const other = new Database(place.file!);
      other.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
      await setTimeout(2000);
      other.close();
    },
  },
  {
    name: 'connections are reset',
    fits: () => true,
    inject: ({ service }) => resetMany(service.port, 200),
  },
  {
    name: 'no descriptors are left',
    ends: true,
    refuses: true,
    fits: () => existsSync('/proc/self/fd') && spawnSync('prlimit', ['--version']).error === undefined,
    // Where there are workers, of the primary alone: Node hands no further connection to one that could not take one.
    async inject({ service: { port, child } }) {
      const pid = child.pid!;
      const limit = /open files +(\d+)/.exec(textOf(pid, 'limits'))![1]!;
      limitDescriptors(pid, String(descriptorsOf(pid) + 10));
      const sockets = await silentOnes(port, 100);
      for (const socket of sockets) socket.write('GET /swagger/ui/swagger-ui.css HTTP/1.1\r\nHost: a\r\n\r\n');
      await setTimeout(1000);
      limitDescriptors(pid, limit);
      letGo(sockets);
    },
  },
];

/** Are so many new connections in a row answered, so that each process of the service has its turn? */
export async function isWell(port: number, times = 4): Promise<boolean> {
  for (let time = 0; time < times; time++) {
    const client = new Client(port);
    const reply = await client.send('GET', '/ready').catch(() => undefined);
    client.close();
    if (reply?.status !== 200) return false;
  }
  return true;
}

const textOf = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');

/** The processes that serve; none where the service is a single process, or the system does not tell. */
export function workersOf({ child }: RunningService): number[] {
  try {
    return textOf(child.pid!, `task/${child.pid}/children`).split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export const processesOf = (service: RunningService): number[] => [service.child.pid!, ...workersOf(service)];

/** How many descriptors a process has open; 0 where it has ended, or the system does not tell. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Resolves when the first workers, so many, have made way for others. */
async function replaced(service: RunningService, count: number, act: (workers: number[]) => unknown): Promise<void> {
  const former = workersOf(service);
  act(former);
  await until(
    () => {
      const workers = workersOf(service);
      return workers.length === WORKERS && !former.slice(0, count).some((pid) => workers.includes(pid));
    },
    'other workers',
    PATIENCE,
  );
}

function limitDescriptors(pid: number, limit: string): void {
  spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
}
