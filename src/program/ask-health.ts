/**
 * Asks a running service whether it is ready, for `--health` (D32). The container image has no other HTTP client.
 *
 * With health checks on it requests `/ready`, at the admin port where there is one, else the head of the description,
 * which every service answers.
 */
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { type AdminSettings, adminPlace, type Place, socketPathOf } from './listen-place.ts';
import type { Settings } from './settings/settings.ts';

const TIMEOUT_MS = 4000;
const UNKNOWN_PORT = 'Cannot ask the service: port 0 stands for one that the system chose; give the port it listens on';

/** Whether the service is ready, and a line that says so. */
export type Health = { readonly healthy: boolean; readonly line: string };

/**
 * Asks at host and port, over loopback where the host is every address, of IPv4 too where IPv6 has no answer. Waits at
 * most four seconds. Never rejects.
 */
export async function askHealth(
  settings: Pick<Settings, keyof Place | keyof AdminSettings | 'healthChecks' | 'allowedHosts'>,
): Promise<Health> {
  const { healthChecks, allowedHosts } = settings;
  const { host, port } = (healthChecks && adminPlace(settings)) || settings;
  const socketPath = socketPathOf(host);
  if (port === 0 && socketPath === undefined) return { healthy: false, line: UNKNOWN_PORT };
  const path = healthChecks ? '/ready' : '/swagger/v1/swagger.json';
  const method = healthChecks ? 'GET' : 'HEAD';
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const [allowed] = allowedHosts;
  const headers = allowed === undefined ? {} : { Host: allowed };
  const asked = { port, path, method, headers, signal, agent: false };
  const hosts = host === '0.0.0.0' ? ['127.0.0.1'] : host === '::' ? ['::1', '127.0.0.1'] : [host];
  let line = '';
  for (const target of hosts) {
    try {
      const status = await statusOf(socketPath === undefined ? { ...asked, host: target } : { ...asked, socketPath });
      return { healthy: status === 200, line: `${method} ${path}: ${status}` };
    } catch (error) {
      const { name, code, message } = error as NodeJS.ErrnoException;
      const cause = name === 'AbortError' ? `no answer within ${TIMEOUT_MS / 1000} s` : (code ?? message);
      const place = socketPath === undefined ? `"${target}" port ${port}` : `"${target}"`;
      line = `Cannot ask the service at ${place}: ${cause}`;
      if (signal.aborted) break;
    }
  }
  return { healthy: false, line };
}

async function statusOf(asked: RequestOptions): Promise<number | undefined> {
  const [response] = (await once(request(asked).end(), 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode;
}
