/**
 * Adds up the metrics of the workers of `node:cluster`: whichever is asked tells the sum of all.
 *
 * The worker asks the primary, which asks every worker. What one has told last is kept when it ends, and no counter is
 * told lower than before: Prometheus takes a lower one for a start from 0.
 */
import type { Cluster, Worker } from 'node:cluster';
import { HttpProblem } from '../../index.ts';
import type { MetricFamily } from './exposition.ts';

type Families = readonly MetricFamily[];

/** What the processes send: a worker asks, the primary asks all, they tell it, and it tells the sum. */
interface Message {
  readonly metrics: 'ask' | 'tell' | 'told' | 'sum';
  readonly families?: Families;
}

/** How long the primary waits for the workers, of which one may be busy, and a worker for the primary; milliseconds. */
const PATIENCE = 1000;
const MAX_WAIT = 2 * PATIENCE;

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/**
 * Makes the primary of `node:cluster` gather the metrics of its workers, each with `metrics({ ofAllWorkers: true })`.
 * Call it before the first `cluster.fork()`. A worker that does not answer within a second, and one that has ended,
 * counts with what it has told last.
 */
export function gatherMetrics(): void {
  const cluster = process.getBuiltinModule('node:cluster') as unknown as Cluster;
  /** What each worker has told last, by its id. */
  const told = new Map<number, Families>();
  /** The counters of those that have ended. */
  let ended: Families = [];
  let sum: Families = [];
  const bounded = boundedSeries();
  const awaited = new Set<number>();
  let gathered = (): void => {};
  let gathering: Promise<void> | undefined;

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => gathered(), PATIENCE);
      gathered = () => {
        clearTimeout(timer);
        awaited.clear();
        sum = summed([ended, ...told.values()], sum);
        resolve();
      };
      for (const id of told.keys()) {
        const worker = cluster.workers?.[id];
        if (!worker?.isConnected()) continue;
        awaited.add(id);
        worker.send({ metrics: 'tell' } satisfies Message, () => {});
      }
      if (awaited.size === 0) gathered();
    });
  }

  function arrived(id: number): void {
    if (awaited.delete(id) && awaited.size === 0) gathered();
  }

  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'told') {
      told.set(worker.id, bounded(message.families!));
      arrived(worker.id);
    } else if (message.metrics === 'ask')
      void (gathering ??= gather().finally(() => {
        gathering = undefined;
      })).then(() => {
        if (worker.isConnected()) worker.send({ metrics: 'sum', families: sum } satisfies Message, () => {});
      });
  });
  function retire({ id }: Worker): void {
    ended = summed([ended, (told.get(id) ?? []).filter(isCumulative)]);
    told.delete(id);
    arrived(id);
  }
  // All that it has sent has come in by then. Of one that was killed while it was given a connection nothing may tell.
  cluster.on('disconnect', retire);
  cluster.on('exit', (worker) => setTimeout(retire, PATIENCE, worker).unref());
}

/**
 * Each worker has at most `maxSeries` series of a metric, but what ended ones have told is kept, and each new one may
 * add others. The first ones keep their names, the rest counts as `other`, as in a worker. Gauges end with the worker.
 */
function boundedSeries(): (families: Families) => Families {
  /** By metric: the labels of its series, and the names of their samples. */
  const known = new Map<string, readonly [series: Set<string>, names: Set<string>]>();
  function bounded(family: MetricFamily): MetricFamily {
    const { name, samples, maxSeries = Infinity } = family;
    if (!known.has(name)) known.set(name, [new Set(), new Set()]);
    const [series, names] = known.get(name)!;
    const counts = new Map<string, number>();
    for (const [behindName, value] of samples) {
      let told = behindName;
      if (!names.has(behindName)) {
        const labels = behindName.replace(/^\w+/, '').replace(/(?:,?\ble="[^"]*")?}$/, '');
        if (series.size < maxSeries) series.add(labels);
        if (series.has(labels)) names.add(behindName);
        else told = behindName.replace(LABEL, (all, label) => (label === 'le' ? all : `${label}="other"`));
      }
      counts.set(told, (counts.get(told) ?? 0) + value);
    }
    return { ...family, samples: [...counts] };
  }
  return (families) => families.map((family) => (isCumulative(family) ? bounded(family) : family));
}

const LABEL = /(\w+)="(?:[^"\\]|\\.)*"/g;

const isCumulative = ({ type }: MetricFamily): boolean => type !== 'gauge';

/** The families of several processes as those of one; what only goes up not below `before`. */
export function summed(processes: Iterable<Families>, before: Families = []): MetricFamily[] {
  const all = new Map<string, readonly [family: MetricFamily, samples: Map<string, number>]>();
  function take(families: Families, join: (family: MetricFamily) => (...values: number[]) => number): void {
    for (const family of families) {
      if (!all.has(family.name)) all.set(family.name, [family, new Map()]);
      const [, samples] = all.get(family.name)!;
      for (const [behindName, value] of family.samples) {
        const known = samples.get(behindName);
        samples.set(behindName, known === undefined ? value : join(family)(known, value));
      }
    }
  }
  for (const families of processes)
    take(families, ({ aggregator }) => (aggregator ? Math[aggregator] : (one, other) => one! + other!));
  // Sums of the same fractions in another order differ in their last digit.
  take(before.filter(isCumulative), () => Math.max);
  return Array.from(all.values(), ([family, samples]) => ({ ...family, samples: [...samples] }));
}

/** The side of a worker: `own` are its metrics. Throws an `Error` in a process that is no worker. */
export function toldByWorker(own: () => Families) {
  const waiting = new Set<(families: Families) => void>();
  const send = (message: Message): Promise<void> =>
    new Promise((resolve) => {
      // A primary that has ended takes nothing.
      if (process.connected) process.send!(message, undefined, undefined, () => resolve());
      else resolve();
    });
  const tell = (): Promise<void> => send({ metrics: 'told', families: own() });
  const onMessage = (message: unknown): void => {
    if (!isMessage(message)) return;
    if (message.metrics === 'tell') void tell();
    else if (message.metrics === 'sum') for (const take of waiting) take(message.families!);
  };
  return {
    async start(): Promise<void> {
      if (process.send === undefined)
        throw new Error('this process is no worker of node:cluster; leave ofAllWorkers out');
      process.on('message', onMessage);
      await tell();
    },
    /** What it has counted is told once more. */
    async stop(): Promise<void> {
      await tell();
      process.off('message', onMessage);
    },
    /** The metrics of all workers. Rejects with an `HttpProblem` of 503 where the primary does not tell them. */
    gathered(): Promise<Families> {
      return new Promise((resolve, reject) => {
        const take = (families: Families): void => {
          clearTimeout(timer);
          waiting.delete(take);
          resolve(families);
        };
        const timer = setTimeout(() => {
          waiting.delete(take);
          reject(new HttpProblem(503, 'The figures of the other processes could not be had'));
        }, MAX_WAIT);
        waiting.add(take);
        void send({ metrics: 'ask' });
      });
    },
  };
}
