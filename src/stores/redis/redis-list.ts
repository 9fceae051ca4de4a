/** Reads and changes the three keys of a list, as they are stored: scripts, pages, and the format that they have. */
import type { PageSize } from '../list-pages.ts';
import { StoreError } from '../store-error.ts';
import type { RedisConnection } from './redis-connection.ts';
import { messageOf, replyCode } from './redis-fault.ts';
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
  readonly last: number;
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
  async open(): Promise<void> {
    if (this.#connection.isOpen) return;
    await this.#connection.open();
    try {
      await this.#assertOwn();
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** The format of the list; null for one that has never been changed. */
  async format(): Promise<unknown> {
    const { list } = this.#location.keys;
    return this.#connection.send(list, ['HGET', list, 'format']);
  }

  async get(key: string): Promise<StoredItem | undefined> {
    const { items } = this.#location.keys;
    const stored = await this.#connection.send(items, ['HGET', items, key]);
    return stored === null || stored === undefined ? undefined : storedItem(key, String(stored));
  }

  /** The items behind a position. Undefined where the list still has the `known` version. */
  async page(after: number, { items: most, characters }: PageSize, known = ''): Promise<StoredPage | undefined> {
    const words = [known, String(after), String(most), String(characters)];
    const [version, isEnd, last, ...found] = (await this.run(scripts.page, ...words)) as (string | number)[];
    if (isEnd === undefined) return undefined;
    const items: StoredItem[] = [];
    for (let at = 0; at < found.length; at += 2) items.push(storedItem(String(found[at]), String(found[at + 1])));
    return { version: String(version), items, last: Number(last), isEnd: isEnd === 1 };
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

  async #assertOwn(): Promise<void> {
    const { keys, what } = this.#location;
    let format: unknown;
    try {
      format = await this.format();
    } catch (error) {
      if (replyCode(error) !== 'WRONGTYPE')
        throw new StoreError(what, `it does not answer (${messageOf(error)})`, 1, error);
      const cause = `the key "${keys.list}" is of another program; name another list, ?list=NAME`;
      throw new StoreError(what, cause, 2, error);
    }
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
