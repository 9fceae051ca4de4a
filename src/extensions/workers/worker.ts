/** Tells a worker apart from a process that stands alone, and lets its primary stop it. */
import type { Cluster, Worker } from 'node:cluster';

const STOP = 'stop';
/** Is sent to the primary, which sends it back. */
const TURN = 'turn';

/** What the types of Node 20 do not have. */
interface SingleExecutable {
  isSea(): boolean;
}

/**
 * The arguments of this process behind the program. A worker that runs from a single executable has one more in front:
 * `node:cluster` passes the script that it runs.
 */
export function ownArguments(argv: readonly string[]): readonly string[] {
  // Bun and Deno have no such module, some versions of Node between 20 and 22.3 no such function.
  const sea = process.getBuiltinModule?.('node:sea') as unknown as SingleExecutable | undefined;
  return argv.slice(sea?.isSea() && isWorker() ? 3 : 2);
}

/** Is this process a worker of another one? Asked only where there are several: the module takes time to load. */
export const isWorker = (): boolean => (process.getBuiltinModule('node:cluster') as unknown as Cluster).isWorker;

/** Asks a worker to end gracefully; one that has ended is not asked. */
export function askToStop(worker: Worker): void {
  if (worker.isConnected()) worker.send(STOP, () => {});
}

/** Calls back when the primary asks this worker to stop. */
export function whenAskedToStop(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}

/** Sends the turns of a worker back to it, in the order of the connections that it is given. */
export function answerTurns(worker: Worker): void {
  worker.on('message', (message) => {
    if (message === TURN && worker.isConnected()) worker.send(TURN, () => {});
  });
}

/** Resolves when the primary has had a turn: it gives a connection that it has accepted to a worker that has none. */
export const turnOfPrimary = (): Promise<void> =>
  new Promise((resolve) => {
    const onMessage = (message: unknown): void => {
      if (message !== TURN) return;
      process.off('message', onMessage);
      resolve();
    };
    process.on('message', onMessage);
    process.send!(TURN);
  });
