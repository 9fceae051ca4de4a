/** Reads where items are kept, as `--store` has it: `memory`, the path of an SQLite file, or the URL of a Redis. */
import { resolve } from 'node:path';
import { isRedisUrl, redisLocation } from '../extensions/redis/redis-location.ts';

/** Texts that are not a place. The first expression that matches gives the cause and the remedy. */
const WRONG: readonly (readonly [wrong: RegExp, fault: string])[] = [
  [/^[:"'\s]*memory[:"'\s]*$/i, 'it is not the word memory; write it in small letters, without anything around it'],
  [/^["'\s]|["'\s]$/, 'it begins or ends with a quotation mark or a blank; leave that out'],
  [
    /:\/\/|%3a%2f%2f|@|password=/i,
    'it is neither a file nor a URL of Redis; give todo.db or redis://user:password@host',
  ],
  [/^[^/\\]{2,}:/, 'it has a colon, but it is not a URL of Redis; give a path such as todo.db or ./a:b.db'],
];

/** A URL as it is, a path as an absolute one. Throws a `TypeError` with the cause and the remedy, without the text. */
export function storePlace(text: string): string {
  if (text === 'memory') return text;
  if (isInRedis(text)) {
    redisLocation(text);
    return text;
  }
  const [, fault] = WRONG.find(([wrong]) => wrong.test(text)) ?? [];
  if (fault !== undefined) throw new TypeError(fault);
  return resolve(text);
}

/** Is this place in a Redis, which several processes can share? */
export const isInRedis = (place: string): boolean => isRedisUrl(place);

/** A place as messages name it, without a password. */
export const placeText = (place: string): string => (isInRedis(place) ? redisLocation(place).what : `"${place}"`);
