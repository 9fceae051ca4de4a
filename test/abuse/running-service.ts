/** The service as its users run it: a process of its own that is told everything by flags. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../support/program.ts';

/** Where the service lies. */
export const HOME = fileURLToPath(new URL('../..', import.meta.url));

/** How it is started. */
export interface Start {
  readonly flags?: readonly string[];
  /** For node itself, such as `--max-old-space-size=64`. */
  readonly node?: readonly string[];
  /** A program that starts it, with its arguments: `prlimit --nofile=64`. */
  readonly through?: readonly string[];
  readonly stdio?: StdioOptions;
  /** 0, a free one, unless given. */
  readonly port?: number;
  /** Where the service lies, if not here. */
  readonly home?: string;
  /** What node runs; the service unless given. */
  readonly program?: readonly string[];
  /** Added to the environment of the tests. Undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A service that listens. */
export interface RunningService {
  readonly port: number;
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  /** Everything that it wrote to standard error. */
  errors(): string;
  /** Memory of the process in bytes. */
  memory(): number;
  /** Asks it to stop and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

/** Starts the process without waiting for anything. */
export function spawnService({
  flags = [],
  node = [],
  through = [],
  stdio = 'pipe',
  port = 0,
  home = HOME,
  program = PROGRAM,
  env = {},
}: Start = {}): { child: ChildProcess; exited: Promise<Exit>; errors(): string } {
  const [command = '', ...rest] = [...through, process.execPath, ...node, ...program, '--port', String(port), ...flags];
  const child = spawn(command, rest, { cwd: home, stdio, env: { ...process.env, ...env } });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-100_000);
  });
  const exited = once(child, 'exit').then(
    ([code, signal]): Exit => ({ code: code as number | null, signal: signal as NodeJS.Signals | null }),
  );
  return { child, exited, errors: () => errors };
}

/** Starts the service and waits until it listens. Rejects when it ends before that. */
export async function startService(start: Start = {}): Promise<RunningService> {
  const { child, exited, errors } = spawnService(start);
  const port = await Promise.race([
    portOf(child),
    exited.then(({ code }) => {
      throw new Error(`The service ended with ${code}: ${errors()}`);
    }),
  ]);
  return {
    port,
    child,
    exited,
    errors,
    memory: () => memoryOf(child.pid!),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

/** The port that it says on standard output, which is read on and thrown away. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    let said = '';
    const listen = (text: string): void => {
      said += text;
      const port = /:(\d+)\S*\/api\/todo\n/.exec(said)?.[1];
      if (port === undefined) return;
      child.stdout!.off('data', listen).resume();
      resolve(Number(port));
    };
    child.stdout!.setEncoding('utf8').on('data', listen);
  });
}

/** Resident memory of a process in bytes; 0 where the system does not tell. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
