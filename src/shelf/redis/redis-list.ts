/**
 * Reads and changes the three keys of a list in Redis, and copies lists.
 *
 * Each change is one script, which the server runs atomically, also for other processes. The `KEYS` of a script are the
 * keys `items`, `order` and `list` (see `RedisKeys`). The whole script is sent each time. The server needs 2 µs more
 * for it than for the digest of the script, but an unknown digest would need a second command (D84).
 */
import { randomBytes } from 'node:crypto';
import { CollectionFull, StoreError } from '../../plugins/collection/collection.ts';
import {
  type Backend,
  type CopiedItem,
  itemsOf,
  pageSize,
  type StoredItem,
  versionMaker,
} from '../../plugins/collection/lasting-store.ts';
import type { RedisPackage } from './redis-client.ts';
import { type RedisConnection, type RedisTimes, redisConnection } from './redis-connection.ts';
import { startError } from './redis-fault.ts';
import { type RedisLocation, redisLocation } from './redis-location.ts';

const FORMAT = '1';

/**
 * The number of values that one `HMGET` reads. A separate call for each value would make a list 10 to 20 % slower. The
 * longest 32 values take 32 MiB.
 */
const VALUES_A_CALL = 32;

/**
 * A Lua function for the scripts that add an item. If the server has evicted the hash of the list, the existing items
 * stay, and new items are added after the last of them (D85).
 */
const ADD = `
local function add(key, version, value)
  local position = redis.call('HINCRBY', KEYS[3], 'position', 1)
  if position == 1 then
    -- The list is new, or the server has evicted its hash.
    local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
    if last then position = redis.call('HINCRBY', KEYS[3], 'position', math.floor(tonumber(last))) end
  end
  redis.call('HSET', KEYS[1], key, version .. ' ' .. value)
  redis.call('ZADD', KEYS[2], position, key)
  redis.call('HSET', KEYS[3], 'format', '${FORMAT}', 'version', version, 'seeded', '1')
  return 1
end
`;

/** A Lua function. Returns true if the item exists, and has the version if a version is passed. */
const HAS = `
local function has(key, version)
  local found = redis.call('HGET', KEYS[1], key)
  return found and (not version or string.sub(found, 1, #version + 1) == version .. ' ')
end
`;

/** Arguments: key, version, value, optional limit of items. Returns 1, 0 if the key exists, or -1 for a full list. */
const ADD_NEW = `${ADD}
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
if ARGV[4] and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return -1 end
return add(ARGV[1], ARGV[2], ARGV[3])
`;

/** Arguments: key, version, value. Adds the item if the list has never had an item. */
const SEED = `${ADD}
if redis.call('HEXISTS', KEYS[3], 'seeded') == 1 or redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
return add(ARGV[1], ARGV[2], ARGV[3])
`;

/** Arguments: key, version, value, optional former version. Returns 1 if the item was replaced, else 0. */
const REPLACE = `${HAS}
if not has(ARGV[1], ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`;

/** Arguments: key, new version of the list, optional former version of the item. Returns 1 if removed, else 0. */
const REMOVE = `${HAS}
if not has(ARGV[1], ARGV[3]) then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`;

/**
 * Arguments: known version, position before the page, most items, most bytes. Returns only the version of the list if
 * it equals the known version. Otherwise returns the version, 1 for the last page or else 0, the position of the last
 * item, and the key and the stored text of each item.
 */
const PAGE = `
local version = redis.call('HGET', KEYS[3], 'version') or ''
if version == '' then version = '0' end
if version == ARGV[1] then return {version} end
local most, limit = tonumber(ARGV[3]), tonumber(ARGV[4])
local found = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[2], 'inf', 'LIMIT', 0, most)
local answer = {version, 0, ARGV[2]}
local bytes, last = 0, 0
while last < #found and bytes < limit do
  local to = math.min(last + ${VALUES_A_CALL}, #found)
  for at, stored in ipairs(redis.call('HMGET', KEYS[1], unpack(found, last + 1, to))) do
    answer[#answer + 1] = found[last + at]
    answer[#answer + 1] = stored or ''
    bytes = bytes + #(stored or '')
  end
  last = to
end
if last == #found and last < most then answer[2] = 1 end
if last > 0 then answer[3] = redis.call('ZSCORE', KEYS[2], found[last]) end
return answer
`;

/**
 * Makes the backend of a list, with a separate connection. `open` rejects with a `StoreError` if the server cannot be
 * used, the keys belong to another program, or the format is newer. Pass false as `isChanged` to `open` if the list is
 * only read.
 */
export function redisList(location: RedisLocation, times: RedisTimes, maxItems = Infinity, redis?: RedisPackage) {
  const connection = redisConnection(location, times, redis);
  const { keys, what } = location;
  const limit = Number.isFinite(maxItems) ? String(maxItems) : undefined;
  const onKeys = ['3', keys.items, keys.order, keys.list];

  const run = (script: string, ...words: readonly (string | undefined)[]): Promise<unknown> =>
    connection.send(['EVAL', script, ...onKeys, ...words.filter((word) => word !== undefined)]);

  async function assertUsable(): Promise<void> {
    for (const key of Object.values(keys)) {
      const found = await connection.ask(['TYPE', key]);
      if (found !== 'none' && found !== (key === keys.order ? 'zset' : 'hash'))
        throw new StoreError(what, `the key "${key}" belongs to another program; name another list, ?list=NAME`);
    }
    const format = await connection.ask(['HGET', keys.list, 'format']);
    if (Number(format ?? 0) <= Number(FORMAT)) return;
    const cause = `a newer version of this service created the list (format ${String(format)})`;
    throw new StoreError(what, `${cause}; run that version, or name another list, ?list=NAME`);
  }

  return {
    ...connection,
    open: (isChanged = true) => connection.connect(assertUsable, isChanged),
    async get(key) {
      const stored = await connection.send(['HGET', keys.items, key]);
      return stored === null || stored === undefined ? undefined : storedItem(key, String(stored));
    },
    async page(after, known = '') {
      const size = pageSize(after);
      const answer = await run(PAGE, known, String(after ?? '-inf'), String(size.items), String(size.characters));
      const [version, isEnd, last, ...found] = answer as (string | number)[];
      if (isEnd === undefined) return undefined;
      const items: StoredItem[] = [];
      for (let at = 0; at < found.length; at += 2) items.push(storedItem(String(found[at]), String(found[at + 1])));
      return { version: isEnd === 1 ? String(version) : undefined, items, last, isEnd: isEnd === 1 };
    },
    async add({ key, version, value }) {
      const done = await run(ADD_NEW, key, version, value, limit);
      if (done === -1) throw new CollectionFull(`The store is limited to ${limit} items`);
      return done === 1;
    },
    replace: async ({ key, version, value }, former) => (await run(REPLACE, key, version, value, former)) === 1,
    remove: async (key, next, former) => (await run(REMOVE, key, next, former)) === 1,
    async seed({ key, version, value }) {
      try {
        await connection.ask(['EVAL', SEED, ...onKeys, key, version, value]);
      } catch (error) {
        // The first item is added at the start, so an error is reported as an error of the start.
        throw startError(error, location);
      }
    },
  } satisfies Backend & RedisConnection;
}

/** Splits a stored text into version and value. Both are empty if it has no space: another program has stored it. */
function storedItem(key: string, stored: string): StoredItem {
  const end = stored.indexOf(' ');
  return { key, version: stored.slice(0, Math.max(end, 0)), value: end < 0 ? '' : stored.slice(end + 1) };
}

/** Arguments: key, version, value. Adds an item to a copy. The keys of the copy expire an hour after the last call. */
const STAGE = `${ADD}
add(ARGV[1], ARGV[2], ARGV[3])
for at = 1, 3 do redis.call('EXPIRE', KEYS[at], 3600) end
return 1
`;

/**
 * Replaces the list by a complete copy. Keys: the keys of the copy, then the keys of the list. Arguments: the number of
 * copied items, the new version of the list. Returns 1, or -1 if the list already has items, or 0 if the copy is
 * incomplete.
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

/** Yields the items of a list. Throws a `StoreError` if the list does not exist, or an item has no value. */
export async function* itemsOfList(url: string, times: RedisTimes): AsyncGenerator<CopiedItem, void> {
  const location = redisLocation(url);
  const { what, keys } = location;
  const list = redisList(location, times);
  try {
    await list.open(false);
    if (Number(await list.ask(['EXISTS', keys.items, keys.list])) === 0)
      throw new StoreError(what, 'the list does not exist; name the list with the items');
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

/**
 * Adds the items to an empty list, and resolves to their number. Rejects with a `StoreError` if the list has items or
 * the copy fails; the list is then unchanged.
 */
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
        throw new StoreError(what, `it is limited to ${maxItems} items; raise maxItems`, {
          code: 'TOO_MANY_ITEMS',
        });
      await run(STAGE, copies, key, newVersion(), value);
    }
    const done = await run(ADOPT, [...copies, ...names], String(count), newVersion());
    if (done === -1) throw new StoreError(what, 'it already has items; name an empty store');
    if (done === 0)
      throw new StoreError(what, 'the server has evicted a part of the copy; copy again', { isTemporary: true });
    return count;
  } catch (error) {
    throw startError(error, location);
  } finally {
    list.close();
  }
}
