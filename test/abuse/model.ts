/**
 * The service against a model of itself: many clients change the same items at once, and nothing that was confirmed may
 * be lost.
 *
 * Each item is a counter in its name. A client reads it, adds one and writes it back under If-Match: 204 means that the
 * model counts too, 412 that another was faster. At the end every counter must say how often it was confirmed, and the
 * list be what was created and not deleted, in the order of creation.
 */
import { Client, type Reply } from './client.ts';
import { listItems } from './items.ts';
import { type Random, random } from './random.ts';

export interface ModelOptions {
  readonly port: number;
  /** Of further processes that have the same items; the clients are spread over all. */
  readonly otherPorts?: readonly number[];
  readonly seed: number;
  readonly clients: number;
  /** For each client. */
  readonly operations: number;
}

/** What the model knows of an item. `deleted` from the moment that a deletion is sent. */
interface Known {
  readonly key: string;
  confirmed: number;
  deleted: boolean;
  removals: number;
}

const AT = '/api/todo';

/**
 * The items that were there before must be left alone. Rejects when an answer does not come. Returns the differences
 * between service and model, none when all is well.
 */
export async function modelRun({ port, otherPorts = [], seed, clients, operations }: ModelOptions) {
  const before = (await listItems(port)).map(({ key }) => key);
  const items: Known[] = [];
  const differences: string[] = [];
  let conflicts = 0;
  let done = 0;
  const expect = (reply: Reply, what: string, ...statuses: number[]): void => {
    if (!statuses.includes(reply.status)) differences.push(`${what}: ${reply.status} ${reply.text.slice(0, 200)}`);
  };

  async function create(client: Client): Promise<void> {
    const reply = await client.send('POST', AT, { name: '0', key: 'ignored' });
    expect(reply, 'create', 201);
    if (reply.status === 201)
      items.push({ key: (JSON.parse(reply.text) as { key: string }).key, confirmed: 0, deleted: false, removals: 0 });
  }

  async function increase(client: Client, item: Known, method: 'PUT' | 'PATCH'): Promise<void> {
    const path = `${AT}/${item.key}`;
    const read = await client.send('GET', path);
    expect(read, 'read', 200, ...(item.deleted ? [404] : []));
    if (read.status !== 200) return;
    const { name } = JSON.parse(read.text) as { name: string };
    const reply = await client.send(
      method,
      path,
      { key: item.key, name: String(Number(name) + 1) },
      { 'If-Match': read.etag! },
    );
    expect(reply, method, 204, 412, ...(item.deleted ? [404] : []));
    if (reply.status === 204) item.confirmed++;
    if (reply.status === 412) conflicts++;
  }

  async function remove(client: Client, item: Known): Promise<void> {
    item.deleted = true;
    const reply = await client.send('DELETE', `${AT}/${item.key}`);
    expect(reply, 'delete', 204, 404);
    if (reply.status === 204) item.removals++;
  }

  async function work(at: number, chance: Random): Promise<void> {
    const client = new Client(at);
    for (let count = 0; count < operations; count++, done++) {
      const kind = chance.below(20);
      const item = items.length === 0 ? undefined : items[Math.max(0, items.length - 1 - chance.below(12))]!;
      if (item === undefined || kind < 3) await create(client);
      else if (kind === 3) await remove(client, item);
      else if (kind === 4) expect(await client.send('GET', AT), 'list', 200);
      else await increase(client, item, kind < 12 ? 'PUT' : 'PATCH');
    }
    client.close();
  }

  const ports = [port, ...otherPorts];
  await Promise.all(
    Array.from({ length: clients }, (_, number) => work(ports[number % ports.length]!, random(seed * 7919 + number))),
  );
  for (const one of ports) differences.push(...(await compare(one, before, items)));
  return { operations: done, conflicts, differences };
}

/**
 * Answers to two creations may overtake each other, so the order is judged by the service's own words: kept as first
 * seen.
 */
async function compare(port: number, before: readonly string[], items: readonly Known[]): Promise<string[]> {
  const list = await listItems(port);
  const known = new Map(items.map((item) => [item.key, item]));
  const differences: string[] = [];
  if (before.some((key, index) => list[index]?.key !== key))
    differences.push('the items that were there before do not come first');
  for (const { key, name } of list.slice(before.length)) {
    const item = known.get(key);
    known.delete(key);
    if (item === undefined) differences.push(`${key} is in the list and was never created`);
    else if (item.deleted) differences.push(`${key} is in the list and was deleted`);
    else if (Number(name) !== item.confirmed)
      differences.push(`${key} says ${name}, ${item.confirmed} changes were confirmed`);
  }
  for (const item of items)
    if (item.deleted && item.removals !== 1) differences.push(`${item.key} was deleted ${item.removals} times`);
  for (const item of known.values()) if (!item.deleted) differences.push(`${item.key} is lost`);
  return differences;
}
