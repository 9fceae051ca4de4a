/**
 * Decides who the client of a request is: the peer of the socket or, where that is a trusted proxy, the client that
 * `X-Forwarded-For: 192.0.2.60, 10.0.0.1` names (D18).
 *
 * Any client can send such a list. So it is read from its end, where the nearest proxy wrote, and only as far as the
 * proxies are trusted.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6, type Socket, SocketAddress } from 'node:net';
import type { Context } from '../message/context.ts';
import { isBasePath } from '../message/normal-path.ts';
import { isHost } from '../message/path.ts';
import { isUnixSocket } from './connection/node-internals.ts';

/** Is the socket of the request a TLS socket? */
export const isEncrypted = ({ request: { socket } }: Pick<Context, 'request'>): boolean =>
  'encrypted' in socket && socket.encrypted === true;

/** The addresses of the proxies whose headers are used. */
interface TrustedProxies {
  /**
   * Does a trusted proxy have this address? An IPv4 address may be written as IPv6, `::ffff:10.0.0.1`. The socket is
   * that of the peer, which has no address where it is a Unix socket.
   */
  has(address: string | undefined, socket?: Socket): boolean;
}

/** A request as the outermost trusted proxy received it. */
export interface Forwarded {
  /** Without a port. `unknown` if a proxy names something else than an address; undefined if the socket is closed. */
  readonly remoteAddress: string | undefined;
  readonly protocol: 'http' | 'https';
  /** With its port, if any. Undefined for a request without a host. */
  readonly host: string | undefined;
  /** The beginning of the path that the proxies removed, without a final slash; empty for none. */
  readonly prefix: string;
}

/** What is wrong with an entry of `trustedProxies`. */
export const PROXY_FAULT =
  'it is not an address or a range; give one such as ::1, 10.0.0.0/8 (up to /32, for IPv6 up to /128), loopback or unix';

const WORDS: Readonly<Record<string, readonly string[]>> = { loopback: ['127.0.0.0/8', '::1'], unix: [] };

/**
 * Reads addresses, ranges such as `10.0.0.0/8`, `loopback`, and `unix` for who connects to a Unix socket. Throws a
 * `SyntaxError` that quotes any other entry.
 */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const ranges = new BlockList();
  const hasUnix = entries.includes('unix');
  for (const entry of entries.flatMap((one) => (Object.hasOwn(WORDS, one) ? WORDS[one]! : one))) {
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

/** The client, protocol, host and prefix: those of the socket unless its peer is trusted. Never throws. */
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
  // A further hop replaces what a nearer one says, up to the first that is not trusted.
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

/** The entries of a list, the nearest proxy last; none for an absent header. */
const entriesOf = (header: string | readonly string[] | undefined): string[] =>
  (header === undefined ? [] : String(header).split(',')).map((entry) => entry.trim());

/** The address without brackets and port: `192.0.2.1:80` → `192.0.2.1`; `unknown` for another text. */
function addressOf(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? 'unknown' : address;
}

function prefixOf(header: string | readonly string[] | undefined): string {
  const prefix = entriesOf(header)
    .map((one) => one.replace(/\/$/, ''))
    .join('');
  return isBasePath(prefix) ? prefix : '';
}

/** What the stages of a service behind trusted proxies ask of a request. */
export interface Forwarding {
  /** True where the client has used https. */
  readonly secure: (context: { readonly request: IncomingMessage }) => boolean;
  /** The address of the client; undefined where the connection is closed. */
  readonly remoteAddress: (context: { readonly request: IncomingMessage }) => string | undefined;
  /** The path that the proxies have removed from the front of the request path; undefined where none is trusted. */
  readonly prefixOf: ((request: IncomingMessage) => string) | undefined;
  /** The host that the client asked for, with its port; undefined where no proxy is trusted. */
  readonly hostOf: ((request: IncomingMessage) => string | undefined) | undefined;
}

/**
 * Without `entries`, the socket alone says who the client is. Throws a `SyntaxError` that quotes an entry that is not an
 * address or a range.
 */
export function forwardingBy(entries: readonly string[]): Forwarding {
  if (!Array.isArray(entries))
    throw new TypeError("Cannot trust what is no list of proxies: give trustedProxies: ['loopback'] or addresses");
  if (entries.length === 0) {
    const remoteAddress: Forwarding['remoteAddress'] = ({ request }) => clientOf(request.socket);
    return { secure: isEncrypted, remoteAddress, prefixOf: undefined, hostOf: undefined };
  }
  const trusted = trustedProxies(entries);
  const seen = (request: IncomingMessage): Forwarded => forwarded(request, trusted);
  return {
    secure: ({ request }) => seen(request).protocol === 'https',
    remoteAddress: ({ request }) => seen(request).remoteAddress,
    prefixOf: (request) => seen(request).prefix,
    hostOf: (request) => seen(request).host,
  };
}

/**
 * The IPv4 address that an IPv6 address stands for (RFC 4291 §2.5.5.2): `192.0.2.1` for `::ffff:192.0.2.1`, also where
 * that is spelled `::FFFF:c000:201` or with all its zeros. Any other text as it is.
 */
export function withoutMapping(address: string): string {
  // The spelling of Node for a peer, without the 2 µs that a `SocketAddress` takes for each request.
  if (address.startsWith('::ffff:') && isIPv4(address.slice(7))) return address.slice(7);
  if (!/:ffff:/i.test(address) || !isIPv6(address)) return address;
  const [, mapped] = /^::ffff:(.*\..*)$/.exec(new SocketAddress({ address, family: 'ipv6' }).address) ?? [];
  return mapped ?? address;
}

/** The address of the peer; undefined for a Unix socket and a closed one. */
export const clientOf = ({ remoteAddress }: Socket): string | undefined =>
  remoteAddress && withoutMapping(remoteAddress);
