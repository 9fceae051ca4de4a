/** Reads everything back after a kill, and compares it with what the clients were told. */
import { Client, type Reply } from '../client.ts';
import { metric } from '../metric.ts';
import type { Random } from '../random.ts';
import type { Account } from './account.ts';
import type { BusyClient } from './busy-client.ts';
import { ABSENT, type KnownItem } from './known-item.ts';

const AT = '/api/todo';
/** Items of each client whose tags are tried. */
const TRIED = 3;

interface Row {
  readonly key: string;
  readonly name: string;
}

/** What was asked of the service that listens on `port`. */
export interface Comparison {
  readonly port: number;
  readonly clients: readonly BusyClient[];
  /** The answer to a GET of the first item, which nobody changes. */
  readonly first: Reply;
  /** Does the service have a figure of its items? It has none of a list that others may change. */
  readonly isCounted: boolean;
  readonly chance: Random;
  readonly account: Account;
}

export async function compare({ port, clients, first, isCounted, chance, account }: Comparison): Promise<void> {
  const client = new Client(port);
  const wrong = (what: string): void => void account.differences.push(what);
  const list = await client.send('GET', AT);
  if (list.status !== 200) return wrong(`the list is answered with ${list.status} ${list.text.slice(0, 300)}`);
  const rows = JSON.parse(list.text) as readonly Row[];
  const replies = new Map<string, Reply>();
  for (const { key } of rows) {
    if (replies.has(key)) wrong(`${key} is in the list twice`);
    replies.set(key, await client.send('GET', `${AT}/${key}`));
  }
  if (list.text !== `[${rows.map(({ key }) => replies.get(key)!.text).join(',')}]`)
    wrong('the list and its items are not the same bytes');

  const counted = isCounted ? await metric(port, 'todo_store_items') : rows.length;
  if (counted !== rows.length) wrong(`${counted} items are counted, ${rows.length} are listed`);

  const seeded = rows.filter(({ name }) => name === 'Item1').map(({ key }) => replies.get(key)!);
  if (seeded.length !== 1 || seeded[0]!.text !== first.text || seeded[0]!.etag !== first.etag)
    wrong(`the first item was ${first.text} ${first.etag}, is ${seeded.map(({ text, etag }) => `${text} ${etag}`)}`);
  if (rows[0]?.name !== 'Item1') wrong('the first item does not come first');

  const owned = new Map<string, KnownItem>();
  for (const { items } of clients) for (const item of items) if (item.key !== undefined) owned.set(item.key, item);
  const nameless = rows.filter(({ key, name }) => !owned.has(key) && name !== 'Item1');
  for (const one of clients) {
    for (const item of one.items) {
      if (!item.isCertain) account.uncertain++;
      if (item.key === undefined) adopt(item, nameless);
      if (item.key === undefined) continue;
      owned.set(item.key, item);
      const listed = replies.get(item.key);
      const possible = item.states;
      const fault = item.found(listed ?? (await client.send('GET', `${AT}/${item.key}`)));
      if (fault !== undefined) {
        account.lost++;
        wrong(`client ${one.number}: ${fault}`);
      } else if (possible.findIndex(({ value }) => value === item.acknowledged.value) > 0) account.made++;
      if (!item.isGone && listed === undefined) wrong(`${item.key} is not in the list`);
    }
    for (const key of one.gone.splice(0)) {
      const { status } = await client.send('GET', `${AT}/${key}`);
      if (status === 404) continue;
      account.lost++;
      wrong(`${key} was deleted, and is answered with ${status}`);
    }
    one.dropGone();
    one.gone.length = 0;
    const numbers = rows.flatMap(({ key }) => one.items.filter((item) => item.key === key)).map(({ number }) => number);
    if (numbers.some((number, at) => at > 0 && number <= numbers[at - 1]!))
      wrong(`client ${one.number} created in the order of the numbers, the list has ${numbers.join()}`);
  }
  for (const { key, name } of nameless)
    if (!owned.has(key)) wrong(`${key} is in the list and nobody has created it: ${name.slice(0, 100)}`);

  for (const one of clients)
    for (let count = 0; count < TRIED && one.items.length > 0; count++)
      await one.tryTags(client, chance.pick(one.items));
  client.close();
}

/** Gives an item without an answer the key under which it is found. It is gone where it is not. */
function adopt(item: KnownItem, rows: readonly Row[]): void {
  const value = item.states.find((state) => state.value !== undefined)!.value!;
  item.key = rows.find(({ name }) => name === value.name)?.key;
  if (item.key === undefined) item.settle(ABSENT);
}
