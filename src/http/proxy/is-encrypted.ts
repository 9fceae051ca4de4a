/** Did a request come over TLS to this very process? What a proxy in front says is for `trusted-proxy.ts` to judge. */
import type { Context } from '../message/context.ts';

/** Is the socket of the request a TLS socket? */
export const isEncrypted = ({ request: { socket } }: Pick<Context, 'request'>): boolean =>
  'encrypted' in socket && socket.encrypted === true;
