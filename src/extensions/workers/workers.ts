/**
 * Runs N processes that serve one port together (D87), by `node:cluster`. This process is the primary: it listens and
 * hands each connection to a worker in turn. It serves nothing itself, keeps the number of workers, and stops them.
 */
import type { Cluster, Worker } from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { logWarning } from '../../extending.ts';

/** What a primary needs to know. Times are in milliseconds. */
export interface PrimaryOptions {
  readonly workers: number;
  /** The time in which a worker ends by itself once it is told to. */
  readonly grace: number;
  /** An open file descriptor that the workers write to, beside the three of every process. */
  readonly descriptor?: number | undefined;
  /** Is called once, when all workers listen. */
  listening(address: AddressInfo): void;
  /** Is called once: 0 after a stop; the code of the first worker if it could not start. */
  ended(code: number): void;
}

/** Stops the workers. */
export interface Primary {
  /** Lets each end its requests. */
  stop(): void;
  /** Ends all at once. */
  kill(): void;
}

/** A worker that has lived so long is replaced without a pause. */
const HEALTHY_LIFE = 10_000;
const MIN_DELAY = 100;
const MAX_DELAY = 5000;
/** What a worker may need beyond its grace, to stop its plugins. */
const STOP_TIME = 5000;

/** Starts the first worker, and the others when it listens: a fault of the settings is told once. */
export function runPrimary(options: PrimaryOptions): Primary {
  const { workers: count, grace, descriptor = 2, listening, ended } = options;
  const cluster = process.getBuiltinModule('node:cluster') as unknown as Cluster;
  // A worker has the descriptors of this process, and behind them the channel to it.
  const between = Array.from({ length: Math.max(descriptor - 3, 0) }, () => 'ignore' as const);
  const own = descriptor > 2 ? [...between, descriptor] : [];
  cluster.setupPrimary({ stdio: ['inherit', 'inherit', 'inherit', ...own, 'ipc'] });
  const workers = new Set<Worker>();
  /** Those that can be asked to stop. */
  const serving = new Set<Worker>();
  let hasListened = false;
  let isComplete = false;
  let isStopping = false;
  let hasFailed = false;
  let failures = 0;

  const start = (): void => {
    if (isStopping) return;
    const worker = cluster.fork();
    const began = performance.now();
    workers.add(worker);
    // In the order of the connections that the worker is given.
    worker.on('message', (message) => {
      if (message === TURN) send(worker, TURN);
    });
    worker.once('listening', ({ address, port }) => {
      serving.add(worker);
      if (!hasListened) for (let others = 1; others < count; others++) start();
      hasListened = true;
      if (isComplete || serving.size < count) return;
      isComplete = true;
      // A worker that listens on every address names none.
      const host = address ?? '::';
      listening({ address: host, port, family: host.includes(':') ? 'IPv6' : 'IPv4' });
    });
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      const served = serving.delete(worker);
      if (isStopping) {
        hasFailed ||= served && code !== 0;
        if (workers.size === 0) ended(hasFailed ? 1 : 0);
      } else if (!hasListened) {
        isStopping = true;
        ended(code ?? 1);
      } else replace(worker, signal ?? `code ${code}`, performance.now() - began);
    });
  };

  const replace = ({ process: { pid } }: Worker, how: string, life: number): void => {
    failures = life < HEALTHY_LIFE ? failures + 1 : 0;
    const delay = failures === 0 ? 0 : Math.min(MIN_DELAY * 2 ** (failures - 1), MAX_DELAY);
    const pause = delay === 0 ? '' : ` in ${delay} ms`;
    logWarning(`The worker ${pid} has ended with ${how}; another one is started${pause}`);
    setTimeout(start, delay);
  };

  const kill = (): void => {
    isStopping = true;
    for (const worker of workers) worker.process.kill('SIGKILL');
  };

  start();
  return {
    stop() {
      isStopping = true;
      for (const worker of workers)
        if (serving.has(worker)) send(worker, STOP);
        else worker.process.kill('SIGKILL');
      if (workers.size === 0) return ended(0);
      setTimeout(() => {
        logWarning(`${workers.size} workers have not ended in time; they are killed`);
        hasFailed = true;
        kill();
      }, grace + STOP_TIME).unref();
    },
    kill,
  };
}

const STOP = 'stop';
/** Is sent to the primary, which sends it back. */
const TURN = 'turn';

/** Sends a message to a worker, unless it has ended. */
function send(worker: Worker, message: string): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/**
 * The arguments of this process behind the program. A worker that runs from a single executable has one more in front:
 * `node:cluster` passes the script that it runs.
 */
export function ownArguments(argv: readonly string[]): readonly string[] {
  // Bun and Deno have no such module, some versions of Node between 20 and 22.3 no such function.
  const sea = process.getBuiltinModule?.('node:sea') as unknown as { isSea(): boolean } | undefined;
  return argv.slice(sea?.isSea() && isWorker() ? 3 : 2);
}

/** Is this process a worker of another one? Asked only where there are several: the module takes time to load. */
export const isWorker = (): boolean => (process.getBuiltinModule('node:cluster') as unknown as Cluster).isWorker;

/** Calls back when the primary asks this worker to stop. */
export function whenAskedToStop(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}

/** Resolves when the primary has had a turn: it gives a connection that it has accepted to a worker that has none. */
export const turnOfPrimary = (): Promise<void> =>
  new Promise((resolve) => {
    process.on('message', function onMessage(message) {
      if (message !== TURN) return;
      process.off('message', onMessage);
      resolve();
    });
    process.send!(TURN);
  });
