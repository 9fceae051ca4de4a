/**
 * Who the client is when a proxy stands in front: what the `X-Forwarded-*` lines or `Forwarded` (RFC 7239) say, believed
 * only when the peer of the socket is a proxy that the settings name (D18).
 *
 * Anyone can send `X-Forwarded-For: 10.0.0.1`. So the list is read from its end, where the nearest proxy wrote, and only
 * as far as trusted proxies go. A proxy writes one family of headers and lets the other through as the client sent it, so
 * one family is read, the one that the settings name.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { isHost } from '../message/path.ts';
import { addressRanges } from './address-range.ts';
import { type Hop, parseForwarded, parseForwardedX } from './forwarded-hops.ts';
import { isEncrypted } from './is-encrypted.ts';

/** The proxies that are believed. */
export interface TrustedProxies {
  /** Is this the address of one? IPv4 addresses written as IPv6 (`::ffff:10.0.0.1`) count as IPv4. */
  has(address: string | undefined): boolean;
}

/** The headers that the proxies write: `X-Forwarded-For` and its companions, `X-Forwarded-Prefix` included, or `Forwarded`. */
export type ForwardedFamily = 'x-forwarded' | 'forwarded';

/** A request as the outermost trusted proxy saw it. */
export interface Forwarded {
  /** Without a port. An identifier such as `unknown` where a proxy hides it; undefined when the socket is gone. */
  readonly remoteAddress: string | undefined;
  readonly protocol: 'http' | 'https';
  /** With the port where one was given. Undefined when the request names none. */
  readonly host: string | undefined;
  /** The path that proxies cut off in front, without a final slash; empty when there is none, as always with `Forwarded`. */
  readonly prefix: string;
}

const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+;=:@-]|%(?!2e)[\da-f]{2})+)+$/i;

/** Reads a list of entries, see `addressRanges`. Throws a `SyntaxError` that quotes the entry that is no address. */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const addresses = new BlockList();
  for (const { address, bits, family } of entries.flatMap(addressRanges)) addresses.addSubnet(address, bits, family);
  return {
    has(address) {
      const plain = address && withoutMapping(address),
        version = plain ? isIP(plain) : 0;
      return version !== 0 && addresses.check(plain!, version === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

/**
 * The client, protocol, host and prefix of a request: those of the socket unless its peer is trusted. Headers of the other family
 * are not read. Never throws.
 */
export function forwarded(
  request: IncomingMessage,
  trusted: TrustedProxies,
  family: ForwardedFamily = 'x-forwarded',
): Forwarded {
  const peer = request.socket.remoteAddress,
    headers = request.headers;
  const direct: Forwarded = {
    remoteAddress: peer && withoutMapping(peer),
    protocol: isEncrypted({ request }) ? 'https' : 'http',
    host: headers.host,
    prefix: '',
  };
  if (!trusted.has(peer)) return direct;
  const inX = family === 'x-forwarded';
  const { address, protocol, host } = outermost(
    inX ? parseForwardedX(headers) : parseForwarded(headers.forwarded),
    trusted,
  );
  return {
    remoteAddress: address ?? direct.remoteAddress,
    protocol: protocol === 'http' || protocol === 'https' ? protocol : direct.protocol,
    host: host !== undefined && host !== '' && isHost(host) ? host : direct.host,
    prefix: inX ? prefixOf(headers['x-forwarded-prefix']) : '',
  };
}

/** From the nearest proxy outwards: the first hop that was not made by a trusted proxy, else the outermost. */
function outermost(hops: readonly Hop[], trusted: TrustedProxies): Hop {
  let seen: Hop = {};
  for (const hop of hops) {
    seen = { ...seen, ...hop };
    if (!trusted.has(hop.address)) break;
  }
  return seen.address === undefined ? seen : { ...seen, address: withoutMapping(seen.address) };
}

function prefixOf(header: string | readonly string[] | undefined): string {
  const prefix = String(header ?? '')
    .split(',')
    .map((piece) => piece.trim().replace(/\/$/, ''))
    .join('');
  return PREFIX.test(prefix) ? prefix : '';
}

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
