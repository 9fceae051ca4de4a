/**
 * Runs N processes that serve one port together (D87), by `node:cluster`. This process is the primary: it listens and
 * hands each connection to a worker in turn. It serves nothing itself, keeps the number of workers, and stops them.
 */
import type { Cluster, Worker } from 'node:cluster';
import { logWarning } from '../../extending.ts';

/** What a primary needs to know. Times are in milliseconds. */
export interface PrimaryOptions {
  readonly workers: number;
  /** The time in which a worker ends by itself once it is told to. */
  readonly grace: number;
  /** An open file descriptor that the workers write to, beside the three of every process. */
  readonly descriptor?: number | undefined;
  /** The workers listen on a socket that this process has inherited: it is closed for good once none is left. */
  readonly isInherited: boolean;
  /** Is called once, when all workers listen, with what one has told `tellListening`. */
  listening(told: unknown): void;
  /** Is called when no worker is left of those that `replace` has found. */
  replaced(): void;
  /** Is called once: 0 after a stop; the code of the first worker if it could not start. */
  ended(code: number): void;
}

/** Stops the workers. */
export interface Primary {
  /** Lets each end its requests. */
  stop(): void;
  /** Replaces those that run now, one after the other: the new one listens before the old one ends its requests. */
  replace(): void;
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
  const { workers: count, grace, isInherited, descriptor = 2, listening, replaced, ended } = options;
  const cluster = process.getBuiltinModule('node:cluster') as unknown as Cluster;
  // A worker has the descriptors of this process, and behind them the channel to it.
  const between = Array.from({ length: Math.max(descriptor - 3, 0) }, () => 'ignore' as const);
  const own = descriptor > 2 ? [...between, descriptor] : [];
  cluster.setupPrimary({ stdio: ['inherit', 'inherit', 'inherit', ...own, 'ipc'] });
  const workers = new Set<Worker>();
  /** Those that can be asked to stop. */
  const serving = new Set<Worker>();
  /** Those that are to be replaced, and the one of them whose place is being taken. */
  const outdated = new Set<Worker>();
  let leaving: Worker | undefined;
  let hasListened = false;
  let isComplete = false;
  let isStopping = false;
  let hasFailed = false;
  let failures = 0;

  const start = (isSuccessor = false): void => {
    if (isStopping) return;
    const worker = cluster.fork();
    const began = performance.now();
    workers.add(worker);
    const serves = (told: unknown): void => {
      serving.add(worker);
      if (!hasListened) for (let others = 1; others < count; others++) start();
      hasListened = true;
      if (isSuccessor) return endLeaving();
      if (isComplete || serving.size < count) return;
      isComplete = true;
      listening(told);
      if (outdated.size > 0) replaceNext();
    };
    // In the order of the connections that the worker is given.
    worker.on('message', (message) => {
      if (message === TURN) send(worker, TURN);
      else if (isListening(message)) serves(message.listening);
    });
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      outdated.delete(worker);
      const served = serving.delete(worker);
      if (isStopping) {
        hasFailed ||= served && code !== 0;
        if (workers.size === 0) ended(hasFailed ? 1 : 0);
      } else if (!hasListened || (isInherited && serving.size === 0)) {
        if (hasListened)
          logWarning('All workers have ended, and the inherited socket with them; start the service again');
        kill();
        ended(hasListened ? 1 : (code ?? 1));
      } else if (worker !== leaving) {
        const how = `The worker ${worker.process.pid} has ended with ${signal ?? `code ${code}`}`;
        if (isSuccessor && !served && endReplacing())
          logWarning(`${how} before it listened; those that it was to replace go on`);
        else restart(how, performance.now() - began);
      }
    });
  };

  const restart = (how: string, life: number): void => {
    failures = life < HEALTHY_LIFE ? failures + 1 : 0;
    const delay = failures === 0 ? 0 : Math.min(MIN_DELAY * 2 ** (failures - 1), MAX_DELAY);
    const pause = delay === 0 ? '' : ` in ${delay} ms`;
    logWarning(`${how}; another one is started${pause}`);
    setTimeout(start, delay);
  };

  /** Returns whether the one whose place was to be taken still runs. */
  const endReplacing = (): boolean => {
    const goesOn = workers.has(leaving!);
    outdated.clear();
    leaving = undefined;
    return goesOn;
  };

  /** Begins with the next one that is to be replaced, if its predecessor is gone. */
  const replaceNext = (): void => {
    if (isStopping) return;
    [leaving] = outdated;
    if (leaving === undefined) replaced();
    else start(true);
  };

  /** The one whose place is taken ends its requests, unless it has ended by itself. */
  const endLeaving = (): void => {
    if (leaving === undefined || !workers.has(leaving)) return replaceNext();
    leaving.once('exit', replaceNext);
    end(leaving, LEAVE);
  };

  const end = (worker: Worker, message: string): void => {
    if (!serving.has(worker)) return void worker.process.kill('SIGKILL');
    send(worker, message);
    setTimeout(() => {
      if (!workers.has(worker)) return;
      logWarning(`The worker ${worker.process.pid} has not ended in time; it is killed`);
      worker.process.kill('SIGKILL');
    }, grace + STOP_TIME).unref();
  };

  const kill = (): void => {
    isStopping = true;
    for (const worker of workers) worker.process.kill('SIGKILL');
  };

  start();
  return {
    stop() {
      isStopping = true;
      for (const worker of workers) end(worker, STOP);
      if (workers.size === 0) ended(0);
    },
    replace() {
      for (const worker of workers) outdated.add(worker);
      if (isComplete && leaving === undefined) replaceNext();
    },
    kill,
  };
}

const STOP = 'stop';
/** Is sent to a worker whose place another one has taken. */
const LEAVE = 'leave';
/** Is sent to the primary, which sends it back. */
const TURN = 'turn';

/** Is sent to the primary by a worker that listens. */
interface Listening {
  readonly listening: unknown;
}

const isListening = (message: unknown): message is Listening =>
  typeof message === 'object' && message !== null && 'listening' in message;

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

/** Calls back when the primary asks this worker to end: with all others, or since another one has taken its place. */
export function whenAskedToEnd({ stop, leave }: { stop(): void; leave(): void }): void {
  process.on('message', (message) => {
    if (message !== STOP && message !== LEAVE) return;
    hasSuccessor = message === LEAVE;
    if (hasSuccessor) leave();
    else stop();
  });
}

let hasSuccessor = false;

/** Has another worker taken the place of this one? */
export const isReplaced = (): boolean => hasSuccessor;

/** Tells the primary that this worker serves, and where: what JSON takes. A port of a plugin tells it nothing. */
export const tellListening = (listening: unknown): void => void process.send!({ listening } satisfies Listening);

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
