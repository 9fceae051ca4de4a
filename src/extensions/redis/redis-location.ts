/** Reads the URL of a list in Redis: `redis://user:password@host:6379/0?list=todo`, with `rediss:` for TLS. */
import { attempt } from '../../core/log/thrown-value.ts';

/** The address of a server. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
}

/** Where the list is. */
export interface RedisLocation {
  /** The list as messages name it, without user and password. */
  readonly what: string;
  readonly keys: RedisKeys;
  /** The kind of the servers: a server with the list, nodes of a cluster, or sentinels that name such a server. */
  readonly kind: 'server' | 'cluster' | 'sentinel';
  readonly servers: readonly RedisServer[];
  /** The name by which sentinels know the server. */
  readonly master: string;
  readonly isSecure: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  /** The PEM files of the certificate that a server asks for, and of its key. */
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
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
export const isRedisUrl = (text: string): boolean => /^rediss?(?:-cluster|-sentinel)?:/i.test(text);

/** User and password end with the last `@` before the path. */
const FORM = /^(rediss?)(?:-(cluster|sentinel))?:\/\/([^/?#]*@)?([^/?#@]*)([^]*)$/;
const EXAMPLE = 'give one such as redis://localhost:6379, redis-cluster://one,two or redis-sentinel://one,two';
const PARAMETERS = ['list', 'master', 'cert', 'key'];

/** Throws a `TypeError` with the cause and the remedy; its message has no part of the URL. */
export function redisLocation(text: string): RedisLocation {
  const [, scheme = '', kind = 'server', user = '', hosts = '', rest = ''] = FORM.exec(text) ?? [];
  const texts = hosts.split(',').map((host) => `${scheme}://${user}${host}${rest}`);
  const urls = texts.flatMap((one) => (URL.canParse(one) ? [new URL(one)] : []));
  const isWrong = /\s/.test(text) || urls.length < texts.length || urls.some(({ hostname }) => hostname === '');
  if (isWrong || (kind === 'server' && urls.length > 1)) throw new TypeError(`it is not a URL of Redis; ${EXAMPLE}`);
  const { pathname, searchParams, hash, username, password } = urls[0]!;
  if (!/^\/?\d*$/.test(pathname))
    throw new TypeError('its path is not the number of a database; give one such as redis://localhost:6379/0');
  if (rest.includes('@'))
    throw new TypeError('it has an "@" behind its host; write %40 for it, and %2F for a "/" in the password');
  if (hash !== '' || [...searchParams.keys()].some((name) => !PARAMETERS.includes(name)))
    throw new TypeError(`it has an unknown parameter; there are ?${PARAMETERS.join('=, ?')}=`);
  const { list = 'todo', master, cert, key } = Object.fromEntries(searchParams);
  if (!/^[\w.-]+$/.test(list))
    throw new TypeError('the name of its list is invalid; use letters, digits, ".", "-" and "_"');
  if (attempt(() => decodeURIComponent(username + password), undefined) === undefined)
    throw new TypeError('its user or password has a "%" that begins no escape; write it as %25');
  if (master !== undefined && (kind !== 'sentinel' || !/^[\w.-]+$/.test(master)))
    throw new TypeError(
      'its ?master= is not a name of sentinels; leave it out, or give redis-sentinel://host?master=NAME',
    );
  if ((cert !== undefined || key !== undefined) && (!cert || !key || scheme !== 'rediss'))
    throw new TypeError('its certificate is incomplete; give TLS, as in rediss://, and both ?cert=FILE&key=FILE');
  // The message about a missing file shows its name.
  if (`${cert}${key}`.includes('-----'))
    throw new TypeError('its ?cert= or ?key= is the text of a PEM file; write it to a file, and give the name of that');
  const database = pathname.slice(1);
  const place = `${kind === 'server' ? scheme : `${scheme}-${kind}`}://${hosts}${database && `/${database}`}`;
  return {
    what: `"${place}${list === 'todo' ? '' : `?list=${list}`}"`,
    keys: { items: `{${list}}:items`, order: `{${list}}:order`, list: `{${list}}:list` },
    kind: kind as RedisLocation['kind'],
    servers: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (kind === 'sentinel' ? 26379 : 6379)),
    })),
    master: master ?? 'mymaster',
    isSecure: scheme === 'rediss',
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: Number(database),
    certificate: cert && key ? { cert, key } : undefined,
  };
}
