/**
 * Reads an address range from a setting: `10.0.0.1`, `::1`, `10.0.0.0/8`, or `loopback`, this machine.
 *
 * The settings need this file alone, and so load no other file of `proxy/` for a service without proxies.
 */
import { isIP } from 'node:net';

/** All addresses that share their first `bits` bits. */
export interface AddressRange {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reads one entry; `loopback` is two ranges. Throws a `SyntaxError` that quotes an entry that is no address. */
export function addressRanges(entry: string): readonly AddressRange[] {
  if (entry === 'loopback') return [...addressRanges('127.0.0.0/8'), ...addressRanges('::1')];
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  const width = version === 6 ? 128 : 32;
  if (version === 0 || rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= width)))
    throw new SyntaxError(
      `Cannot trust the proxy "${entry}": it is no address; give one such as ::1, 10.0.0.0/8 or loopback`,
    );
  return [{ address, bits: Number(bits ?? width), family: version === 6 ? 'ipv6' : 'ipv4' }];
}
