/** Parses the URL of a list in Redis: `redis://user:password@host:6379/0?list=todo`, with `rediss:` for TLS. */
import { attempt } from '../../core/log/thrown-value.ts';

/** The address of a server. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
}

/** The parsed URL of a list. */
export interface RedisLocation {
  /** The name of the list in messages, without user and password. */
  readonly what: string;
  readonly keys: RedisKeys;
  /**
   * The kind of the servers: a single server, nodes of a cluster, or sentinels that know the address of the server. The
   * scheme of the URL determines the kind. A cluster is not detected automatically (D113).
   */
  readonly kind: 'server' | 'cluster' | 'sentinel';
  readonly servers: readonly RedisServer[];
  /** The name of the server in the configuration of the sentinels. */
  readonly master: string;
  readonly isSecure: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  /** The PEM files of the client's certificate and its key. */
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
}

/** The three keys of a list. They begin with the list's name in braces, so that a cluster stores them in one slot. */
export interface RedisKeys {
  /** A hash. Its fields are the keys of the items; each field contains the version, a space, and the value. */
  readonly items: string;
  /** A sorted set of the keys of the items, with their positions as scores. */
  readonly order: string;
  /** A hash with the format, the version of the list, the last position, and whether the list has ever had an item. */
  readonly list: string;
}

/** Returns true if the text begins with a scheme of a Redis URL. */
export const isRedisUrl = (text: string): boolean => /^rediss?(?:-cluster|-sentinel)?:/i.test(text);

/** The parts of the URL. User and password end at the last `@` before the path. */
const FORM = /^(rediss?)(?:-(cluster|sentinel))?:\/\/([^/?#]*@)?([^/?#@]*)([^]*)$/;
const EXAMPLE = 'give a URL such as redis://localhost:6379, redis-cluster://one,two or redis-sentinel://one,two';
const PARAMETERS = ['list', 'master', 'cert', 'key'];

/** Parses a URL. Throws a `TypeError` with the cause and the remedy; the message does not show the URL. */
export function redisLocation(text: string): RedisLocation {
  const [, scheme = '', kind = 'server', user = '', hosts = '', rest = ''] = FORM.exec(text) ?? [];
  const texts = hosts.split(',').map((host) => `${scheme}://${user}${host}${rest}`);
  const urls = texts.flatMap((url) => (URL.canParse(url) ? [new URL(url)] : []));
  const isWrong = /\s/.test(text) || urls.length < texts.length || urls.some(({ hostname }) => hostname === '');
  if (isWrong || (kind === 'server' && urls.length > 1)) throw new TypeError(`it is not a URL of Redis; ${EXAMPLE}`);
  const { pathname, searchParams, hash, username, password } = urls[0]!;
  if (!/^\/?\d*$/.test(pathname))
    throw new TypeError('its path is not the number of a database; give a URL such as redis://localhost:6379/0');
  if (rest.includes('@'))
    throw new TypeError('it has an "@" after its host; write %40 for it, and %2F for a "/" in the password');
  if (hash !== '' || [...searchParams.keys()].some((name) => !PARAMETERS.includes(name)))
    throw new TypeError(`it has an unknown parameter; use ?${PARAMETERS.join('=, ?')}=`);
  const { list = 'todo', master, cert, key } = Object.fromEntries(searchParams);
  if (!/^[\w.-]+$/.test(list))
    throw new TypeError('the name of its list is invalid; use letters, digits, ".", "-" and "_"');
  if (attempt(() => decodeURIComponent(username + password), undefined) === undefined)
    throw new TypeError('its user or password has a "%" that does not begin an escape; write it as %25');
  if (master !== undefined && (kind !== 'sentinel' || !/^[\w.-]+$/.test(master)))
    throw new TypeError(
      'its ?master= is invalid, or its scheme is not redis-sentinel; use redis-sentinel://host?master=NAME',
    );
  if ((cert !== undefined || key !== undefined) && (!cert || !key || scheme !== 'rediss'))
    throw new TypeError('its certificate is incomplete; use rediss:// for TLS, with both ?cert=FILE&key=FILE');
  // Checked here, because the message about a missing file would show the private key as the name of the file.
  if (`${cert}${key}`.includes('-----'))
    throw new TypeError('its ?cert= or ?key= is the text of a PEM file; write it to a file, and give the file name');
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
