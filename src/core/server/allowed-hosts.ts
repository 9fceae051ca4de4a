/**
 * Decides whether the service accepts the host of a request (D43).
 *
 * A page on another host can let its host name resolve to the address of the service, and then read the service as its
 * own server (DNS rebinding). The browser sends that host name, so a list of allowed hosts prevents this.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { authorityOf, isHost } from '../http/path.ts';
import type { Forwarding } from './trusted-proxy.ts';

/**
 * Returns the entry as in a Host header, with brackets around IPv6. Throws a `SyntaxError` that quotes an invalid
 * entry.
 */
export function allowedHost(entry: string): string {
  const host = isIPv6(entry) ? `[${entry}]` : entry;
  if (nameAndPort(host) !== undefined && !host.includes('*')) return host;
  throw new SyntaxError(
    `Cannot allow the host "${entry}": it is not a name or an address; use api.example or [::1]:8080, for example`,
  );
}

/**
 * Returns a function that is true for requests to these hosts; undefined for an empty list, which allows every host.
 * Each host of the request must be in the list: the host of the target or of `Host`, and the host from a trusted proxy.
 * Both are checked, because a proxy may forward an `X-Forwarded-Host` that a page has set (D43). A request without a
 * host is refused (D43).
 */
export function hostCheck(
  entries: readonly string[],
  { hostOf }: Forwarding,
): ((request: IncomingMessage) => boolean) | undefined {
  if (!Array.isArray(entries))
    throw new TypeError("Cannot allow the hosts: they are not a list; use allowedHosts: ['api.example'] or addresses");
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
    return names.some((allowedName) => allowed.has(allowedName) || allowed.has(`${allowedName}:${port}`));
  };
  return (request) => {
    const { host } = request.headers;
    const clientHost = hostOf?.(request) ?? host;
    return isAllowed(authorityOf(request.url!) ?? host) && (clientHost === host || isAllowed(clientHost));
  };
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Normalizes a host as browsers do, without the ports 80 and 443. Returns undefined for an invalid host. Case, a final
 * dot and the spelling of an IPv6 address make no difference (D43).
 */
function nameAndPort(host: string): { readonly name: string; readonly port: string } | undefined {
  if (!isHost(host) || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname, port } = new URL(`http://${host}`);
  return { name: hostname.replace(/\.$/, ''), port: port === '443' ? '' : port };
}
