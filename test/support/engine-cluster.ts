/** Starts a cluster of engines on this machine: only masters, each with a part of the slots. */
import { type Engine, freePort, type RunningEngine, startEngine } from './lasting-stores.ts';
import { until } from './until.ts';

export interface EngineCluster {
  readonly nodes: readonly RunningEngine[];
  /** Returns `redis-cluster://127.0.0.1:PORT/0?list=NAME` with these nodes, or with the first node. */
  url(list: string, ...nodes: readonly RunningEngine[]): string;
  /** Returns the node with the slot of a list. */
  ownerOf(list: string): RunningEngine;
  /** Resolves when each of these nodes accepts commands. */
  settled(nodes?: readonly RunningEngine[]): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;
/** The pause between two checks in milliseconds. Each check starts a process. */
const PAUSE = 100;

/** Starts this number of masters. A master still serves its slots when others have stopped. */
export async function startCluster(engine: Engine, masters: number, ...options: string[]): Promise<EngineCluster> {
  const buses = await Promise.all(Array.from({ length: masters }, () => freePort()));
  const always = [
    '--cluster-enabled',
    'yes',
    '--cluster-require-full-coverage',
    'no',
    '--cluster-node-timeout',
    '1000',
  ];
  const nodes = await Promise.all(
    buses.map((bus) => startEngine(engine, ...always, '--cluster-port', String(bus), ...options)),
  );
  const firstSlot = (at: number): number => Math.floor((SLOTS * at) / masters);
  for (const [at, node] of nodes.entries()) {
    node.command('CLUSTER', 'ADDSLOTSRANGE', String(firstSlot(at)), String(firstSlot(at + 1) - 1));
    node.command('CLUSTER', 'MEET', '127.0.0.1', String(nodes[0]!.port), String(buses[0]));
  }
  const settled = async (alive = nodes): Promise<void> => {
    const isSettled = (node: RunningEngine): boolean => {
      const info = node.command('CLUSTER', 'INFO');
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${masters}`);
    };
    await until(() => alive.every(isSettled), 'the cluster is whole', 20_000, PAUSE);
  };
  await settled();
  const covers = (node: RunningEngine): boolean => node.command('CLUSTER', 'INFO').includes(`slots_assigned:${SLOTS}`);
  await until(() => nodes.every(covers), 'each node knows all slots', 20_000, PAUSE);
  return {
    nodes,
    url: (list, ...named) => {
      const hosts = (named.length > 0 ? named : nodes.slice(0, 1)).map(({ port }) => `127.0.0.1:${port}`);
      return `redis-cluster://${hosts}/0?list=${list}`;
    },
    ownerOf(list) {
      const slot = Number(nodes[0]!.command('CLUSTER', 'KEYSLOT', `{${list}}`));
      return nodes.findLast((_, at) => firstSlot(at) <= slot)!;
    },
    settled,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
