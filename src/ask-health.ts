/**
 * `--health`: asks a running service whether it can serve, for supervisors that have no curl – the image has none (D32).
 *
 * It asks `/ready` when the settings switch that on, else for the head of the description, which every service answers.
 */
import { request } from 'node:http';
import type { Settings } from './settings/settings.ts';

const PATIENCE = 4000;
const UNKNOWN_PORT = 'Cannot ask the service: port 0 stands for one that the system chose; give the port it listens on';

/** Whether the service answered well, and one line that says so. */
export interface Health {
  readonly healthy: boolean;
  readonly line: string;
}

/**
 * Asks at the configured port, on loopback where the service listens on every address. Waits four seconds at most. Never rejects.
 */
export async function askHealth(settings: Pick<Settings, 'host' | 'port' | 'healthChecks'>): Promise<Health> {
  const host = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[settings.host] ?? settings.host;
  const path = settings.healthChecks ? '/ready' : '/swagger/v1/swagger.json',
    method = settings.healthChecks ? 'GET' : 'HEAD';
  if (settings.port === 0) return { healthy: false, line: UNKNOWN_PORT };
  return new Promise((resolve) => {
    const asked = request(
      { host, port: settings.port, path, method, agent: false, signal: AbortSignal.timeout(PATIENCE) },
      (answer) => {
        const healthy = answer.statusCode === 200;
        answer.destroy();
        resolve({ healthy, line: `${method} ${path}: ${answer.statusCode}` });
      },
    );
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const cause =
        error.name === 'AbortError' ? `no answer within ${PATIENCE / 1000} s` : (error.code ?? error.message);
      resolve({ healthy: false, line: `Cannot ask the service at "${host}" port ${settings.port}: ${cause}` });
    });
    asked.end();
  });
}
