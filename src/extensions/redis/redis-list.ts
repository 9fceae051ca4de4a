/** Reads and changes the three keys of a list, as they are stored: scripts, pages, and the format that they have. */
import { type PageSize, type Position, StoreError } from '../collection/collection.ts';
import { type RedisConnection, startError } from './redis-connection.ts';
import { replyCode } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';
import * as scripts from './scripts.ts';

/** An item as it is stored. */
export interface StoredItem {
  readonly key: string;
  readonly version: string;
  readonly value: string;
}

/** Items that follow one another, and the version that the list had when they were read. */
export interface StoredPage {
  readonly version: string;
  readonly items: readonly StoredItem[];
  readonly last: Position;
  readonly isEnd: boolean;
}

export class RedisList {
  readonly #location: RedisLocation;
  readonly #connection: RedisConnection;

  constructor(location: RedisLocation, connection: RedisConnection) {
    this.#location = location;
    this.#connection = connection;
  }

  /** Rejects with a `StoreError` for a server that cannot be used, keys of another program and a newer format. */
  async open(isChanged = true): Promise<void> {
    if (!this.#connection.isOpen) await this.#connection.open(() => this.#assertOwn(), isChanged);
  }

  close(): void {
    this.#connection.close();
  }

  /** Rejects with 503 where items cannot be changed now. */
  async check(): Promise<void> {
    await this.#connection.check();
  }

  async get(key: string): Promise<StoredItem | undefined> {
    const { items } = this.#location.keys;
    const stored = await this.#connection.send(items, ['HGET', items, key]);
    return stored === null || stored === undefined ? undefined : storedItem(key, String(stored));
  }

  /** The items behind a position, or the first ones. Undefined where the list still has the `known` version. */
  async page(
    after: Position | undefined,
    { items: most, characters }: PageSize,
    known = '',
  ): Promise<StoredPage | undefined> {
    const from = after === undefined ? '-inf' : `(${after}`;
    const words = [known, from, String(most), String(characters)];
    const [version, isEnd, last, ...found] = (await this.run(scripts.page, ...words)) as (string | number)[];
    if (isEnd === undefined) return undefined;
    const items: StoredItem[] = [];
    for (let at = 0; at < found.length; at += 2) items.push(storedItem(String(found[at]), String(found[at + 1])));
    return { version: String(version), items, last: last!, isEnd: isEnd === 1 };
  }

  /** The reply to a script. A server that does not know it is sent its text. */
  async run(script: scripts.Script, ...words: readonly string[]): Promise<unknown> {
    const { items, order, list } = this.#location.keys;
    const rest = ['3', items, order, list, ...words];
    try {
      return await this.#connection.send(items, ['EVALSHA', script.digest, ...rest]);
    } catch (error) {
      if (replyCode(error) !== 'NOSCRIPT') throw error;
      return this.#connection.send(items, ['EVAL', script.text, ...rest]);
    }
  }

  /** Adds the first item. It is the first change of a start, so its faults are those of a start. */
  async seed(...words: readonly string[]): Promise<void> {
    const { items, order, list } = this.#location.keys;
    try {
      await this.#connection.ask(items, ['EVAL', scripts.seed.text, '3', items, order, list, ...words]);
    } catch (error) {
      throw startError(error, this.#location.what);
    }
  }

  async #assertOwn(): Promise<void> {
    const { keys, what } = this.#location;
    for (const [key, type] of [
      [keys.list, 'hash'],
      [keys.items, 'hash'],
      [keys.order, 'zset'],
    ] as const) {
      const found = String(await this.#connection.ask(key, ['TYPE', key]));
      if (found === type || found === 'none') continue;
      const cause = `the key "${key}" is of another program; name another list, ?list=NAME`;
      throw new StoreError(what, cause, 2);
    }
    const format = await this.#connection.ask(keys.list, ['HGET', keys.list, 'format']);
    if (Number(format ?? 0) <= Number(scripts.FORMAT)) return;
    const cause = `a newer version of this service has made it (format ${String(format)})`;
    throw new StoreError(what, `${cause}; run that version, or name another list, ?list=NAME`, 2);
  }
}

/** What has no space is no item of ours: it has neither version nor value. */
function storedItem(key: string, stored: string): StoredItem {
  const end = stored.indexOf(' ');
  return { key, version: stored.slice(0, Math.max(end, 0)), value: end < 0 ? '' : stored.slice(end + 1) };
}
