/**
 * Asks a running service whether it is ready, for `--health` (D32). The container image has no other HTTP client.
 *
 * With health checks on it requests `/ready`, else the head of the description, which every service answers.
 */
import { request } from 'node:http';
import type { Settings } from './settings/settings.ts';

const TIMEOUT_MS = 4000;
const UNKNOWN_PORT = 'Cannot ask the service: port 0 stands for one that the system chose; give the port it listens on';

/** Whether the service is ready, and a line that says so. */
export type Health = { readonly healthy: boolean; readonly line: string };

/** Asks at host and port, over loopback where the host is every address. Waits at most four seconds. Never rejects. */
export async function askHealth(settings: Pick<Settings, 'host' | 'port' | 'healthChecks'>): Promise<Health> {
  const { host, port, healthChecks } = settings;
  if (port === 0) return { healthy: false, line: UNKNOWN_PORT };
  const target = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const path = healthChecks ? '/ready' : '/swagger/v1/swagger.json';
  const method = healthChecks ? 'GET' : 'HEAD';
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve) => {
    request({ host: target, port, path, method, agent: false, signal }, (response) => {
      response.destroy();
      resolve({ healthy: response.statusCode === 200, line: `${method} ${path}: ${response.statusCode}` });
    })
      .on('error', (error: NodeJS.ErrnoException) => {
        const late = `no answer within ${TIMEOUT_MS / 1000} s`;
        const cause = error.name === 'AbortError' ? late : (error.code ?? error.message);
        resolve({ healthy: false, line: `Cannot ask the service at "${target}" port ${port}: ${cause}` });
      })
      .end();
  });
}
