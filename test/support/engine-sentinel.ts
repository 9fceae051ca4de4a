/** Starts a sentinel on this machine. It decides alone that its master is down. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Engine, freePort } from './lasting-stores.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

export interface RunningSentinel {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a sentinel for the master on this port, and waits until it knows the master's replica. */
export async function startSentinel(engine: Engine, master: number): Promise<RunningSentinel> {
  const port = await freePort();
  const file = join(
    temporaryFolder({
      'sentinel.conf': `port ${port}
bind 127.0.0.1
sentinel monitor mymaster 127.0.0.1 ${master} 1
sentinel down-after-milliseconds mymaster 500
sentinel failover-timeout mymaster 1000
`,
    }),
    'sentinel.conf',
  );
  const child = spawn(engine, [file, '--sentinel'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const knowsReplica = (): boolean =>
    spawnSync('redis-cli', ['-p', String(port), 'SENTINEL', 'REPLICAS', 'mymaster'], {
      encoding: 'utf8',
    }).stdout.includes('slave');
  await until(knowsReplica, 'the sentinel knows the replica', 20_000, 100);
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
