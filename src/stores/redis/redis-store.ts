/**
 * Keeps items in Redis or Valkey, for any number of processes on any number of machines.
 *
 * Each change is one script, which the server runs as one step. A list that fits one page is read in one step too, and
 * is asked for again only when its version has changed.
 */
import { CollectionFull } from '../../api/collection/collection-full.ts';
import type { Store } from '../../api/collection/store.ts';
import {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from '../../api/operation/representation.ts';
import type { InferReply } from '../../api/schema/declaration/infer.ts';
import type { Schema } from '../../api/schema/declaration/schema.ts';
import type { PropertyNaming } from '../../api/schema/property-naming.ts';
import type { Version } from '../../http/headers/entity-tag.ts';
import { assertOptions } from '../../http/options/assert-options.ts';
import { FIRST_PAGE, LATER_PAGE, type Page, type PageSize, pagedList } from '../list-pages.ts';
import { StoreError } from '../store-error.ts';
import { StoredTexts } from '../stored-texts.ts';
import { storeResponses } from '../unreachable.ts';
import { versionMaker } from '../versions.ts';
import { RedisConnection } from './redis-connection.ts';
import { messageOf, replyCode } from './redis-fault.ts';
import { type RedisLocation, redisLocation } from './redis-location.ts';
import type { RedisPackage } from './redis-package.ts';
import * as scripts from './scripts.ts';

/** Where the items are, and how long an operation may take. */
export interface RedisStoreOptions {
  /** `redis://user:password@host:6379/0?list=todo`; `rediss:` for TLS. The name of the list is `todo` unless given. */
  readonly url: string;
  /** The names of properties in JSON; `camelCase` unless given. Redis has those of the schema. */
  readonly naming?: PropertyNaming;
  /** Milliseconds for one operation, 503 afterwards; 2,000 unless given. */
  readonly timeout?: number;
  /** Milliseconds in which the server must be reached at the start; 10,000 unless given, 0 for one try. */
  readonly wait?: number;
  /** Without limit unless given. */
  readonly maxItems?: number;
  /** The package `redis`, for a program that is bundled. Unless given, it is looked for. */
  readonly redis?: RedisPackage;
}

type Rows<S> = readonly InferReply<S>[];
const OPTIONS = ['url', 'naming', 'timeout', 'wait', 'maxItems', 'redis'] as const;

/**
 * The store of one list. Throws a `TypeError` for a URL that is none of Redis. `open` rejects with a `StoreError` where
 * the package `redis` is not installed or the server cannot be reached.
 *
 *     application([todo({ store: new RedisStore(todoSchema(), { url: 'redis://localhost' }) })]);
 */
export class RedisStore<S extends Schema & { readonly type: 'object' }> implements Store<InferReply<S>> {
  readonly #location: RedisLocation;
  readonly #connection: RedisConnection;
  readonly #texts: StoredTexts<S>;
  readonly #maxItems: number;
  readonly #newVersion = versionMaker();
  #list: { readonly version: string; readonly kept: Representation<Rows<S>> } | undefined;

  constructor(schema: S, options: RedisStoreOptions) {
    assertOptions('keep items in Redis', options, OPTIONS);
    const { url, naming = 'camelCase', timeout = 2000, wait = 10_000, maxItems = Number.POSITIVE_INFINITY } = options;
    this.#location = redisLocation(url);
    this.#connection = new RedisConnection(this.#location, { timeout, wait }, options.redis);
    this.#texts = new StoredTexts(schema, naming, this.#location.what);
    this.#maxItems = maxItems;
  }

  async open(): Promise<void> {
    if (this.#connection.isOpen) return;
    await this.#connection.open();
    try {
      await this.#assertOwn();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#connection.close();
    this.#list = undefined;
  }

  async check(): Promise<void> {
    const { list } = this.#location.keys;
    await this.#connection.send(list, ['HGET', list, 'format']);
  }

  readonly responses = storeResponses;

  async list(): Promise<Representation<Rows<S>> | StreamedRepresentation<Rows<S>>> {
    const known = this.#list;
    const read = await this.#page(0, FIRST_PAGE, known?.version ?? '');
    if (read === undefined) return known!.kept;
    if (!read.isEnd)
      return streamedRepresentation(() => pagedList(read, async (after) => (await this.#page(after, LATER_PAGE))!));
    const kept = representation<Rows<S>>(`[${read.texts.join(',')}]`, this.#texts.sentVersion(read.version));
    this.#list = { version: read.version, kept };
    return kept;
  }

  async get(key: string): Promise<Representation<InferReply<S>> | undefined> {
    const { items } = this.#location.keys;
    const found = await this.#connection.send(items, ['HGET', items, key]);
    if (found === null || found === undefined) return undefined;
    const [version, value] = parted(String(found));
    const sent = this.#texts.sent(key, value);
    return sent === undefined ? undefined : representation(sent, this.#texts.sentVersion(version));
  }

  async add(key: string, value: InferReply<S>): Promise<Representation<InferReply<S>>> {
    const { stored, sent } = this.#texts.written(value);
    const version = this.#newVersion();
    const most = Number.isFinite(this.#maxItems) ? this.#maxItems : 0;
    const done = await this.#run(scripts.add, key, version, stored, String(most));
    if (done === 1) return representation(sent, this.#texts.sentVersion(version));
    if (done === -1) throw new CollectionFull(`The store holds its ${most} items`);
    throw new Error(`Cannot add an item with the key "${key}": there is one`);
  }

  async replace(
    key: string,
    value: InferReply<S>,
    version?: Version,
    text?: string,
  ): Promise<Representation<InferReply<S>> | undefined> {
    const { stored, sent } = this.#texts.written(value, text);
    const next = this.#newVersion();
    const done = await this.#run(scripts.replace, key, next, stored, ...this.#asked(version));
    return done === 1 ? representation(sent, this.#texts.sentVersion(next)) : undefined;
  }

  async remove(key: string, version?: Version): Promise<boolean> {
    return (await this.#run(scripts.remove, key, this.#newVersion(), ...this.#asked(version))) === 1;
  }

  async seed(key: string, value: InferReply<S>): Promise<void> {
    await this.#run(scripts.seed, key, this.#newVersion(), this.#texts.written(value).stored);
  }

  #asked(version: Version | undefined): [isAsked: string, version: string] {
    return version === undefined ? ['0', ''] : ['1', this.#texts.storedVersion(version)];
  }

  /** Undefined where the list still has the known version. */
  async #page(after: number, size: PageSize, known = ''): Promise<(Page & { readonly version: string }) | undefined> {
    const words = [known, String(after), String(size.items), String(size.characters)];
    const [version, isEnd, last, ...found] = (await this.#run(scripts.page, ...words)) as (string | number)[];
    if (isEnd === undefined) return undefined;
    const texts: string[] = [];
    for (let at = 0; at < found.length; at += 2) {
      const sent = this.#texts.sent(String(found[at]), parted(String(found[at + 1]))[1]);
      if (sent !== undefined) texts.push(sent);
    }
    return { version: String(version), isEnd: isEnd === 1, last: Number(last), texts };
  }

  async #run({ digest, text }: scripts.Script, ...words: readonly string[]): Promise<unknown> {
    const { items, order, list } = this.#location.keys;
    const rest = ['3', items, order, list, ...words];
    try {
      return await this.#connection.send(items, ['EVALSHA', digest, ...rest]);
    } catch (error) {
      if (replyCode(error) !== 'NOSCRIPT') throw error;
      return this.#connection.send(items, ['EVAL', text, ...rest]);
    }
  }

  /** Throws for keys that hold something else, and for a newer format. */
  async #assertOwn(): Promise<void> {
    const { keys, what } = this.#location;
    let format: unknown;
    try {
      format = await this.#connection.send(keys.list, ['HGET', keys.list, 'format']);
    } catch (error) {
      if (replyCode(error) !== 'WRONGTYPE')
        throw new StoreError(what, `it does not answer (${messageOf(error)})`, 1, error);
      throw new StoreError(
        what,
        `the key "${keys.list}" is of another program; name another list, ?list=NAME`,
        2,
        error,
      );
    }
    if (Number(format ?? 0) <= Number(scripts.FORMAT)) return;
    const cause = `a newer version of this service has made it (format ${String(format)})`;
    throw new StoreError(what, `${cause}; run that version, or name another list, ?list=NAME`, 2);
  }
}

/** The version and the value of what is stored. */
function parted(stored: string): [version: string, value: string] {
  const end = stored.indexOf(' ');
  return end < 0 ? ['', ''] : [stored.slice(0, end), stored.slice(end + 1)];
}
