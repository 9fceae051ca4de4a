/**
 * Asks a running service whether it answers, for `--health`. The container image has no other HTTP client (D32).
 *
 * If the service has health checks, requests `/health`, on the admin port if there is one. Otherwise sends a HEAD
 * request for the description, which every service answers.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { adminPlace, socketPathOf } from './listening.ts';
import type { Settings } from './settings/settings.ts';

const TIMEOUT_MS = 4000;
const UNKNOWN_PORT = 'Cannot ask the service: the port is 0; give the port that the service listens on';

/**
 * `healthy` is true if the service answers 200; `line` is a message for the operator. If the service listens on `::`, asks
 * `::1` and then `127.0.0.1`. If it listens on `0.0.0.0`, asks `127.0.0.1`. Waits at most four seconds. Never rejects.
 */
export async function askHealth(settings: Settings): Promise<{ readonly healthy: boolean; readonly line: string }> {
  const { healthChecks, allowedHosts } = settings;
  const { host, port } = (healthChecks && adminPlace(settings)) || settings;
  const socketPath = socketPathOf(host);
  if (port === 0 && socketPath === undefined) return { healthy: false, line: UNKNOWN_PORT };
  const [method, path] = healthChecks ? ['GET', '/health'] : ['HEAD', '/swagger/v1/swagger.json'];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = allowedHosts[0] === undefined ? {} : { Host: allowedHosts[0] };
  const options = { port, path, method, headers, signal, agent: false };
  const hosts = host === '0.0.0.0' ? ['127.0.0.1'] : host === '::' ? ['::1', '127.0.0.1'] : [host];
  let line = '';
  for (const target of hosts) {
    try {
      const sent = request({ ...options, ...(socketPath === undefined ? { host: target } : { socketPath }) }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.destroy();
      return { healthy: response.statusCode === 200, line: `${method} ${path}: ${response.statusCode}` };
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
