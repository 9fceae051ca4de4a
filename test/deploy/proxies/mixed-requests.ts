/** Simulates clients that use the list as programs do and check the status of each reply. */
import { http1Client, http2Client, type Reply, type SecureClient } from './secure-client.ts';

/** The results. */
export interface Account {
  asked: number;
  /** The number of each unexpected result: `POST /api/todo: 502 for 201`. */
  readonly failed: Map<string, number>;
}

export interface MixedOptions {
  readonly port: number;
  /** Half of them speak HTTP/2, the others HTTP/1.1. */
  readonly clients: number;
  /** The pause between two requests of a client in milliseconds. */
  readonly pause: number;
  /** Called before each round of eleven requests. */
  readonly isDone: (account: Account) => boolean;
}

/** Resolves when all clients are done. */
export async function mixedRequests({ port, clients, pause, isDone }: MixedOptions): Promise<Account> {
  const account: Account = { asked: 0, failed: new Map() };
  const told = async (
    client: SecureClient,
    status: number,
    [method, path, ...more]: Asked,
  ): Promise<Reply | undefined> => {
    if (pause > 0) await new Promise((resolve) => void setTimeout(resolve, pause));
    account.asked++;
    const outcome = await client.ask(method, path, ...more).catch((error: NodeJS.ErrnoException) => error);
    if (!(outcome instanceof Error) && outcome.status === status) return outcome;
    const got = outcome instanceof Error ? (outcome.code ?? outcome.message) : outcome.status;
    const failure = `${method} ${path.replace(/[^/]{36}$/, '{id}')}: ${got} for ${status}`;
    account.failed.set(failure, (account.failed.get(failure) ?? 0) + 1);
    return undefined;
  };
  await Promise.all(
    Array.from({ length: clients }, async (_, number) => {
      const client = number % 2 === 0 ? http2Client(port) : http1Client(port);
      while (!isDone(account)) await round((status, ...asked) => told(client, status, asked));
      client.close();
    }),
  );
  return account;
}

type Asked = Parameters<SecureClient['ask']>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LONG = 'x'.repeat(30_000);

/** Creates, reads, changes and deletes an item. `expect` returns the reply if it has this status. */
async function round(expect: (status: number, ...asked: Asked) => Promise<Reply | undefined>): Promise<void> {
  await expect(200, 'HEAD', '/swagger/ui/index.html');
  await expect(400, 'POST', '/api/todo', JSON_TYPE, '{');
  await expect(200, 'GET', '/api/todo');
  await expect(200, 'GET', '/swagger/v1/swagger.json');
  const made = await expect(201, 'POST', '/api/todo', JSON_TYPE, JSON.stringify({ name: LONG }));
  if (made === undefined) return;
  const path = String(made.headers['location']);
  const condition = { 'If-Match': String(made.headers['etag']) };
  const key = path.slice(path.lastIndexOf('/') + 1);
  await expect(304, 'GET', path, { 'If-None-Match': condition['If-Match'] });
  const changed = JSON.stringify({ key, name: 'changed' });
  await expect(204, 'PUT', path, { ...JSON_TYPE, ...condition }, changed);
  await expect(412, 'PUT', path, { ...JSON_TYPE, ...condition }, changed);
  await expect(200, 'GET', path);
  await expect(204, 'DELETE', path);
  await expect(404, 'GET', path);
}
