/**
 * Decides whether a service answers under the host that a request names (D43).
 *
 * A page elsewhere can make a name of its own lead to the address of the service, and then reads it as its own server
 * (DNS rebinding). The browser sends that name, so a list of the names that are answered ends it.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { authorityOf, isHost } from '../message/path.ts';
import type { Forwarding } from './trusted-proxy.ts';

/** An entry as a Host header has it, with brackets around IPv6. Throws a `SyntaxError` that quotes any other text. */
export function allowedHost(entry: string): string {
  const host = isIPv6(entry) ? `[${entry}]` : entry;
  if (nameAndPort(host) !== undefined && !host.includes('*')) return host;
  throw new SyntaxError(
    `Cannot allow the host "${entry}": it is no name and no address; give one such as api.example or [::1]:8080`,
  );
}

/**
 * Tells whether a request is for one of the hosts; undefined for an empty list, which allows all. Each host that the
 * request names has to be in the list: that of the target or else of `Host`, and that which a trusted proxy tells.
 */
export function hostCheck(
  entries: readonly string[],
  { hostOf }: Forwarding,
): ((request: IncomingMessage) => boolean) | undefined {
  if (!Array.isArray(entries))
    throw new TypeError("Cannot allow what is no list of hosts: give allowedHosts: ['api.example'] or addresses");
  if (entries.length === 0) return undefined;
  const allowed = new Set(
    entries.map(allowedHost).map((entry) => {
      const { name, port } = nameAndPort(entry)!;
      return /:\d*$/.test(entry) ? `${name}:${port}` : name;
    }),
  );
  const isAllowed = (host: string | undefined): boolean => {
    const { name, port } = nameAndPort(host ?? '') ?? {};
    if (name === undefined) return false;
    const names = LOOPBACK.test(name) ? [name, 'localhost'] : [name];
    return names.some((one) => allowed.has(one) || allowed.has(`${one}:${port}`));
  };
  return (request) => {
    const { host } = request.headers;
    const told = hostOf?.(request) ?? host;
    return isAllowed(authorityOf(request.url!) ?? host) && (told === host || isAllowed(told));
  };
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** In one spelling, without the ports 80 and 443, as browsers write it; undefined for a text that is not a host. */
function nameAndPort(host: string): { readonly name: string; readonly port: string } | undefined {
  if (!isHost(host) || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname, port } = new URL(`http://${host}`);
  return { name: hostname.replace(/\.$/, ''), port: port === '443' ? '' : port };
}
