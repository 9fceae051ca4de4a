/** A client that changes items of its own, and keeps account of what it was answered. */
import { setTimeout } from 'node:timers/promises';
import { Client, type Reply } from '../client.ts';
import type { Random } from '../random.ts';
import { faultsOf } from '../rules.ts';
import type { Account } from './account.ts';
import { ABSENT, KnownItem, textOf, type Value } from './known-item.ts';

const AT = '/api/todo';
const MOST_ITEMS = 20;
const LONGEST_NAME = 12_000;
/** Milliseconds before the next try after a 503. A client that asks at once would only count refusals. */
const PAUSE = 20;
const LETTERS = ['a', 'Z', ' ', '"', '\\', '\n', '\u0001', '/', 'é', '✓', '😀', '\u2028'];

/** What a client must know of the world around it. */
export interface Turn {
  readonly port: number;
  /** Its connection may end without an answer. */
  isKilled(): boolean;
  isStopped(): boolean;
  /** May an answer be 503 at this moment? Always unless given. */
  mayRefuse?(): boolean;
  /** Milliseconds between two operations; none unless given. */
  readonly pace?: number;
}

export class BusyClient {
  readonly number: number;
  /** Those that are there or may be, in the order of creation. */
  items: KnownItem[] = [];
  /** Keys whose deletion was acknowledged since this was last emptied. */
  readonly gone: string[] = [];
  /** Answers of 2xx to changes, and answers of 503. */
  done = 0;
  refused = 0;
  readonly #chance: Random;
  readonly #account: Account;
  #mayRefuse = (): boolean => true;
  #created = 0;
  #named = 0;

  constructor(number: number, chance: Random, account: Account) {
    this.number = number;
    this.#chance = chance;
    this.#account = account;
  }

  /** Works until it is stopped, or until its connection ends because somebody was killed. */
  async work({ port, isKilled, isStopped, mayRefuse = () => true, pace = 0 }: Turn): Promise<void> {
    this.#mayRefuse = mayRefuse;
    const client = new Client(port);
    try {
      while (!isStopped()) {
        const refused = this.refused;
        await this.#step(client);
        this.dropGone();
        const pause = this.refused > refused ? PAUSE : pace;
        if (pause > 0) await setTimeout(pause);
      }
    } catch (error) {
      if (!isKilled()) this.#wrong(`a request was not answered: ${String(error)}`);
    } finally {
      client.close();
    }
  }

  /** Is the tag of an item still its tag, and is a former one refused? Asks for a change under each. */
  async tryTags(client: Client, item: KnownItem): Promise<void> {
    const { etag } = item.acknowledged;
    const [former] = item.formerTags;
    if (former !== undefined) {
      const { status } = await client.send('PATCH', pathOf(item), this.#value(), { 'If-Match': former });
      this.#account.tagsTried++;
      if (status !== 412) this.#wrong(`${item.key} was changed under its former tag ${former}: ${status}`);
    }
    if (etag === undefined) return;
    this.#account.tagsTried++;
    await this.#change(client, item, 'PATCH', etag);
  }

  /** Forgets the items that are certain to be gone, but for their keys. */
  dropGone(): void {
    for (const { isGone, key } of this.items) if (isGone && key !== undefined) this.gone.push(key);
    this.items = this.items.filter(({ isGone }) => !isGone);
  }

  async #step(client: Client): Promise<void> {
    const chance = this.#chance;
    const addressed = this.items.filter(({ key }) => key !== undefined);
    const kind = chance.below(20);
    if (addressed.length === 0 || (kind < 6 && this.items.length < MOST_ITEMS)) return this.#create(client);
    const item = chance.pick(addressed);
    const etag = chance.chance(0.5) ? item.acknowledged.etag : undefined;
    if (kind < 9) return this.#remove(client, item, etag);
    if (kind < 11) return this.#read(client, item);
    return this.#change(client, item, kind < 16 ? 'PUT' : 'PATCH', etag);
  }

  async #create(client: Client): Promise<void> {
    const item = new KnownItem(this.#created++);
    const value = this.#value();
    item.states = [ABSENT, { value }];
    this.items.push(item);
    const reply = await this.#ask(client, 'POST', AT, value);
    if (reply.status === 503) return;
    if (reply.status !== 201) return this.#unfit('POST', reply);
    item.key = (JSON.parse(reply.text) as { readonly key: string }).key;
    const { etag, location, text } = reply;
    if (text !== textOf(item.key, value) || location !== pathOf(item)) this.#unfit('POST', reply);
    this.#settle(item, value, etag);
  }

  async #change(client: Client, item: KnownItem, method: 'PUT' | 'PATCH', tag: string | undefined): Promise<void> {
    const value = this.#value();
    const isTold = item.isCertain;
    const before = item.states;
    item.states = [...before, { value }];
    // It is what the service will write, so that it may answer with the tag.
    const reply = await this.#ask(client, method, pathOf(item), { key: item.key, ...value }, tag);
    if (reply.status === 204) return this.#settle(item, value, reply.etag);
    if (reply.status === 503) return;
    item.states = before;
    this.#notDone(method, item, reply, tag !== undefined && !isTold);
  }

  async #remove(client: Client, item: KnownItem, tag: string | undefined): Promise<void> {
    const isTold = item.isCertain;
    const before = item.states;
    item.states = [...before, ABSENT];
    const reply = await this.#ask(client, 'DELETE', pathOf(item), undefined, tag);
    if (reply.status === 204) return item.settle(ABSENT);
    if (reply.status === 503) return;
    item.states = before;
    this.#notDone('DELETE', item, reply, tag !== undefined && !isTold);
  }

  #settle(item: KnownItem, value: Value, etag: string | undefined): void {
    const fault = item.changed({ value, etag });
    if (fault !== undefined) this.#wrong(fault);
  }

  /** A refusal of a change: right only where an earlier one without an answer has been made. */
  #notDone(method: string, item: KnownItem, reply: Reply, mayHaveChanged: boolean): void {
    if (reply.status === 412 && mayHaveChanged) item.leaveAcknowledged();
    else if (reply.status === 404 && item.mayBeAbsent) item.settle(ABSENT);
    else {
      if (reply.status === 404 || reply.status === 412) this.#account.lost++;
      this.#unfit(`${method} ${item.key}`, reply);
    }
  }

  async #read(client: Client, item: KnownItem): Promise<void> {
    const reply = await this.#send(client, 'GET', pathOf(item));
    if (reply.status === 503) return;
    const fault = item.found(reply);
    if (fault === undefined) return;
    this.#account.lost++;
    this.#wrong(fault);
  }

  async #ask(client: Client, method: string, path: string, body: unknown, tag?: string): Promise<Reply> {
    this.#account.operations++;
    const reply = await this.#send(client, method, path, body, tag === undefined ? {} : { 'If-Match': tag });
    if (reply.status < 300) this.done++;
    return reply;
  }

  /** Every answer is well-formed, and a 503 says when to try again. */
  async #send(
    client: Client,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const reply = await client.send(method, path, body, headers);
    const lines = new Map(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]));
    const faults = faultsOf({ status: reply.status, headers: lines, body: Buffer.from(reply.text) }, true);
    if (faults.length > 0) this.#wrong(`${method}: ${faults.join(', ')}: ${reply.text.slice(0, 300)}`);
    if (reply.status !== 503) return reply;
    this.refused++;
    this.#account.refused++;
    if (!this.#mayRefuse()) this.#wrong(`${method}: 503 while the store was there`);
    if (!/^[1-9]\d*$/.test(lines.get('retry-after') ?? '')) this.#wrong(`${method}: 503 without Retry-After`);
    return reply;
  }

  /** A name that no other change has, now and then so long that it takes several pages of a file. */
  #value(): Value {
    const chance = this.#chance;
    const length = chance.chance(0.1) ? chance.below(LONGEST_NAME) : chance.below(30);
    const tail = Array.from({ length }, () => chance.pick(LETTERS)).join('');
    return { name: `${this.number}.${this.#named++} ${tail}`, isComplete: chance.chance(0.5) };
  }

  #unfit(what: string, { status, etag, text }: Reply): void {
    this.#wrong(`${what} is answered with ${status}, tag ${etag}: ${text.slice(0, 300)}`);
  }

  #wrong(what: string): void {
    this.#account.differences.push(`client ${this.number}: ${what}`);
  }
}

const pathOf = ({ key }: KnownItem): string => `${AT}/${key}`;
