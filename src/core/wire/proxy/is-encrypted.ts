/** Decides whether a request reached this process over TLS. What a proxy says of TLS is read in `trusted-proxy.ts`. */
import type { Context } from '../../message/context.ts';

/** Is the socket of the request a TLS socket? */
export const isEncrypted = ({ request: { socket } }: Pick<Context, 'request'>): boolean =>
  'encrypted' in socket && socket.encrypted === true;
