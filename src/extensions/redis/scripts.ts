/**
 * The scripts that Redis runs. Each is one atomic step, also for other processes.
 *
 * `KEYS` are the items, their order and the list (`redis-location.ts`). A version is never equal to another one, so it
 * tells whether an item is still what its reader saw.
 */
import { createHash } from 'node:crypto';

/** A script and the name by which a server that has run it knows it, made when it is first asked for. */
export class Script {
  readonly text: string;
  #digest: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get digest(): string {
    return (this.#digest ??= createHash('sha1').update(this.text).digest('hex'));
  }
}

export const FORMAT = '1';

/** One call for many values takes a third of the time of one for each. So many of the longest ones are 32 MiB. */
const VALUES_A_CALL = 32;

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

/** Is the item there, with this version if one is asked for? */
const HAS = `
local function has(key, isAsked, version)
  local found = redis.call('HGET', KEYS[1], key)
  if not found then return false end
  return isAsked == '0' or string.sub(found, 1, #version + 1) == version .. ' '
end
`;

/** Key, version, value, most items or 0: 1 for added, 0 for a key that is taken, -1 for a full list. */
export const add = new Script(`${ADD}
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
local most = tonumber(ARGV[4])
if most > 0 and redis.call('HLEN', KEYS[1]) >= most then return -1 end
return add(ARGV[1], ARGV[2], ARGV[3])
`);

/** Key, version, value: adds it to a list that has never had an item. */
export const seed = new Script(`${ADD}
if redis.call('HEXISTS', KEYS[3], 'seeded') == 1 or redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
return add(ARGV[1], ARGV[2], ARGV[3])
`);

/** Key, version, value: adds it to a copy, whose keys go an hour after its last item. */
export const stage = new Script(`${ADD}
add(ARGV[1], ARGV[2], ARGV[3])
for at = 1, 3 do redis.call('EXPIRE', KEYS[at], 3600) end
return 1
`);

/**
 * The keys of a copy, then those of the list; its number of items, the version of the list: 1 for a list that has
 * become the copy, also an empty one; -1 for one that has items, 0 for a copy that is not whole.
 */
export const adopt = new Script(`
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
`);

/** Key, version, value, whether a version is asked for, that version: 1 for replaced, else 0. */
export const replace = new Script(`${HAS}
if not has(ARGV[1], ARGV[4], ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`);

/** Key, the next version of the list, whether a version is asked for, that version: 1 for removed, else 0. */
export const remove = new Script(`${HAS}
if not has(ARGV[1], ARGV[3], ARGV[4]) then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[3], 'version', ARGV[2])
return 1
`);

/** Removes what is never there: refused as a change is, by a replica for example. */
export const probe = new Script(`return redis.call('HDEL', KEYS[3], '')`);

/**
 * The version of a list that is known, the positions of the page as a bound of a range, most items, most bytes: the
 * version of the list alone if it is the known one, else version, whether it is the end, last position, and each key
 * with what is stored. Items of the last position that the page has no room for are in it too.
 */
export const page = new Script(`
local version = redis.call('HGET', KEYS[3], 'version') or ''
if version == '' then version = '0' end
if version == ARGV[1] then return {version} end
local most, least = tonumber(ARGV[3]), tonumber(ARGV[4])
local found = redis.call('ZRANGEBYSCORE', KEYS[2], ARGV[2], '+inf', 'LIMIT', 0, most)
local reply = {version, #found < most and 1 or 0, ARGV[2]}
local bytes, last = 0, #found
for from = 1, #found, ${VALUES_A_CALL} do
  local to = math.min(from + ${VALUES_A_CALL - 1}, #found)
  for at, stored in ipairs(redis.call('HMGET', KEYS[1], unpack(found, from, to))) do
    reply[#reply + 1] = found[from + at - 1]
    reply[#reply + 1] = stored or ''
    bytes = bytes + #(stored or '')
  end
  if bytes >= least and to < #found then
    reply[2] = 0
    last = to
    break
  end
end
if last == 0 then return reply end
reply[3] = redis.call('ZSCORE', KEYS[2], found[last])
if reply[2] == 0 and redis.call('ZCOUNT', KEYS[2], reply[3], reply[3]) > 1 then
  local there = {}
  for at = 1, last do there[found[at]] = true end
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], reply[3], reply[3])) do
    if not there[key] then
      reply[#reply + 1] = key
      reply[#reply + 1] = redis.call('HGET', KEYS[1], key) or ''
    end
  end
end
return reply
`);
