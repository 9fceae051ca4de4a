/**
 * Reduces the address of a client to the part that it cannot choose, for what is counted by client.
 *
 * One IPv6 client has a network of at least 64 bits to itself and may take a new address from it for each request
 * (RFC 6177 §2, RFC 8981). An IPv4 address stays whole.
 */
import { isIPv6 } from 'node:net';
import { withoutMapping } from './trusted-proxy.ts';

/** `2001:db8:0:7` for `2001:db8:0:7::1`; `192.0.2.1` also for `::ffff:192.0.2.1`; what is no address as it is. */
export function networkOf(address: string): string {
  const [plain = ''] = withoutMapping(address).split('%');
  if (!isIPv6(plain)) return plain;
  // In one spelling: lower case, no leading zeros, no dots.
  const [before = '', behind = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [before, behind].map((text) => (text === '' ? [] : text.split(':'))) as [string[], string[]];
  const zeros = new Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
