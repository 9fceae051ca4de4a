/** Reads the URL of a list in Redis: `redis://user:password@host:6379/0?list=todo`, with `rediss:` for TLS. */
import { attempt } from '../../extending.ts';

/** Where the list is. */
export interface RedisLocation {
  /** The URL without the name of the list. */
  readonly url: string;
  /** Without user and password, for messages. */
  readonly what: string;
  readonly keys: RedisKeys;
  /** The hosts to which user and password are sent: that of the URL, and those that it lists for a cluster. */
  readonly hosts: readonly string[];
}

/** The three keys of a list. They begin with its name in braces, so that a cluster has them all in one slot. */
export interface RedisKeys {
  /** A hash: by the key of an item, its version, a space and its value. */
  readonly items: string;
  /** A sorted set: the keys of the items by their position. */
  readonly order: string;
  /** A hash: the format, the version of the list, the last position, and whether it has ever had an item. */
  readonly list: string;
}

/** Is this text meant as the URL of a Redis? */
export const isRedisUrl = (text: string): boolean => /^rediss?:/i.test(text);

/** Throws a `TypeError` with the cause and the remedy; its message has no part of the URL. */
export function redisLocation(text: string): RedisLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isRedisUrl(url.protocol) || url.hostname === '')
    throw new TypeError('it is no URL of Redis; give one such as redis://localhost:6379');
  if (!/^\/?\d*$/.test(url.pathname))
    throw new TypeError('its path is no number of a database; give one such as redis://localhost:6379/0');
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'list' && name !== 'nodes');
  if (unknown !== undefined || url.hash !== '')
    throw new TypeError('it has a parameter that means nothing; there are ?list=NAME and ?nodes=HOST,HOST');
  const name = url.searchParams.get('list') ?? 'todo';
  if (!/^[\w.-]+$/.test(name))
    throw new TypeError('the name of its list is none; use letters, digits, ".", "-" and "_"');
  const nodes = url.searchParams.get('nodes')?.split(',') ?? [];
  if (!nodes.every((host) => /^[\w.:-]+$/.test(host)))
    throw new TypeError('the hosts of its nodes are none; give names or addresses without ports, ?nodes=HOST,HOST');
  if (attempt(() => decodeURIComponent(url.username + url.password), undefined) === undefined)
    throw new TypeError('its user or password has a "%" that begins no escape; write it as %25');
  const { host, protocol, pathname } = url;
  url.search = '';
  const list = name === 'todo' ? '' : `?list=${name}`;
  return {
    url: url.href,
    what: `"${protocol}//${host}${pathname === '/' ? '' : pathname}${list}"`,
    keys: { items: `{${name}}:items`, order: `{${name}}:order`, list: `{${name}}:list` },
    hosts: [url.hostname.replace(/^\[|\]$/g, ''), ...nodes],
  };
}
