/**
 * Finds the client of a request: the peer of the socket or, if the peer is a trusted proxy, the client that a header
 * such as `X-Forwarded-For: 192.0.2.60, 10.0.0.1` names (D18).
 *
 * Any client can send such a header. So the list is read backwards, from the entry of the nearest proxy to the first
 * address that is not trusted.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6, type Socket, SocketAddress } from 'node:net';
import type { Context } from '../http/context.ts';
import { isBasePath } from '../http/normal-path.ts';
import { isHost } from '../http/path.ts';
import { isUnixSocket } from './connection/node-internals.ts';

/** True if the request came over a TLS socket. */
export const isEncrypted = ({ request: { socket } }: Pick<Context, 'request'>): boolean =>
  'encrypted' in socket && socket.encrypted === true;

/** The addresses of the proxies whose headers are used. */
interface TrustedProxies {
  /**
   * True if a trusted proxy has this address. An IPv4 address may have the form `::ffff:10.0.0.1`. `socket` identifies
   * the peer of a Unix socket, which has no address.
   */
  has(address: string | undefined, socket?: Socket): boolean;
}

/** A request as the outermost trusted proxy received it. */
export interface Forwarded {
  /** Has no port. `unknown` if a proxy sent a text that is not an address; undefined if the socket is closed. */
  readonly remoteAddress: string | undefined;
  readonly protocol: 'http' | 'https';
  /** Has a port if the request has one. Undefined for a request without a host. */
  readonly host: string | undefined;
  /** The path prefix that the proxies have removed, without a final slash; empty if they have not removed a prefix. */
  readonly prefix: string;
}

/** The cause and the remedy for an invalid entry of `trustedProxies`. */
export const PROXY_FAULT =
  'it is not an address or a range; use ::1, 10.0.0.0/8 (up to /32, for IPv6 up to /128), loopback or unix, for example';

const WORDS: Readonly<Record<string, readonly string[]>> = { loopback: ['127.0.0.0/8', '::1'], unix: [] };

/**
 * Parses addresses, ranges such as `10.0.0.0/8`, `loopback`, and `unix` for the clients of a Unix socket. Throws a
 * `SyntaxError` that quotes an invalid entry. The text `unix` in a header of a request is never trusted (D114).
 */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const ranges = new BlockList();
  const hasUnix = entries.includes('unix');
  for (const entry of entries.flatMap((word) => (Object.hasOwn(WORDS, word) ? WORDS[word]! : word))) {
    // `BlockList` ignores the zone of `fe80::1%eth0`, so an entry with a zone would trust the address in every zone.
    const [, address = '', length] = /^([^/%]+)(?:\/(\d+))?$/.exec(entry) ?? [];
    try {
      if (length === undefined) ranges.addAddress(address, familyOf(address));
      else ranges.addSubnet(address, Number(length), familyOf(address));
    } catch {
      throw new SyntaxError(`Cannot trust the proxy "${entry}": ${PROXY_FAULT}`);
    }
  }
  return {
    has(address, socket) {
      if (address === undefined) return hasUnix && socket !== undefined && isUnixSocket(socket);
      return isIP(address) !== 0 && ranges.check(address, familyOf(address));
    },
  };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Returns the client, protocol, host and prefix. Uses headers of proxies only from a trusted peer. Never throws. */
export function forwarded(request: IncomingMessage, trusted: TrustedProxies): Forwarded {
  const { headers, socket } = request;
  const direct: Forwarded = {
    remoteAddress: clientOf(socket),
    protocol: isEncrypted({ request }) ? 'https' : 'http',
    host: headers.host,
    prefix: '',
  };
  if (!trusted.has(socket.remoteAddress, socket)) return direct;
  let { remoteAddress, host } = direct;
  let protocol: string = direct.protocol;
  const addresses = entriesOf(headers['x-forwarded-for']).map(addressOf);
  const protocols = entriesOf(headers['x-forwarded-proto']);
  const hosts = entriesOf(headers['x-forwarded-host']);
  const hops = Math.max(addresses.length, protocols.length, hosts.length);
  // The values of each proxy replace the values of nearer proxies, up to the first address that is not trusted.
  for (let at = 1; at <= hops; at++) {
    const address = addresses.at(-at);
    remoteAddress = address ?? remoteAddress;
    protocol = protocols.at(-at)?.toLowerCase() ?? protocol;
    host = hosts.at(-at) ?? host;
    if (!trusted.has(address)) break;
  }
  return {
    remoteAddress: remoteAddress && withoutMapping(remoteAddress),
    protocol: protocol === 'http' || protocol === 'https' ? protocol : direct.protocol,
    host: host !== undefined && isHost(host) ? host : direct.host,
    prefix: prefixOf(headers['x-forwarded-prefix']),
  };
}

/** Returns the entries of a header, with the nearest proxy last; an empty list for an absent header. */
const entriesOf = (header: string | readonly string[] | undefined): string[] =>
  (header === undefined ? [] : String(header).split(',')).map((entry) => entry.trim());

/** Returns the address without brackets and port: `192.0.2.1:80` → `192.0.2.1`. Returns `unknown` for another text. */
function addressOf(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? 'unknown' : address;
}

function prefixOf(header: string | readonly string[] | undefined): string {
  const prefix = entriesOf(header)
    .map((entry) => entry.replace(/\/$/, ''))
    .join('');
  return isBasePath(prefix) ? prefix : '';
}

/** Reads the facts about a request that trusted proxies report. */
export interface Forwarding {
  /** True if the client used https. */
  readonly secure: (context: { readonly request: IncomingMessage }) => boolean;
  /** The address of the client; undefined if the connection closes before the first call for the request. */
  readonly remoteAddress: (context: { readonly request: IncomingMessage }) => string | undefined;
  /** The path prefix that the proxies have removed. The function is undefined if no proxy is trusted. */
  readonly prefixOf: ((request: IncomingMessage) => string) | undefined;
  /** The host in the request of the client, with its port. The function is undefined if no proxy is trusted. */
  readonly hostOf: ((request: IncomingMessage) => string | undefined) | undefined;
}

/**
 * Returns functions that read these facts from a request. If `entries` is empty, they read only the socket. Throws a
 * `SyntaxError` that quotes an entry that is not an address or a range.
 */
export function forwardingBy(entries: readonly string[]): Forwarding {
  if (!Array.isArray(entries))
    throw new TypeError("Cannot trust the proxies: they are not a list; use trustedProxies: ['loopback'] or addresses");
  if (entries.length === 0) {
    const remoteAddress: Forwarding['remoteAddress'] = ({ request }) => clientOf(request.socket);
    return { secure: isEncrypted, remoteAddress, prefixOf: undefined, hostOf: undefined };
  }
  const trusted = trustedProxies(entries);
  const known = new WeakMap<IncomingMessage, Forwarded>();
  const factsOf = (request: IncomingMessage): Forwarded => {
    const facts = known.get(request) ?? forwarded(request, trusted);
    known.set(request, facts);
    return facts;
  };
  return {
    secure: ({ request }) => factsOf(request).protocol === 'https',
    remoteAddress: ({ request }) => factsOf(request).remoteAddress,
    prefixOf: (request) => factsOf(request).prefix,
    hostOf: (request) => factsOf(request).host,
  };
}

/**
 * Returns the IPv4 address of an IPv4-mapped IPv6 address in any spelling (RFC 4291 §2.5.5.2): `::ffff:192.0.2.1` and
 * `::FFFF:c000:201` → `192.0.2.1`. Returns any other text unchanged.
 */
function withoutMapping(address: string): string {
  // Node writes the address of a peer in this form. A `SocketAddress` would take 2 µs for each request.
  if (address.startsWith('::ffff:') && isIPv4(address.slice(7))) return address.slice(7);
  if (!/:ffff:/i.test(address) || !isIPv6(address)) return address;
  const [, mapped] = /^::ffff:(.*\..*)$/.exec(new SocketAddress({ address, family: 'ipv6' }).address) ?? [];
  return mapped ?? address;
}

/** Returns the address of the peer; undefined for a Unix socket and for a closed socket. */
export const clientOf = ({ remoteAddress }: Socket): string | undefined =>
  remoteAddress && withoutMapping(remoteAddress);
