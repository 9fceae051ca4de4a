/**
 * A service under the load of a day in small, while faults are injected one after the other.
 *
 * A round: clients work, a fault is injected, the service recovers, the clients rest, and everything that was
 * acknowledged is read back.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/until.ts';
import { listItems, removeItem } from '../items.ts';
import { compare } from '../kill/compare.ts';
import { firstItem } from '../kill/kill-run.ts';
import { metric } from '../metric.ts';
import { random } from '../random.ts';
import { startService } from '../running-service.ts';
import type { StorePlace } from '../store-place.ts';
import { Clients } from './clients.ts';
import type { SoakFigures } from './figures.ts';
import { descriptorsOf, INJECTIONS, type Injection, isWell, PATIENCE } from './injections.ts';

const FLAGS = [
  // So short that who waits for the end of a connection is soon done.
  ...['--request-timeout', '2s', '--idle-timeout', '3s'],
  ...['--write-timeout', '3s', '--shutdown-grace', '2s'],
  ...['--health-checks', 'on', '--plugin', fileURLToPath(new URL('../faults/event-stream.js', import.meta.url))],
];
/** Milliseconds of work before a fault. */
const WORK = 4000;
/** With so much wrong, a run is worth no more. */
const MOST_WRONG = 20;
const VISITORS = 12;

/** With `kills`, the processes of the service may be ended. Memory can only be judged where they are not. */
export async function soak(place: StorePlace, seed: number, minutes: number, kills: boolean): Promise<SoakFigures> {
  const end = performance.now() + minutes * 60_000;
  const flags = [...place.start.flags!, ...FLAGS];
  const isShared = flags.some((flag) => /^rediss?:/.test(flag));
  // A young generation of the usual size can hide more than a soak of minutes could show.
  const start = { ...place.start, flags, node: ['--max-semi-space-size=2'] };
  let service = await startService(start);
  const { port } = service;
  const clients = new Clients(port, seed);
  const { account, busy } = clients;
  const soaked = {
    place,
    get service() {
      return service;
    },
    async restart(signal: NodeJS.Signals) {
      await stop(signal);
      service = await startService({ ...start, port });
    },
  };
  const injections = INJECTIONS.filter((injection) => (kills || !injection.kills) && injection.fits(soaked));
  const figures = { injected: 0, recovered: 0, delay: 0, open: 0, openAtEnd: 0, mostOpen: 0 };
  const memory: { at: number; memory: number }[] = [];
  const leaving = new AbortController();
  setMaxListeners(VISITORS + 1, leaving.signal);

  const descriptors = (): number => descriptorsOf(service.child.pid!);

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const { code } = await service.stop(signal);
    if (signal === 'SIGTERM' && code !== 0) clients.wrong(`the service has stopped with ${code}`);
    judgeLog();
  }

  const logged = new Set<string>();
  function judgeLog(): void {
    const errors = service
      .errors()
      .split('\n')
      .filter((line) => line.includes('"level":"error"') && !logged.has(line));
    for (const line of errors) clients.wrong(`log: ${line}`);
    for (const line of errors) logged.add(line);
  }

  /** Rejects when clients that are to rest still wait for an answer. */
  async function hung(): Promise<never> {
    await setTimeout(PATIENCE, undefined, { ref: false });
    throw new Error('requests are not answered');
  }

  async function round(injection: Injection): Promise<void> {
    const rest = await clients.work();
    await setTimeout(WORK);
    clients.fault = injection;
    figures.injected++;
    await injection.inject(soaked);
    await until(() => isWell(port), 'the service has recovered', PATIENCE);
    figures.recovered++;
    await Promise.race([rest(), hung()]);
    judgeLog();
    clients.fault = undefined;
    // What busy clients have not created would be in the way of the comparison.
    for (const { key, name } of await listItems(port))
      if (name === null || !/^(?:\d+\.\d+ |Item1$)/.test(name)) await removeItem(port, key);
    const chance = random(seed + figures.injected);
    await compare({ port, clients: busy, first, isCounted: !isShared, chance, account });
  }

  const allLeft = () => until(async () => (await metric(port, 'http_connections')) <= 1, 'clients have left', PATIENCE);

  async function watch(): Promise<void> {
    while (!leaving.signal.aborted) {
      await setTimeout(1000, undefined, { signal: leaving.signal }).catch(() => {});
      const used = service.memory();
      if (used > 0) memory.push({ at: performance.now(), memory: used });
      figures.mostOpen = Math.max(figures.mostOpen, descriptors());
      const delay = metric(port, 'nodejs_eventloop_lag_max_seconds').catch(() => 0);
      if (clients.fault === undefined) figures.delay = Math.max(figures.delay, (await delay) * 1000);
    }
  }

  const first = await firstItem(port);
  let apart: Promise<unknown> = Promise.resolve();
  try {
    for (let at = 0; performance.now() < end && account.differences.length < MOST_WRONG; at++) {
      await round(injections[at % injections.length]!);
      if (at > 0) continue;
      await allLeft();
      figures.open = descriptors();
      apart = Promise.all([
        watch(),
        ...Array.from({ length: VISITORS }, (_, number) => clients.visit(number, leaving.signal)),
      ]);
    }
    leaving.abort();
    await apart;
    await allLeft();
    await until(() => descriptors() <= figures.open, 'descriptors are closed', PATIENCE).catch(() => {});
    figures.openAtEnd = descriptors();
    await stop('SIGTERM');
  } catch (error) {
    clients.wrong(String(error));
  } finally {
    leaving.abort();
    await service.stop('SIGKILL');
  }
  const { requests, explained, longest } = clients;
  const { operations, lost, differences: wrong } = account;
  return { ...figures, requests: requests + operations, explained, longest, lost, memory, wrong };
}
