/**
 * Reads the list of hops that proxies write, from `Forwarded` (RFC 7239 §4) or from the `X-Forwarded-*` headers.
 *
 * `Forwarded: for=192.0.2.60;proto=https, for="[2001:db8::1]:4711"` and `X-Forwarded-For: 192.0.2.60, 10.0.0.1` give
 * the same kind of list. Each proxy appends, and the client can write the beginning: both are read from the end.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { TOKEN } from '../../message/headers/content-type.ts';

/** What one proxy says of the request that it received. */
export interface Hop {
  /** The address of the sender without port and brackets, or an identifier such as `unknown` or `_hidden`. */
  readonly address?: string;
  /** In lower case. */
  readonly protocol?: string;
  readonly host?: string;
}

/** A token, or an address with colons and brackets that its proxy did not quote. */
const UNQUOTED_VALUE = /^[!#$%&'*+.^_`|~\w:[\]-]+$/;
const QUOTED_VALUE = /^"(?:[^"\\]|\\.)*"$/;

/** The hops of a `Forwarded` header, the nearest first, up to the first element that breaks the grammar. */
export function parseForwarded(header: string | undefined): readonly Hop[] {
  const hops: Hop[] = [];
  for (const element of splitFromEnd(header ?? '', ',')) {
    if (element.trim() === '') continue;
    const parameters = parseParameters(element);
    // The elements in front come from further away: a client that sends half a quoted string hides only its own.
    if (parameters === undefined) break;
    hops.push(hop(parameters.get('for'), parameters.get('proto'), parameters.get('host')));
  }
  return hops;
}

/** The parameters of an element by name in lower case; undefined when one breaks the grammar. */
function parseParameters(element: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const piece of splitFromEnd(element, ';').reverse()) {
    const parameter = piece.trim();
    const end = parameter.indexOf('=');
    const name = parameter.slice(0, end);
    const value = parameter.slice(end + 1);
    if (end < 0 || !TOKEN.test(name)) return undefined;
    if (UNQUOTED_VALUE.test(value)) parameters.set(name.toLowerCase(), value);
    else if (QUOTED_VALUE.test(value)) parameters.set(name.toLowerCase(), value.slice(1, -1).replace(/\\(.)/g, '$1'));
    else return undefined;
  }
  return parameters;
}

/** The hops of the `X-Forwarded-*` headers, the nearest first: the lists are aligned at their ends. */
export function parseForwardedX(headers: IncomingHttpHeaders): readonly Hop[] {
  const addresses = listFromEnd(headers['x-forwarded-for']);
  const protocols = listFromEnd(headers['x-forwarded-proto']);
  const hosts = listFromEnd(headers['x-forwarded-host']);
  const length = Math.max(addresses.length, protocols.length, hosts.length);
  return Array.from({ length }, (_, at) => hop(addresses[at], protocols[at], hosts[at]));
}

function listFromEnd(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const entries = String(header).split(',');
  return entries.map((entry) => entry.trim()).reverse();
}

const hop = (address: string | undefined, protocol: string | undefined, host: string | undefined): Hop => ({
  ...(address !== undefined && { address: nodeName(address) }),
  ...(protocol !== undefined && { protocol: protocol.toLowerCase() }),
  ...(host !== undefined && { host }),
});

/** The name without a port: `192.0.2.1:80` → `192.0.2.1`; `unknown` for a text that is no node name (RFC 7239 §6). */
function nodeName(text: string): string {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\](?::\w+)?|([^:]+)(?::\w+)?)$/i.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  if (plain !== undefined && TOKEN.test(plain)) return plain;
  return /^[\da-f:.]+$/i.test(text) ? text : 'unknown';
}

/** The pieces between separators that are not in a quoted string, the last one first. */
function splitFromEnd(text: string, separator: string): string[] {
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
    else if (!quoted && text[at] === separator) {
      pieces.push(text.slice(at + 1, end));
      end = at;
    }
  }
  return [...pieces, text.slice(0, end)];
}
