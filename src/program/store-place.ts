/** Reads where items are kept, as `--store` has it: `memory`, the path of an SQLite file, or the URL of a Redis. */
import { resolve } from 'node:path';
import { isRedisUrl, redisLocation } from '../extensions/redis/redis-location.ts';

/** A URL as it is, a path as an absolute one. Throws a `TypeError` with the cause and the remedy, without the text. */
export function storePlace(text: string): string {
  if (text === 'memory') return text;
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(text) && !isInRedis(text))
    throw new TypeError('it is neither a file nor a URL of Redis; give todo.db or redis://host');
  if (!isInRedis(text)) return resolve(text);
  redisLocation(text);
  return text;
}

/** Is this place in a Redis, which several processes can share? */
export const isInRedis = (place: string): boolean => isRedisUrl(place);

/** A place as messages name it, without a password. */
export const placeText = (place: string): string => (isInRedis(place) ? redisLocation(place).what : `"${place}"`);

/** A text that may be no place, for messages: of a URL its scheme alone, since a password may stand anywhere in it. */
export const concealed = (text: string): string => text.replace(/^([a-z][a-z\d+.-]+:\/{0,2}).*$/is, '$1…');
