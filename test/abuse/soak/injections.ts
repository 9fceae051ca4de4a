/** The faults of a soak. Each is injected into a service under load, and is over when the service has recovered. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Client } from '../client.ts';
import { resetMany } from '../faults/connection-faults.ts';
import { letGo, silentOnes } from '../faults/connections.ts';
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

/** Milliseconds in which a service must have recovered. */
export const PATIENCE = 20_000;

export const INJECTIONS: readonly Injection[] = [
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
  { name: 'connections are reset', fits: () => true, inject: ({ service }) => resetMany(service.port, 200) },
  {
    name: 'no descriptors are left',
    ends: true,
    refuses: true,
    fits: () => existsSync('/proc/self/fd') && spawnSync('prlimit', ['--version']).error === undefined,
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

/** Is a new connection answered? */
export async function isWell(port: number): Promise<boolean> {
  const client = new Client(port);
  const reply = await client.send('GET', '/ready').catch(() => undefined);
  client.close();
  return reply?.status === 200;
}

const textOf = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');

/** How many descriptors a process has open; 0 where it has ended, or the system does not tell. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function limitDescriptors(pid: number, limit: string): void {
  spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
}
