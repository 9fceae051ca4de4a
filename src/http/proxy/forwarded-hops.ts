/**
 * The two spellings of "who asked whom", each as a list of hops, the nearest first.
 *
 * `Forwarded: for=192.0.2.60;proto=https, for="[2001:db8::1]:4711"` (RFC 7239 §4) and `X-Forwarded-For: 192.0.2.60, 10.0.0.1` with
 * its companions come to the same list. Both are read from their end, where the nearest proxy wrote; the beginning may be the client's.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** What one proxy says of the request that reached it. */
export interface Hop {
  /** An address without port or brackets, or an identifier such as `unknown` or `_hidden`. */
  readonly address?: string;
  /** Lower case. */
  readonly protocol?: string;
  readonly host?: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
/** A token, or an address with colons and brackets that should have been quoted. */
const PLAIN_VALUE = /^[!#$%&'*+.^_`|~\w:[\]-]+$/;
const QUOTED_VALUE = /^"(?:[^"\\]|\\.)*"$/;

/** The hops of a `Forwarded` header, nearest first, as far as its elements keep to the grammar; none when there is no header. */
export function parseForwarded(header: string | undefined): readonly Hop[] {
  if (header === undefined) return [];
  const hops: Hop[] = [];
  for (const element of piecesFromEnd(header, ',')) {
    if (element.trim() === '') continue;
    const pairs = pairsOf(element);
    // What lies in front comes from further away: a client that sends half a quoted string hides nothing but itself.
    if (pairs === undefined) break;
    hops.push(hop(pairs.get('for'), pairs.get('proto'), pairs.get('host')));
  }
  return hops;
}

/** The parameters of an element, names in lower case; undefined when one breaks the grammar. */
function pairsOf(element: string): ReadonlyMap<string, string> | undefined {
  const pairs = new Map<string, string>();
  for (const piece of piecesFromEnd(element, ';').reverse()) {
    const pair = piece.trim(),
      end = pair.indexOf('='),
      name = pair.slice(0, end),
      value = pair.slice(end + 1);
    if (end < 0 || !TOKEN.test(name)) return undefined;
    if (PLAIN_VALUE.test(value)) pairs.set(name.toLowerCase(), value);
    else if (QUOTED_VALUE.test(value)) pairs.set(name.toLowerCase(), value.slice(1, -1).replace(/\\(.)/g, '$1'));
    else return undefined;
  }
  return pairs;
}

/**
 * The hops of `X-Forwarded-For`, nearest first, with protocol and host of the same place; a companion list that is shorter
 * speaks for the hops it reaches, so that a single `X-Forwarded-Proto` is that of the nearest.
 */
export function parseForwardedX(headers: IncomingHttpHeaders): readonly Hop[] {
  const addresses = entries(headers['x-forwarded-for']);
  const protocols = entries(headers['x-forwarded-proto']),
    hosts = entries(headers['x-forwarded-host']);
  const length = Math.max(addresses.length, protocols.length, hosts.length);
  return Array.from({ length }, (_, at) => hop(addresses[at], protocols[at], hosts[at]));
}

const entries = (header: string | readonly string[] | undefined): string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((entry) => entry.trim())
        .reverse();

function hop(address: string | undefined, protocol: string | undefined, host: string | undefined): Hop {
  const node = address === undefined ? undefined : nodeName(address);
  return {
    ...(node === undefined ? {} : { address: node }),
    ...(protocol === undefined ? {} : { protocol: protocol.toLowerCase() }),
    ...(host === undefined ? {} : { host }),
  };
}

/** `192.0.2.1:80` → `192.0.2.1`, `[2001:db8::1]:80` → `2001:db8::1`; what is no node name (RFC 7239 §6) is `unknown`. */
function nodeName(text: string): string {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\](?::\w+)?|([^:]+)(?::\w+)?)$/i.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  if (plain !== undefined && TOKEN.test(plain)) return plain;
  return /^[\da-f:.]+$/i.test(text) ? text : 'unknown';
}

/** The pieces between separators that stand in no quoted string, the last one first. */
function piecesFromEnd(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let end = text.length,
    quoted = false;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === '"' && quoted) {
      let slashes = 0;
      while (text[at - slashes - 1] === '\\') slashes++;
      // Behind an odd number of backslashes it is part of the string.
      quoted = slashes % 2 === 1;
      at -= slashes;
    } else if (text[at] === '"') quoted = true;
    else if (!quoted && text[at] === separator) {
      pieces.push(text.slice(at + 1, end));
      end = at;
    }
  }
  return [...pieces, text.slice(0, end)];
}
