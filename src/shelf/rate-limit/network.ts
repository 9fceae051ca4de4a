/** Finds the network of a client, so that a client cannot avoid a limit by using more of its addresses. */
import { BlockList, isIPv6, SocketAddress } from 'node:net';

/** The networks of IPv4 clients behind a translator, which writes the IPv4 address of the client into the rest. */
const TRANSLATED = new BlockList();
TRANSLATED.addSubnet('64:ff9b::', 96, 'ipv6'); // RFC 6052 §2.1
TRANSLATED.addSubnet('64:ff9b:1::', 48, 'ipv6'); // RFC 8215
TRANSLATED.addSubnet('::ffff:0:0:0', 96, 'ipv6'); // RFC 2765 §2.1

/**
 * Returns the part of an address that the client cannot choose. For the IPv6 address `2001:db8:0:7::1` this is the
 * network `2001:db8:0:7`: a client has at least a /64 network and may use a new address for each request (RFC 6177 §2,
 * RFC 8981). A client of 6to4 has a /48 network (RFC 3056 §2). An address that a translator has made from an IPv4
 * address is returned whole. Returns `192.0.2.1` for `::ffff:192.0.2.1` in any notation, and any other text unchanged.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  // `SocketAddress` normalizes the address: lower case, no leading zeros, dots only for a mapped address of IPv4.
  const normal = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  const [, mapped] = /^::ffff:(.*\..*)$/.exec(normal) ?? [];
  if (mapped !== undefined) return mapped;
  if (TRANSLATED.check(plain, 'ipv6')) return normal;
  const groupsOf = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const zeros = '0:'.repeat(8 - groupsOf(normal).length);
  return groupsOf(normal.replace('::', `:${zeros}`))
    .slice(0, normal.startsWith('2002:') ? 3 : 4)
    .join(':');
}
