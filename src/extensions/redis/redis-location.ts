/**
 * Reads the URL of a list in Redis: `redis://user:password@host:6379/0?list=todo`, with `rediss:` for TLS; or that of
 * the sentinels that know where its server is: `redis-sentinel://user:password@one:26379,two,three/0?master=mymaster`.
 */
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
  /** The URLs of the sentinels, and the name by which they know the server. The host of `url` is then one of them. */
  readonly sentinels?: { readonly urls: readonly string[]; readonly master: string } | undefined;
  /** The PEM files of the certificate that a server asks for, and of its key. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
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
export const isRedisUrl = (text: string): boolean => /^rediss?(?:-sentinel)?:/i.test(text);

const PARAMETERS = ['list', 'nodes', 'master', 'cert', 'key'];

/** Throws a `TypeError` with the cause and the remedy; its message has no part of the URL. */
export function redisLocation(text: string): RedisLocation {
  const [, tls = '', user = '', sentinels, rest = ''] = SENTINELS.exec(text) ?? [];
  const several = sentinels?.split(',');
  const plain = several === undefined ? text : `redis${tls}://${user}${several[0]}${rest}`;
  const url = URL.canParse(plain) ? new URL(plain) : undefined;
  if (several?.some((one) => !/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(one)))
    throw new TypeError('its sentinels are none; give redis-sentinel://one:26379,two:26379,three:26379');
  if (url === undefined || !isRedisUrl(url.protocol) || url.hostname === '')
    throw new TypeError('it is no URL of Redis; give one such as redis://localhost:6379');
  if (!/^\/?\d*$/.test(url.pathname))
    throw new TypeError('its path is no number of a database; give one such as redis://localhost:6379/0');
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined || url.hash !== '')
    throw new TypeError(`it has a parameter that means nothing; there are ?${PARAMETERS.join('=, ?')}=`);
  const name = url.searchParams.get('list') ?? 'todo';
  if (!/^[\w.-]+$/.test(name))
    throw new TypeError('the name of its list is none; use letters, digits, ".", "-" and "_"');
  const nodes = url.searchParams.get('nodes')?.split(',') ?? [];
  if (!nodes.every((host) => /^[\w.:-]+$/.test(host)))
    throw new TypeError('the hosts of its nodes are none; give names or addresses without ports, ?nodes=HOST,HOST');
  if (attempt(() => decodeURIComponent(url.username + url.password), undefined) === undefined)
    throw new TypeError('its user or password has a "%" that begins no escape; write it as %25');
  const { host, protocol, pathname } = url;
  const master = url.searchParams.get('master') ?? undefined;
  if (master !== undefined && (several === undefined || !/^[\w.-]+$/.test(master)))
    throw new TypeError(
      'its ?master= is no name that sentinels know; leave it out, or give redis-sentinel://host?master=NAME',
    );
  const [cert, key] = [url.searchParams.get('cert'), url.searchParams.get('key')];
  if ((cert !== null || key !== null) && (!cert || !key || protocol !== 'rediss:'))
    throw new TypeError('its certificate is half of one; give rediss:// and both ?cert=FILE&key=FILE');
  url.search = '';
  const list = name === 'todo' ? '' : `?list=${name}`;
  return {
    url: url.href,
    what: `"${several === undefined ? `${protocol}//${host}` : `redis${tls}-sentinel://${sentinels}`}${pathname === '/' ? '' : pathname}${list}"`,
    keys: { items: `{${name}}:items`, order: `{${name}}:order`, list: `{${name}}:list` },
    hosts: [url.hostname.replace(/^\[|\]$/g, ''), ...nodes],
    sentinels: several && {
      urls: several.map((one) => `redis${tls}://${/:\d+$/.test(one) ? one : `${one}:26379`}`),
      master: master ?? 'mymaster',
    },
    certificate: cert && key ? { cert, key } : undefined,
  };
}

const SENTINELS = /^redis(s?)-sentinel:\/\/([^@/?#]*@)?([^/?#]*)([^]*)$/i;
