/**
 * Starts services for a test on free ports and stops them after the test.
 *
 * The whole service always checks each reply against its declaration. A line on standard error fails the test unless
 * the test takes it from `logged`: for example, a reply that does not match, or an error of a handler.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { application } from '../../src/core/application/application.ts';
import type { Plugin } from '../../src/core/application/plugin.ts';
import type { Handler } from '../../src/core/http/context.ts';
import type { Limits } from '../../src/core/http/limits.ts';
import type { ListenerOptions, Servable } from '../../src/core/server/served.ts';
import { HttpService } from '../../src/core/server/service.ts';
import { type App, app } from '../../src/service/app.ts';
import { readSettings, type Settings } from '../../src/service/settings/settings.ts';
import { Client, destroyClients } from './ask.ts';
import { assertTold, logged, takeMessages } from './logged.ts';

export { assertTold, logged, takeMessages };

/** Other test files in the same process cause these lines, a minute later or by simulated time. */
const OF_OTHERS = /has not been reached for a minute|MockTimers API is an experimental feature/;

console.error = (...words: unknown[]): void => {
  const line = words.map(String).join(' ');
  if (!OF_OTHERS.test(line)) logged.push(line);
};

const VERIFIED = fileURLToPath(new URL('verified.ts', import.meta.url));

/** A listening service. `client` is a connection to it that opens at the first access. */
export interface Served {
  readonly port: number;
  readonly service: HttpService;
  readonly client: Client;
}

function servedAt(port: number, service: HttpService): Served {
  let client: Client | undefined;
  return {
    port,
    service,
    get client() {
      client ??= new Client(port);
      return client;
    },
  };
}

/** Starts the whole service. These settings and limits replace the defaults. */
export async function serve(
  t: Pick<TestContext, 'after'>,
  settings: Partial<Omit<Settings, 'port' | 'host'> & Omit<Limits, keyof Settings>> = {},
): Promise<Served & App> {
  const program = await app({ ...readSettings([], {}), ...settings, plugin: [...(settings.plugin ?? []), VERIFIED] });
  await program.application.start();
  const { port } = await program.service.listen(0);
  t.after(async () => {
    destroyClients(port);
    await program.service.close(0);
    await program.application.stop();
    assert.deepEqual(logged.splice(0), [], 'the service wrote to standard error');
  });
  return Object.assign(servedAt(port, program.service), program);
}

/** Serves a handler behind request validation only. */
export async function serveHandler(
  t: Pick<TestContext, 'after'>,
  handler: Handler,
  { limits, ...options }: ListenerOptions & Omit<Servable, 'handler'> = {},
): Promise<Served> {
  return serveService(t, new HttpService({ handler, ...options }, { limits }));
}

/** Serves the application of these plugins. */
export const servePlugins = (
  t: Pick<TestContext, 'after'>,
  plugins: readonly Plugin[],
  options?: Parameters<typeof serveHandler>[2],
): Promise<Served> => {
  const { handler, refuse } = application(plugins, { log: options?.log });
  return serveHandler(t, handler, { refuse, ...options });
};

/** Starts a Node server with this listener until the test ends, and returns its port. */
export async function serveListener(
  t: TestContext,
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<number> {
  const server = createServer(options, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    destroyClients(port);
    server.closeAllConnections();
    server.close();
  });
  return port;
}

/** Starts a service until the test ends. */
export async function serveService(t: Pick<TestContext, 'after'>, service: HttpService): Promise<Served> {
  const { port } = await service.listen(0);
  t.after(async () => {
    destroyClients(port);
    await service.close(0);
    assert.deepEqual(logged.splice(0), [], 'the service wrote to standard error');
  });
  return servedAt(port, service);
}
