/** Starts services of several processes over one Redis list, for a suite of tests. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, afterEach, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CLIENT_FOLDER, type RunningEngine, startEngine } from '../../support/lasting-stores.ts';
import { PROGRAM } from '../../support/program.ts';
import { until } from '../../support/until.ts';

/** Milliseconds: a worker takes a second to start on a busy machine. */
export const PATIENCE = 30_000;
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const environment = { ...process.env, NODE_PATH: CLIENT_FOLDER };
export const command = (flags: readonly string[]): string[] => [...PROGRAM, '--port', '0', ...flags];

/** A service of several processes. */
export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  /** The processes that serve, without the primary and what tsx starts. */
  workers(): number[];
  errors(): string;
  /** What it has written to standard output. */
  said(): string;
  exited: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
}

/** The engine of a suite, which starts before its tests, and what starts a service there. All end with the suite. */
export function runningWorkers() {
  const all: ChildProcess[] = [];
  let engine: RunningEngine | undefined;
  before(async () => {
    engine = await startEngine('redis-server', '--appendonly', 'no');
  });
  afterEach(() => engine?.signal('SIGCONT'));
  after(async () => {
    for (const child of all) if (child.exitCode === null) child.kill('SIGKILL');
    await engine?.stop();
  });

  return {
    /** Ends the process with the suite. */
    endLater: (child: ChildProcess): void => void all.push(child),
    url: (): string => engine!.url(),
    /** Stops the engine in its tracks, or lets it go on. */
    signalEngine: (signal: 'SIGSTOP' | 'SIGCONT'): void => void engine!.signal(signal),
    /** A service of three workers, which listens. */
    async start(flags: readonly string[] = [], fifth?: number): Promise<Running> {
      const given = ['--workers', '3', '--store', engine!.url(), '--health-checks', 'on', ...flags];
      const child = spawn(process.execPath, command(given), {
        cwd: ROOT,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', fifth ?? 'ignore'],
      });
      all.push(child);
      let said = '';
      let errors = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      const exited = once(child, 'exit') as Promise<unknown> as Running['exited'];
      await until(() => /Page .*\n/.test(said) || child.exitCode !== null, 'the service listens', PATIENCE);
      const url = /http:\/\/\S+(?=\/api\/todo)/.exec(said)?.[0];
      assert.ok(url !== undefined, errors);
      assert.equal(said.split('\n').length, 4, 'the addresses are printed once');
      const workers = (): number[] => childrenOf(child.pid!).filter(isService);
      assert.equal(workers().length, 3);
      return { child, url, workers, errors: () => errors, said: () => said, exited };
    },
  };
}

export const post = (url: string, name: string): Promise<Response> =>
  fetch(`${url}/api/todo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ name }),
  });

export function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

export function isService(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(PROGRAM.at(-1)!);
  } catch {
    return false;
  }
}
