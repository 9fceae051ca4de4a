/**
 * Reads and changes the three keys of a list, and copies lists.
 *
 * Each change is one script, which the server runs as one atomic step, also for other processes. Its `KEYS` are the
 * items, their order and the list.
 */
import { randomBytes } from 'node:crypto';
import { CollectionFull, StoreError } from '../collection/collection.ts';
import {
  type CopiedItem,
  itemsOf,
  type Place,
  pageSize,
  type StoredItem,
  versionMaker,
} from '../collection/lasting-store.ts';
import type { RedisPackage } from './redis-client.ts';
import { type RedisConnection, type RedisTimes, redisConnection } from './redis-connection.ts';
import { startError } from './redis-fault.ts';
import { type RedisLocation, redisLocation } from './redis-location.ts';

const FORMAT = '1';

/** One call for many values saves 10 % of a list of 100 items, 20 % of one of 2,000. So many of the longest are 32 MiB. */
const VALUES_A_CALL = 32;

/** A function that the scripts use which add an item. */
const ADD = `
local function add(key, version, value)
  local position = redis.call('HINCRBY', KEYS[3], 'position', 1)
  if position == 1 then
    -- The list is new, or an engine that throws keys away has lost what is known of it.
    local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
    if last then position = redis.call('HINCRBY', KEYS[3], 'position', math.floor(tonumber(last))) end
  end
  redis.call('HSET', KEYS[1], key, version .. ' ' .. value)
  redis.call('ZADD', KEYS[2], position, key)
  redis.call('HSET', KEYS[3], 'format', '${FORMAT}', 'version', version, 'seeded', '1')
  return 1
end
`;

/** A function that tells whether the item is there, with this version if one is given. */
const HAS = `
local function has(key, version)
  local found = redis.call('HGET', KEYS[1], key)
  return found and (not version or string.sub(found, 1, #version + 1) == version .. ' ')
end
`;

/** Key, version, value, perhaps most items: 1 for added, 0 for a key that is taken, -1 for a full list. */
const ADD_NEW = `${ADD}
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
if ARGV[4] and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return -1 end
return add(ARGV[1], ARGV[2], ARGV[3])
`;

/** Key, version, value: adds it to a list that has never had an item. */
const SEED = `${ADD}
if redis.call('HEXISTS', KEYS[3], 'seeded') == 1 or redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
return add(ARGV[1], ARGV[2], ARGV[3])
`;

/** Key, version, value, perhaps the former version: 1 for replaced, else 0. */
const REPLACE = `${HAS}
if not has(ARGV[1], ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`;

/** Key, the next version of the list, perhaps the former one of the item: 1 for removed, else 0. */
const REMOVE = `${HAS}
if not has(ARGV[1], ARGV[3]) then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`;

/**
 * The version of a list that is known, the position behind which the page is, most items, most bytes: the version alone
 * if it is the known one, else version, whether it is the end, the last position, and each key with what is stored.
 */
const PAGE = `
local version = redis.call('HGET', KEYS[3], 'version') or ''
if version == '' then version = '0' end
if version == ARGV[1] then return {version} end
local most, least = tonumber(ARGV[3]), tonumber(ARGV[4])
local found = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[2], 'inf', 'LIMIT', 0, most)
local reply = {version, 0, ARGV[2]}
local bytes, last = 0, 0
while last < #found and bytes < least do
  local to = math.min(last + ${VALUES_A_CALL}, #found)
  for at, stored in ipairs(redis.call('HMGET', KEYS[1], unpack(found, last + 1, to))) do
    reply[#reply + 1] = found[last + at]
    reply[#reply + 1] = stored or ''
    bytes = bytes + #(stored or '')
  end
  last = to
end
if last == #found and last < most then reply[2] = 1 end
if last > 0 then reply[3] = redis.call('ZSCORE', KEYS[2], found[last]) end
return reply
`;

/**
 * A list over a connection of its own. `open` rejects with a `StoreError` for a server that cannot be used, keys of
 * another program and a newer format; `isChanged` tells that the list is not only read.
 */
export function redisList(location: RedisLocation, times: RedisTimes, maxItems = Infinity, given?: RedisPackage) {
  const connection = redisConnection(location, times, given);
  const { keys, what } = location;
  const limit = Number.isFinite(maxItems) ? String(maxItems) : undefined;
  const onKeys = ['3', keys.items, keys.order, keys.list];

  const run = (script: string, ...given: readonly (string | undefined)[]): Promise<unknown> =>
    connection.send(['EVAL', script, ...onKeys, ...given.filter((word) => word !== undefined)]);

  async function assertOwn(): Promise<void> {
    for (const key of Object.values(keys)) {
      const found = await connection.ask(['TYPE', key]);
      if (found !== 'none' && found !== (key === keys.order ? 'zset' : 'hash'))
        throw new StoreError(what, `the key "${key}" is of another program; name another list, ?list=NAME`);
    }
    const format = await connection.ask(['HGET', keys.list, 'format']);
    if (Number(format ?? 0) <= Number(FORMAT)) return;
    const cause = `a newer version of this service has made it (format ${String(format)})`;
    throw new StoreError(what, `${cause}; run that version, or name another list, ?list=NAME`);
  }

  return {
    ...connection,
    open: (isChanged = true) => connection.connect(assertOwn, isChanged),
    async get(key) {
      const stored = await connection.send(['HGET', keys.items, key]);
      return stored === null || stored === undefined ? undefined : storedItem(key, String(stored));
    },
    async page(after, known = '') {
      const size = pageSize(after);
      const reply = await run(PAGE, known, String(after ?? '-inf'), String(size.items), String(size.characters));
      const [version, isEnd, last, ...found] = reply as (string | number)[];
      if (isEnd === undefined) return undefined;
      const items: StoredItem[] = [];
      for (let at = 0; at < found.length; at += 2) items.push(storedItem(String(found[at]), String(found[at + 1])));
      return { version: String(version), items, last: last!, isEnd: isEnd === 1 };
    },
    async add({ key, version, value }) {
      const done = await run(ADD_NEW, key, version, value, limit);
      if (done === -1) throw new CollectionFull(`The store holds its ${limit} items`);
      return done === 1;
    },
    replace: async ({ key, version, value }, former) => (await run(REPLACE, key, version, value, former)) === 1,
    remove: async (key, next, former) => (await run(REMOVE, key, next, former)) === 1,
    async seed({ key, version, value }) {
      try {
        await connection.ask(['EVAL', SEED, ...onKeys, key, version, value]);
      } catch (error) {
        // It is the first change of a start, so its faults are those of a start.
        throw startError(error, location);
      }
    },
  } satisfies Place & RedisConnection;
}

/** What has no space is no item of ours: it has neither version nor value. */
function storedItem(key: string, stored: string): StoredItem {
  const end = stored.indexOf(' ');
  return { key, version: stored.slice(0, Math.max(end, 0)), value: end < 0 ? '' : stored.slice(end + 1) };
}

/** Key, version, value: adds it to a copy, whose keys go an hour after its last item. */
const STAGE = `${ADD}
add(ARGV[1], ARGV[2], ARGV[3])
for at = 1, 3 do redis.call('EXPIRE', KEYS[at], 3600) end
return 1
`;

/**
 * The keys of a copy, then those of the list; its number of items, the version of the list: 1 for a list that has
 * become the copy, also an empty one; -1 for one that has items, 0 for a copy that is not whole.
 */
const ADOPT = `
if redis.call('EXISTS', KEYS[4]) == 1 then return -1 end
if redis.call('HLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[5], KEYS[6])
for at = 1, 3 do
  if redis.call('EXISTS', KEYS[at]) == 1 then
    redis.call('RENAME', KEYS[at], KEYS[at + 3])
    redis.call('PERSIST', KEYS[at + 3])
  end
end
redis.call('HSET', KEYS[6], 'format', '${FORMAT}', 'version', ARGV[2], 'seeded', '1')
return 1
`;

/** Rejects with a `StoreError` for a list that is not there, and for an item that has no value. */
export async function* itemsOfList(url: string, times: RedisTimes): AsyncGenerator<CopiedItem, void> {
  const location = redisLocation(url);
  const { what, keys } = location;
  const list = redisList(location, times);
  try {
    await list.open(false);
    if (Number(await list.ask(['EXISTS', keys.items, keys.list])) === 0)
      throw new StoreError(what, 'there is no such list; name the one that has the items');
    for await (const item of itemsOf(list)) {
      if (item.value === '')
        throw new StoreError(what, `the item ${JSON.stringify(item.key)} has no value; remove it, and copy again`);
      yield item;
    }
  } catch (error) {
    throw startError(error, location);
  } finally {
    list.close();
  }
}

/** Rejects with a `StoreError` for a list that has items, and for a copy that fails; then the list has not changed. */
export async function fillList(
  url: string,
  times: RedisTimes,
  maxItems: number,
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  const location = redisLocation(url);
  const { what, keys } = location;
  const list = redisList(location, times);
  const newVersion = versionMaker();
  const names = Object.values(keys);
  const copies = names.map((name) => name.replace('}:', `}:copy-${randomBytes(9).toString('base64url')}:`));
  const run = (script: string, onKeys: readonly string[], ...words: readonly string[]): Promise<unknown> =>
    list.ask(['EVAL', script, String(onKeys.length), ...onKeys, ...words]);
  let count = 0;
  try {
    await list.open();
    for await (const { key, value } of items) {
      if (++count > maxItems)
        throw new StoreError(what, `it may have no more than ${maxItems} items; raise maxItems`, {
          code: 'TOO_MANY_ITEMS',
        });
      await run(STAGE, copies, key, newVersion(), value);
    }
    const done = await run(ADOPT, [...copies, ...names], String(count), newVersion());
    if (done === -1) throw new StoreError(what, 'it has items already; name a store that has none');
    if (done === 0)
      throw new StoreError(what, 'the server has thrown a part of the copy away; copy again', { isTemporary: true });
    return count;
  } catch (error) {
    throw startError(error, location);
  } finally {
    list.close();
  }
}
