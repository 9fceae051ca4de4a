/** Answers, for the stages of a service behind trusted proxies, who has sent a request and how (D18). */
import type { IncomingMessage } from 'node:http';
import { type Forwarded, type ForwardedFamily, forwarded, trustedProxies } from './trusted-proxy.ts';

/** What is known of a request through its proxies. */
export interface Forwarding {
  /** True where the client has used https. */
  readonly secure: (context: { readonly request: IncomingMessage }) => boolean;
  /** The address of the client; undefined where the connection is closed. */
  readonly remoteAddress: (context: { readonly request: IncomingMessage }) => string | undefined;
  /** The path that the proxies have removed from the front of the request path. */
  readonly prefixOf: (request: IncomingMessage) => string;
}

/** `entries` are addresses and ranges. Throws a `SyntaxError` for an entry that is none. */
export function forwardingBy(entries: readonly string[], family: ForwardedFamily): Forwarding {
  const trusted = trustedProxies(entries);
  const seen = (request: IncomingMessage): Forwarded => forwarded(request, trusted, family);
  return {
    secure: ({ request }) => seen(request).protocol === 'https',
    remoteAddress: ({ request }) => seen(request).remoteAddress,
    prefixOf: (request) => seen(request).prefix,
  };
}
