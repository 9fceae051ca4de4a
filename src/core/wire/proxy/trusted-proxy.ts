/**
 * Decides who the client of a request is: the peer of the socket or, where that is a trusted proxy, the client that
 * `X-Forwarded-*` or `Forwarded` (RFC 7239) names (D18).
 *
 * Any client can send `X-Forwarded-For: 10.0.0.1`. So the list is read from its end, where the nearest proxy wrote, and
 * only as far as the proxies are trusted. A proxy writes one family of headers and passes the other on unchanged, so
 * only the family that the settings name is read.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { isHost } from '../../message/path.ts';
import { addressRanges } from './address-range.ts';
import { type Hop, parseForwarded, parseForwardedX } from './forwarded-hops.ts';
import { isEncrypted } from './is-encrypted.ts';

/** The addresses of the proxies whose headers are used. */
export interface TrustedProxies {
  /** Does a trusted proxy have this address? An IPv4 address may be written as IPv6, `::ffff:10.0.0.1`. */
  has(address: string | undefined): boolean;
}

/** The headers that the proxies write: `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix`, or `Forwarded`. */
export type ForwardedFamily = 'x-forwarded' | 'forwarded';

/** A request as the outermost trusted proxy received it. */
export interface Forwarded {
  /** Without a port. An identifier such as `unknown` where a proxy hides it; undefined when the socket is closed. */
  readonly remoteAddress: string | undefined;
  readonly protocol: 'http' | 'https';
  /** With its port, if any. Undefined for a request without a host. */
  readonly host: string | undefined;
  /** The beginning of the path that the proxies removed, without a final slash; empty for none and with `Forwarded`. */
  readonly prefix: string;
}

const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+;=:@-]|%(?!2e)[\da-f]{2})+)+$/i;

/** May links begin with this path? It has no query, no dot segment and no final slash. */
export const isPathPrefix = (path: string): boolean => PREFIX.test(path);

/** Reads entries such as `10.0.0.0/8` or `loopback`. Throws a `SyntaxError` for one that is no address. */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const addresses = new BlockList();
  for (const { address, bits, family } of entries.flatMap(addressRanges)) addresses.addSubnet(address, bits, family);
  return {
    has(address) {
      const plain = withoutMapping(address ?? '');
      const version = isIP(plain);
      return version !== 0 && addresses.check(plain, version === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

/** The client, protocol, host and prefix: those of the socket unless its peer is trusted. Never throws. */
export function forwarded(
  request: IncomingMessage,
  trusted: TrustedProxies,
  family: ForwardedFamily = 'x-forwarded',
): Forwarded {
  const { headers } = request;
  const peer = request.socket.remoteAddress;
  const direct: Forwarded = {
    remoteAddress: peer && withoutMapping(peer),
    protocol: isEncrypted({ request }) ? 'https' : 'http',
    host: headers.host,
    prefix: '',
  };
  if (!trusted.has(peer)) return direct;
  const isX = family === 'x-forwarded';
  const hops = isX ? parseForwardedX(headers) : parseForwarded(headers.forwarded);
  const { address, protocol, host } = outermost(hops, trusted);
  return {
    remoteAddress: address === undefined ? direct.remoteAddress : withoutMapping(address),
    protocol: protocol === 'http' || protocol === 'https' ? protocol : direct.protocol,
    host: host !== undefined && isHost(host) ? host : direct.host,
    prefix: isX ? prefixOf(headers['x-forwarded-prefix']) : '',
  };
}

/** Merges the hops from the nearest to the first that is not trusted. A further hop replaces what a nearer one says. */
function outermost(hops: readonly Hop[], trusted: TrustedProxies): Hop {
  let merged: Hop = {};
  for (const hop of hops) {
    merged = { ...merged, ...hop };
    if (!trusted.has(hop.address)) break;
  }
  return merged;
}

function prefixOf(header: string | readonly string[] | undefined): string {
  const prefix = String(header ?? '')
    .split(',')
    .map((piece) => piece.trim().replace(/\/$/, ''))
    .join('');
  return isPathPrefix(prefix) ? prefix : '';
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

/** Without trusted proxies, the socket alone tells who the client is. */
const DIRECT: Forwarding = {
  secure: isEncrypted,
  remoteAddress: ({ request }) => request.socket.remoteAddress,
  prefixOf: undefined,
  hostOf: undefined,
};

/** `entries` are addresses and ranges. Throws a `SyntaxError` for an entry that is none, a `TypeError` for no list. */
export function forwardingBy(entries: readonly string[], family: ForwardedFamily): Forwarding {
  if (!Array.isArray(entries))
    throw new TypeError("Cannot trust what is no list of proxies: give trustedProxies: ['loopback'] or addresses");
  if (entries.length === 0) return DIRECT;
  const trusted = trustedProxies(entries);
  const seen = (request: IncomingMessage): Forwarded => forwarded(request, trusted, family);
  return {
    secure: ({ request }) => seen(request).protocol === 'https',
    remoteAddress: ({ request }) => seen(request).remoteAddress,
    prefixOf: (request) => seen(request).prefix,
    hostOf: (request) => seen(request).host,
  };
}

/** Without the prefix of an IPv4 address that is written as IPv6. */
export const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
