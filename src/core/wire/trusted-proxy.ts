/**
 * Decides who the client of a request is: the peer of the socket or, where that is a trusted proxy, the client that
 * `X-Forwarded-For: 192.0.2.60, 10.0.0.1` or `Forwarded: for=192.0.2.60;proto=https` (RFC 7239) names (D18).
 *
 * Any client can send such a list. So it is read from its end, where the nearest proxy wrote, and only as far as the
 * proxies are trusted. A proxy passes the other family of headers on unchanged, so only the one that is set is read.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { Context } from '../message/context.ts';
import { splitOutsideQuotes, TOKEN } from '../message/headers/content-type.ts';
import { isBasePath, isHost } from '../message/path.ts';
import { isUnixSocket } from './connection/node-internals.ts';

/** Is the socket of the request a TLS socket? */
export const isEncrypted = ({ request: { socket } }: Pick<Context, 'request'>): boolean =>
  'encrypted' in socket && socket.encrypted === true;

/** The addresses of the proxies whose headers are used. */
export interface TrustedProxies {
  /**
   * Does a trusted proxy have this address? An IPv4 address may be written as IPv6, `::ffff:10.0.0.1`. The socket is
   * that of the peer, which has no address where it is a Unix socket.
   */
  has(address: string | undefined, socket?: Socket): boolean;
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

/**
 * Reads addresses, ranges such as `10.0.0.0/8`, `loopback`, and `unix` for who connects to a Unix socket. Throws a
 * `SyntaxError` that quotes any other entry.
 */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const addresses = new BlockList();
  const hasUnix = entries.includes('unix');
  const words: Readonly<Record<string, readonly string[]>> = { loopback: ['127.0.0.0/8', '::1'], unix: [] };
  for (const entry of entries.flatMap((one) => (Object.hasOwn(words, one) ? words[one]! : one))) {
    const [address = '', bits, ...rest] = entry.split('/');
    const version = isIP(address);
    const width = version === 6 ? 128 : 32;
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width);
    if (version === 0 || rest.length > 0 || !isRange)
      throw new SyntaxError(
        `Cannot trust the proxy "${entry}": it is no address; give one such as ::1, 10.0.0.0/8, loopback or unix`,
      );
    addresses.addSubnet(address, Number(bits ?? width), version === 6 ? 'ipv6' : 'ipv4');
  }
  return {
    has(address, socket) {
      if (address === undefined) return hasUnix && socket !== undefined && isUnixSocket(socket);
      const plain = withoutMapping(address);
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
  if (!trusted.has(peer, request.socket)) return direct;
  const isX = family === 'x-forwarded';
  let { remoteAddress, host } = direct;
  let protocol: string = direct.protocol;
  // A further hop replaces what a nearer one says, up to the first that is not trusted.
  for (const hop of isX ? hopsOfX(headers) : hopsOfForwarded(headers.forwarded)) {
    const address = hop.for === undefined ? undefined : nodeName(hop.for);
    remoteAddress = address ?? remoteAddress;
    protocol = hop.proto?.toLowerCase() ?? protocol;
    host = hop.host ?? host;
    if (!trusted.has(address)) break;
  }
  return {
    remoteAddress: remoteAddress && withoutMapping(remoteAddress),
    protocol: protocol === 'http' || protocol === 'https' ? protocol : direct.protocol,
    host: host !== undefined && isHost(host) ? host : direct.host,
    prefix: isX ? prefixOf(headers['x-forwarded-prefix']) : '',
  };
}

function prefixOf(header: string | readonly string[] | undefined): string {
  const prefixes = String(header ?? '').split(',');
  const prefix = prefixes.map((one) => one.trim().replace(/\/$/, '')).join('');
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

/** For no `entries`, the socket alone tells who the client is. Throws a `SyntaxError` for one that is no address. */
export function forwardingBy(entries: readonly string[], family: ForwardedFamily): Forwarding {
  if (!Array.isArray(entries))
    throw new TypeError("Cannot trust what is no list of proxies: give trustedProxies: ['loopback'] or addresses");
  if (entries.length === 0) {
    const remoteAddress: Forwarding['remoteAddress'] = ({ request }) => request.socket.remoteAddress;
    return { secure: isEncrypted, remoteAddress, prefixOf: undefined, hostOf: undefined };
  }
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
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** What one proxy says of the request that it received, as it is written; `for` is the sender. */
type Hop = Readonly<Partial<Record<string, string>>>;

/** A token, or an address that its proxy did not quote. */
const UNQUOTED_VALUE = /^[!#$%&'*+.^_`|~\w:[\]-]+$/;
const QUOTED_VALUE = /^"(?:[^"\\]|\\.)*"$/;

/** The hops of a `Forwarded` header, the nearest first, up to the first element that breaks the grammar. */
function* hopsOfForwarded(header = ''): Generator<Hop> {
  for (const element of splitFromEnd(header)) {
    if (element.trim() === '') continue;
    const hop = hopOf(element);
    // The elements in front come from further away: a client that sends half a quoted string hides only its own.
    if (hop === undefined) return;
    yield hop;
  }
}

/** The parameters of an element by name in lower case; undefined when one breaks the grammar. */
function hopOf(element: string): Hop | undefined {
  const hop: Record<string, string> = {};
  for (const parameter of splitOutsideQuotes(element, ';')) {
    const end = parameter.indexOf('=');
    const name = parameter.slice(0, end).toLowerCase();
    const value = parameter.slice(end + 1);
    if (end < 0 || !TOKEN.test(name)) return undefined;
    if (UNQUOTED_VALUE.test(value)) hop[name] = value;
    else if (QUOTED_VALUE.test(value)) hop[name] = value.slice(1, -1).replace(/\\(.)/g, '$1');
    else return undefined;
  }
  return hop;
}

/** The hops of the `X-Forwarded-*` headers, the nearest first: the lists are aligned at their ends. */
function* hopsOfX(headers: IncomingHttpHeaders): Generator<Hop> {
  const [addresses = [], protocols = [], hosts = []] = ['for', 'proto', 'host'].map((name) =>
    headers[`x-forwarded-${name}`]?.toString().split(',').reverse(),
  );
  const length = Math.max(addresses.length, protocols.length, hosts.length);
  for (let at = 0; at < length; at++)
    yield { for: addresses[at]?.trim(), proto: protocols[at]?.trim(), host: hosts[at]?.trim() };
}

/** The name without a port: `192.0.2.1:80` → `192.0.2.1`; `unknown` for a text that is no node name (RFC 7239 §6). */
function nodeName(text: string): string {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\](?::\w+)?|([^:]+)(?::\w+)?)$/i.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  if (plain !== undefined && TOKEN.test(plain)) return plain;
  return /^[\da-f:.]+$/i.test(text) ? text : 'unknown';
}

/** The pieces between commas that are not in a quoted string, the last one first. */
function splitFromEnd(text: string): string[] {
  const pieces: string[] = [];
  let end = text.length;
  let quoted = false;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === '"' && quoted) {
      let backslashes = 0;
      while (text[at - backslashes - 1] === '\\') backslashes++;
      // A quote after an odd number of backslashes is escaped and belongs to the string.
      quoted = backslashes % 2 === 1;
      at -= backslashes;
    } else if (text[at] === '"') quoted = true;
    else if (!quoted && text[at] === ',') {
      pieces.push(text.slice(at + 1, end));
      end = at;
    }
  }
  return [...pieces, text.slice(0, end)];
}

/**
 * The part of an address that its client cannot choose, for what is counted by client: `2001:db8:0:7` for
 * `2001:db8:0:7::1`, since one IPv6 client has a network of at least 64 bits and may take a new address for each
 * request (RFC 6177 §2, RFC 8981); `192.0.2.1` also for `::ffff:192.0.2.1`; what is no address as it is.
 */
export function networkOf(address: string): string {
  const [plain = ''] = withoutMapping(address).split('%');
  if (!isIPv6(plain)) return plain;
  // In one spelling: lower case, no leading zeros, no dots.
  const [before = '', behind = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [before, behind].map((text) => (text === '' ? [] : text.split(':'))) as [string[], string[]];
  const zeros = new Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
