/** Parses the URL of a list in Redis: `redis://user:password@host:6379/0?list=todo`, with `rediss:` for TLS. */
import { attempt } from '../../extending.ts';
import { StoreError } from '../../plugins/collection/collection.ts';

/**
 * The three keys of a list. They begin with the list's name in braces, so that a cluster stores them in one slot.
 *
 * - `items`: a hash. Its fields are the keys of the items; each field contains the version, a space, and the value.
 * - `order`: a sorted set of the keys of the items, with their positions as scores.
 * - `list`: a hash with the format and the version of the list. It exists if the list has ever had an item.
 */
type RedisKeys = [items: string, order: string, list: string];

/** A list in Redis. */
export interface RedisLocation {
  /** The name of the list in messages, without user and password. */
  readonly what: string;
  readonly keys: RedisKeys;
  /** The URL for the package `redis`, without parameters. */
  readonly url: string;
  /** The rights that the user needs, as `ACL SETUSER` takes them, for the message about a missing right. */
  readonly rights: string;
  /** The user and the password, which no message shows (D85). */
  readonly secrets: readonly string[];
  /** The PEM files of the client's certificate and its key. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** Returns the location of a list that a client of the user reaches. Throws a `StoreError` for an invalid name. */
export function locationOf(list: string, what = `the Redis list ${JSON.stringify(list)}`): RedisLocation {
  if (!/^[\w.-]+$/.test(list))
    throw new StoreError(what, 'the name of its list is invalid; use letters, digits, ".", "-" and "_"');
  return { what, keys: [`{${list}}:items`, `{${list}}:order`, `{${list}}:list`], url: '', rights: '', secrets: [] };
}

const FORM = /^rediss?:\/\/[^/?#\s]+(?:\/\d*)?(?:\?[^@#\s]*)?$/i;
const EXAMPLE = 'give one such as redis://user:password@host:6379/0, and percent-encode the password';

/** Parses a URL. Throws a `StoreError` with the cause and the remedy; the message shows only the scheme of the URL. */
export function redisLocation(text: string): RedisLocation {
  const url = new URL(FORM.test(text) && URL.canParse(text) ? text : 'redis:');
  const { protocol, host, hostname, pathname, searchParams, username, password } = url;
  const { list = 'todo', cert, key, ...others } = Object.fromEntries(searchParams);
  const secrets = [username, password].map((secret) => attempt(() => decodeURIComponent(secret), undefined));
  const fault = (text: string): StoreError => new StoreError(`"${protocol}//…"`, text);
  if (hostname === '' || hostname.includes(',') || secrets.includes(undefined))
    throw fault(`it is not a URL of Redis; ${EXAMPLE}`);
  if (Object.keys(others).length > 0) throw fault('it has an unknown parameter; use ?list=, ?cert= or ?key=');
  const certificate = cert && key ? { cert, key } : undefined;
  const isCertified = cert !== undefined || key !== undefined;
  // A message about a missing file would show the text of a private key as the name of the file.
  if (isCertified && (protocol !== 'rediss:' || certificate === undefined || `${cert}${key}`.includes('-----')))
    throw fault('its certificate needs TLS and two PEM files; give rediss://host?cert=FILE&key=FILE');
  const place = `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  return {
    ...locationOf(list, `"${place}${list === 'todo' ? '' : `?list=${list}`}"`),
    url: text.replace(/\?.*/, ''),
    secrets: secrets.flatMap((secret) => secret || []),
    certificate,
  };
}
