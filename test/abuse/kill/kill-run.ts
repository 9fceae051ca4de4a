/**
 * Kills the service, or the engine that keeps its items, again and again while clients change items: is every change
 * that was acknowledged there afterwards?
 *
 * A change without an answer, or with 503, may have been made or not, but nothing in between. A service that is killed
 * is started again. One whose engine is killed stays, refuses with 503 and recovers by itself.
 */
import { setTimeout } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { Client, type Reply } from '../client.ts';
import { random } from '../random.ts';
import { type RunningService, startService } from '../running-service.ts';
import { type StoreKind, storePlace } from '../store-place.ts';
import { type Account, emptyAccount } from './account.ts';
import { BusyClient } from './busy-client.ts';
import { compare } from './compare.ts';

const SEED = 5;
const CLIENTS = 8;
/** Milliseconds of work before a kill. */
const LEAST_WORK = 20;
const MOST_WORK = 400;
/** Milliseconds in which the service must refuse, and in which it must have recovered. */
const PATIENCE = 15_000;
/** With so many differences behind it, a run is worth no more. */
const MOST_DIFFERENCES = 20;

/** The account of the run. Rejects where a service does not start again, or does not refuse, or does not recover. */
export async function killRun(store: StoreKind, kill: 'service' | 'engine', times: number): Promise<Account> {
  const account = emptyAccount();
  const chance = random(SEED);
  const clients = Array.from({ length: CLIENTS }, (_, at) => new BusyClient(at, random(SEED + 1 + at), account));
  const place = await storePlace(store);
  let service = await startService(place.start);
  const pause = () => setTimeout(LEAST_WORK + chance.below(MOST_WORK - LEAST_WORK));

  async function killService(): Promise<void> {
    let isKilled = false;
    const { port } = service;
    const work = Promise.all(
      clients.map((client) => client.work({ port, isKilled: () => isKilled, isStopped: () => false })),
    );
    await pause();
    isKilled = true;
    await service.stop('SIGKILL');
    await work;
    service = await startService(place.start);
  }

  async function killEngine(): Promise<void> {
    let isStopped = false;
    const { port } = service;
    const work = Promise.all(
      clients.map((client) => client.work({ port, isKilled: () => false, isStopped: () => isStopped })),
    );
    try {
      await pause();
      const refused = clients.map((client) => client.refused);
      await place.engine!.kill();
      await until(() => clients.every((one, at) => one.refused > refused[at]!), 'every client gets a 503', PATIENCE);
      await place.engine!.restart();
      const done = clients.map((client) => client.done);
      await until(() => clients.every((one, at) => one.done > done[at]!), 'every client gets on with it', PATIENCE);
    } finally {
      isStopped = true;
      await work;
    }
  }

  try {
    const first = await firstItem(service.port);
    while (account.kills < times && account.differences.length < MOST_DIFFERENCES) {
      await (kill === 'service' ? killService() : killEngine());
      account.kills++;
      await compare({ port: service.port, clients, first, isCounted: store === 'file', chance, account });
      account.differences.push(...faultsOfProcess(service));
    }
    return account;
  } finally {
    await service.stop('SIGKILL');
    await place.remove();
  }
}

/** The one item that a new store has. */
export async function firstItem(port: number): Promise<Reply> {
  const client = new Client(port);
  const { text } = await client.send('GET', '/api/todo');
  const [{ key }] = JSON.parse(text) as [{ readonly key: string }];
  const first = await client.send('GET', `/api/todo/${key}`);
  client.close();
  return first;
}

function faultsOfProcess({ child, errors }: RunningService): string[] {
  const log = errors();
  return [
    ...(child.exitCode === null && child.signalCode === null ? [] : [`the service has ended: ${child.exitCode}`]),
    ...(log.includes('"level":"error"') ? [`log: ${log.slice(-2000)}`] : []),
  ];
}
