/** Simulates clients that use the list as programs do and check the status of each reply. */
import { http1Client, http2Client, type Reply, type SecureClient } from './secure-client.ts';

/** The results. */
export interface Account {
  asked: number;
  /** The number of each unexpected result: `POST /api/todo: 502 for 201`. */
  readonly failed: Map<string, number>;
}

/** Half of the clients speak HTTP/2, the others HTTP/1.1. */
const CLIENTS = 4;
/** The pause between two requests of a client in milliseconds. */
const PAUSE = 20;

/** Resolves when all clients are done. Each calls `isDone` before a round of eleven requests. */
export async function mixedRequests(port: number, isDone: (account: Account) => boolean): Promise<Account> {
  const account: Account = { asked: 0, failed: new Map() };
  const told = async (
    client: SecureClient,
    status: number,
    [method, path, ...more]: Asked,
  ): Promise<Reply | undefined> => {
    await new Promise((resolve) => void setTimeout(resolve, PAUSE));
    account.asked++;
    const outcome = await client.ask(method, path, ...more).catch((error: NodeJS.ErrnoException) => error);
    if (!(outcome instanceof Error) && outcome.status === status) return outcome;
    const got = outcome instanceof Error ? (outcome.code ?? outcome.message) : outcome.status;
    const failure = `${method} ${path.replace(/[^/]{36}$/, '{id}')}: ${got} for ${status}`;
    account.failed.set(failure, (account.failed.get(failure) ?? 0) + 1);
    return undefined;
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, number) => {
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
