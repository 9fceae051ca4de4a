/** Tells a worker apart from a process that stands alone, and lets its primary stop it. */
import type { Cluster, Worker } from 'node:cluster';

const STOP = 'stop';

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
