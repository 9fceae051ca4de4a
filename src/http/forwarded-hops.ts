/**
 * The two spellings of "who asked whom", each as a list of hops, the nearest first.
 *
 * `Forwarded: for=192.0.2.60;proto=https, for="[2001:db8::1]:4711"` (RFC 7239 §4) and
 * `X-Forwarded-For: 192.0.2.60, 10.0.0.1` with its companions come to the same list. A text that breaks the grammar is no hop at all.
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
const PAIR = /^\s*([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w:[\]-]+)|"((?:[^"\\]|\\.)*)")\s*$/;

/** The hops of a `Forwarded` header, nearest first; none when there is no header or it breaks the grammar. */
export function parseForwarded(header: string | undefined): readonly Hop[] {
  if (header === undefined) return [];
  const hops: Hop[] = [];
  for (const element of splitOutsideQuotes(header, ',')) {
    if (element.trim() === '') continue;
    const pairs: Record<string, string> = {};
    for (const pair of splitOutsideQuotes(element, ';')) {
      const [, name, token, quoted] = PAIR.exec(pair) ?? [];
      if (name === undefined) return [];
      pairs[name.toLowerCase()] = token ?? quoted!.replace(/\\(.)/g, '$1');
    }
    hops.push(hop(pairs['for'], pairs['proto'], pairs['host']));
  }
  return hops.reverse();
}

/**
 * The hops of `X-Forwarded-For`, nearest first, with protocol and host of the same place; a companion list that is shorter
 * speaks for the hops it reaches, so that a single `X-Forwarded-Proto` is that of the nearest.
 */
export function parseForwardedX(headers: IncomingHttpHeaders): readonly Hop[] {
  const addresses = entries(headers['x-forwarded-for']);
  const protocols = entries(headers['x-forwarded-proto']), hosts = entries(headers['x-forwarded-host']);
  const length = Math.max(addresses.length, protocols.length, hosts.length);
  return Array.from({ length }, (_, at) => hop(addresses[at], protocols[at], hosts[at]));
}

const entries = (header: string | readonly string[] | undefined): string[] =>
  header === undefined ? [] : String(header).split(',').map((entry) => entry.trim()).reverse();

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

function splitOutsideQuotes(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let start = 0, quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (quoted && text[at] === '\\') at++;
    else if (text[at] === '"') quoted = !quoted;
    else if (!quoted && text[at] === separator) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...pieces, text.slice(start)];
}
