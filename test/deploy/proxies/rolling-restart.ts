/** Two instances with the same items, restarted one after the other behind a proxy under load. */
import { type RunningService, startService } from '../../abuse/running-service.ts';
import { ask } from '../../support/ask.ts';
import { CLIENT_FOLDER, startEngine } from '../../support/lasting-stores.ts';
import { until } from '../../support/until.ts';
import { type Account, mixedRequests } from './mixed-requests.ts';
import { type ProxyName, startProxy } from './running-proxy.ts';

/** The time after which each proxy of this folder has noticed that `/ready` is 503. */
const DRAIN_DELAY = '3s';

/** Sends at least this number of requests, and more until the restarts end. */
export async function rollingRestart(
  proxy: ProxyName,
  requests: number,
): Promise<Account & { readonly codes: readonly (number | null)[] }> {
  const engine = await startEngine('redis-server', '--appendonly', 'no');
  const running = new Set<{ stop(): Promise<unknown> }>([engine]);
  const url = engine.url();
  const start = async (port = 0): Promise<RunningService> => {
    const flags = ['--store', url, '--health-checks', 'on', '--metrics', 'on', '--drain-delay', DRAIN_DELAY];
    const service = await startService({ port, flags, env: { NODE_PATH: CLIENT_FOLDER } });
    running.add(service);
    return service;
  };
  /** True if the proxy has forwarded requests of the load to it. */
  const isUsed = async (port: number): Promise<boolean> =>
    /^http_requests_total\{.* [1-9]/m.test((await ask(port, { target: '/metrics' })).text);
  try {
    const instances = [await start(), await start()] as const;
    const [one, two] = instances;
    const front = await startProxy(proxy, [one.port, two.port]);
    running.add(front);
    let isRestarted = false;
    const isDone = ({ asked }: { readonly asked: number }) => isRestarted && asked >= requests;
    const load = mixedRequests(front.port, isDone);
    const codes: (number | null)[] = [];
    const restart = async (): Promise<void> => {
      await until(() => isUsed(two.port), 'both instances are used', 20_000);
      for (const instance of instances) {
        codes.push((await instance.stop()).code);
        running.delete(instance);
        const again = await start(instance.port);
        await until(() => isUsed(again.port), 'the new instance is used', 20_000);
      }
    };
    const [account] = await Promise.all([
      load,
      restart().finally(() => {
        isRestarted = true;
      }),
    ]);
    return { ...account, codes };
  } finally {
    await Promise.all([...running].map((one) => one.stop()));
  }
}
