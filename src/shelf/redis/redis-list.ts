/**
 * Reads and changes the three keys of a list in Redis, and copies lists.
 *
 * Each change is one script, which the server runs atomically, also for other processes. The `KEYS` of a script are
 * `RedisKeys`. The whole script is sent each time, because an unknown digest would need a second command (D84).
 */
import { randomBytes } from 'node:crypto';
import { logWarning } from '../../extending.ts';
import { CollectionFull, StoreError } from '../../plugins/collection/collection.ts';
import {
  type Backend,
  type CopiedItem,
  itemsOf,
  pageSize,
  type StoredItem,
  versionMaker,
} from '../../plugins/collection/lasting-store.ts';
import type { RedisClient } from './redis-client.ts';
import { ASSERT_LIST, PROBE, type RedisTimes, redisConnection, script } from './redis-connection.ts';
import { startError } from './redis-fault.ts';
import { type RedisLocation, redisLocation } from './redis-location.ts';

const FORMAT = 1;

/**
 * The number of values that one `HMGET` reads. A separate call for each value would make a list 10 to 20 % slower. The
 * longest 32 values take 32 MiB.
 */
const VALUES_A_CALL = 32;

/**
 * Returns the format, 1 if the list exists, the number of items, and the policy with which the server evicts keys that
 * do not expire, or ''. A server may refuse `INFO`.
 */
const OPEN = `${ASSERT_LIST}
local memory = redis.pcall('INFO', 'memory')
local policy = type(memory) == 'string' and string.match(memory, 'maxmemory_policy:(allkeys%-%w+)')
return {redis.call('HGET', KEYS[3], 'format') or '', redis.call('EXISTS', KEYS[1], KEYS[3]), items, policy or ''}
`;

/** Arguments: key, version, value. Adds an item after the last one. */
const ADD = `
local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('ZADD', KEYS[2], (last or 0) + 1, ARGV[1])
redis.call('HSET', KEYS[3], 'format', '${FORMAT}', 'version', ARGV[2])
`;

/** A Lua function. Returns true if the item exists, and has the version if a version is passed. */
const HAS = `
local function has(key, version)
  local found = redis.call('HGET', KEYS[1], key)
  return found and (not version or string.sub(found, 1, #version + 1) == version .. ' ')
end
`;

/** Arguments: those of `ADD`, optional limit of items. Returns 1, 0 if the key exists, or -1 for a full list. */
const ADD_NEW = `${ASSERT_LIST}
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
if ARGV[4] and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return -1 end
${ADD}
return 1
`;

/** Arguments: those of `ADD`. Adds the item if the list has never had an item. */
const SEED = `
if redis.call('EXISTS', KEYS[1], KEYS[3]) > 0 then return end
${ADD}`;

/** Arguments: key, version, value, optional former version. Returns 1 if the item was replaced, else 0. */
const REPLACE = `${ASSERT_LIST}${HAS}
if not has(ARGV[1], ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`;

/** Arguments: key, new version of the list, optional former version of the item. Returns 1 if removed, else 0. */
const REMOVE = `${ASSERT_LIST}${HAS}
if not has(ARGV[1], ARGV[3]) then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`;

/**
 * Arguments: known version, position before the page, most items, most bytes. Returns only the version of the list if
 * it equals the known version. The version has the number of items, because another program may remove items without
 * a new version. Otherwise returns the version or '', 1 for the last page or else 0, the position of the
 * last item, and the key and the stored text of each item.
 */
const PAGE = `${ASSERT_LIST}
local version = redis.call('HGET', KEYS[3], 'version') or ''
if version ~= '' then version = version .. '-' .. items end
if version ~= '' and version == ARGV[1] then return {version} end
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

/** Returns the location with the rights of a user that runs these scripts. */
function withRights(location: RedisLocation, ...scripts: readonly string[]): RedisLocation {
  const commands = Array.from(scripts.join('').matchAll(/redis\.call\('(\w+)'/g), ([, name]) => name!.toLowerCase());
  const isFirst = !/[^/]\/0*[1-9]\d*$/.test(location.url);
  const names = new Set(['ping', 'eval', ...(isFirst ? [] : ['select']), ...commands]);
  const rights = [location.keys[0].replace(/^(.*:)items$/, '~$1*'), ...Array.from(names, (name) => `+${name}`)];
  return { ...location, rights: rights.join(' ') };
}

/**
 * Makes the backend of a list, with a separate connection or with `client`. `open` rejects with a `StoreError` if the
 * server cannot be used, the keys belong to another program, or the format is newer. Pass false as `isChanged` to
 * `open` if the list is only read; then it must exist.
 */
export function redisList(place: RedisLocation, times: RedisTimes, maxItems = Infinity, client?: RedisClient) {
  const location = place.rights ? place : withRights(place, OPEN, ADD_NEW, REPLACE, REMOVE, PAGE);
  const connection = redisConnection(location, times, client);
  const { keys, what } = location;
  const limit = Number.isFinite(maxItems) ? String(maxItems) : undefined;
  const run = (text: string, ...words: (string | undefined)[]): Promise<unknown> => {
    const given = words.filter((word) => word !== undefined);
    return connection.send(script(text, keys, given));
  };

  /** The number of items when the list was opened; undefined if it did not exist. */
  let found: number | undefined;

  async function open(isChanged = true): Promise<number | undefined> {
    let evicting = '';
    await connection.open(async () => {
      const [format, exists, count, policy = ''] = (await connection.ask(script(OPEN, keys))) as string[];
      const newer = `a newer version of this service created the list (format ${format})`;
      if (Number(format) > FORMAT)
        throw new StoreError(what, `${newer}; run that version, or name another list, ?list=NAME`);
      if (!isChanged && Number(exists) === 0)
        throw new StoreError(what, 'the list does not exist; name the list with the items');
      evicting = policy;
      found = Number(exists) === 0 ? undefined : Number(count);
    }, isChanged);
    const remedy = 'set "maxmemory-policy noeviction" there, so that a full server rejects changes (507)';
    if (isChanged && evicting !== '')
      logWarning(`The store ${what} evicts items when its memory is full (maxmemory-policy ${evicting}); ${remedy}`);
    return found;
  }

  return {
    ...connection,
    open,
    async get(key) {
      const stored = await connection.send((used) => used.hGet(keys[0], key));
      if (stored !== null && stored !== undefined) return storedItem(key, String(stored));
      // Without its hash, the list is incomplete, and a 404 would say that the item was removed.
      await run(ASSERT_LIST);
      return undefined;
    },
    /** A copy passes `ask`, because its user needs the answer of the server instead of a 503. */
    async page(after, known = '', send: typeof connection.send = connection.send) {
      const size = pageSize(after);
      const words = [known, String(after ?? '-inf'), String(size.items), String(size.characters)];
      const answer = await send(script(PAGE, keys, words));
      const [version, isEnd, last, ...found] = answer as (string | number)[];
      if (isEnd === undefined) return undefined;
      const items: StoredItem[] = [];
      for (let at = 0; at < found.length; at += 2) items.push(storedItem(String(found[at]), String(found[at + 1])));
      // Later pages may have later changes, so only a list of one page has a version.
      const isVersioned = isEnd === 1 && version !== '';
      return { version: isVersioned ? String(version) : undefined, items, last, isEnd: isEnd === 1 };
    },
    async add({ key, version, value }) {
      const done = await run(ADD_NEW, key, version, value, limit);
      if (done === -1) throw new CollectionFull(`The store is limited to ${maxItems} items`);
      return done === 1;
    },
    replace: async ({ key, version, value }, former) => (await run(REPLACE, key, version, value, former)) === 1,
    remove: async (key, next, former) => (await run(REMOVE, key, next, former)) === 1,
    async seed({ key, version, value }) {
      try {
        await connection.ask(script(SEED, keys, [key, version, value]));
      } catch (error) {
        // The first item is added at the start, so an error is reported as an error of the start.
        throw startError(error, location);
      }
    },
  } satisfies Backend & Pick<typeof connection, 'ask'>;
}

/** Splits a stored text into version and value. Both are empty if it has no space: another program has stored it. */
function storedItem(key: string, stored: string): StoredItem {
  const end = stored.indexOf(' ');
  return { key, version: stored.slice(0, Math.max(end, 0)), value: end < 0 ? '' : stored.slice(end + 1) };
}

/** Arguments: those of `ADD`. Adds an item to a copy. The keys of the copy expire an hour after the last call. */
const STAGE = `${ADD}
for at = 1, 3 do redis.call('EXPIRE', KEYS[at], 3600) end
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
redis.call('HSET', KEYS[6], 'format', '${FORMAT}', 'version', ARGV[2])
return 1
`;

/** Yields the items of a list. Throws a `StoreError` if the list does not exist, or an item has no value. */
export async function* itemsOfList(url: string, times: RedisTimes): AsyncGenerator<CopiedItem, void> {
  const location = withRights(redisLocation(url), OPEN, PAGE);
  const list = redisList(location, times);
  try {
    await list.open(false);
    for await (const item of itemsOf({ page: (after) => list.page(after, '', list.ask) })) {
      const named = JSON.stringify(item.key);
      if (item.value === '')
        throw new StoreError(location.what, `the item ${named} has no value; remove it, and copy again`);
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
  const location = withRights(redisLocation(url), OPEN, PROBE, STAGE, ADOPT);
  const { what, keys } = location;
  const list = redisList(location, times);
  const newVersion = versionMaker();
  const copies = keys.map((name) => name.replace('}:', `}:copy-${randomBytes(9).toString('base64url')}:`));
  let count = 0;
  try {
    await list.open();
    for await (const { key, value } of items) {
      if (++count > maxItems)
        throw new StoreError(what, `it is limited to ${maxItems} items; raise maxItems`, { code: 'TOO_MANY_ITEMS' });
      await list.ask(script(STAGE, copies, [key, newVersion(), value]));
    }
    const done = await list.ask(script(ADOPT, [...copies, ...keys], [String(count), newVersion()]));
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
