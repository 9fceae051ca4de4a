/** Parses the value of `--store`, the place of a store: `memory`, the path of an SQLite file, or a URL of Redis. */
import { resolve } from 'node:path';

/** The form of a URL of Redis. The store checks the parameters when it is loaded. */
const REDIS_URL = /^rediss?:\/\/[^/?#\s]+(?:\/\d*)?(?:\?[^@#\s]*)?$/i;

/** Expressions for texts that are not a place, each with the cause and the remedy. The first match is used. */
const WRONG: readonly (readonly [wrong: RegExp, fault: string])[] = [
  [/^[:"'\s]*memory[:"'\s]*$/i, 'it is not the word memory; write it in small letters, and nothing else'],
  [/^(?:off|none)$/i, 'items are always stored; give memory, or a path such as ./off for a file of this name'],
  [
    /^rediss?:/i,
    'it is not a URL of Redis; give one such as redis://user:password@host:6379/0, and percent-encode the password',
  ],
  [/^["'\s]|["'\s]$/, 'it begins or ends with a quotation mark or a blank; leave that out'],
  [
    /:\/\/|%3a%2f%2f|@|password=/i,
    'it is neither a file nor a URL of Redis; give todo.db or redis://user:password@host',
  ],
  [/^[^/\\]{2,}:/, 'it has a colon, but it is not a URL of Redis; give a path such as todo.db or ./a:b.db'],
];

/** Returns an absolute path, or `memory` or a URL unchanged. Throws a `TypeError` that does not quote the text. */
export function storePlace(text: string): string {
  if (text === 'memory') return text;
  if (REDIS_URL.test(text) && URL.canParse(text)) return text;
  const [, fault] = WRONG.find(([wrong]) => wrong.test(text)) ?? [];
  if (fault !== undefined) throw new TypeError(fault);
  return resolve(text);
}

export const isInRedis = (place: string): boolean => /^rediss?:/i.test(place);
