/** Finds the network of a client, so that a client cannot avoid a limit by using more of its addresses. */
import { isIPv6, SocketAddress } from 'node:net';

/**
 * Returns the part of an address that the client cannot choose. For the IPv6 address `2001:db8:0:7::1` this is the
 * network `2001:db8:0:7`: a client has at least a /64 network and may use a new address for each request (RFC 6177 §2,
 * RFC 8981). Returns `192.0.2.1` for `::ffff:192.0.2.1` in any notation, and any other text unchanged.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  // `SocketAddress` normalizes the address: lower case, no leading zeros, dots only for a mapped address of IPv4.
  const normal = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  const [, mapped] = /^::ffff:(.*\..*)$/.exec(normal) ?? [];
  if (mapped !== undefined) return mapped;
  const groupsOf = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const zeros = '0:'.repeat(8 - groupsOf(normal).length);
  return groupsOf(normal.replace('::', `:${zeros}`))
    .slice(0, 4)
    .join(':');
}
