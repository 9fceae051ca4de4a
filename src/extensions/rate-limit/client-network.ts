/** Names the network of a client, for what is counted by client (D79). */
import { isIPv6 } from 'node:net';
import { withoutMapping } from '../../core/wire/trusted-proxy.ts';

/**
 * The part of an address that its client cannot choose, for what is counted by client: `2001:db8:0:7` for
 * `2001:db8:0:7::1`, since one IPv6 client has a network of at least 64 bits and may take a new address for each
 * request (RFC 6177 §2, RFC 8981); `192.0.2.1` also for `::ffff:192.0.2.1` in any spelling. A text that is not an
 * address stays as it is.
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
