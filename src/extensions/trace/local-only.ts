/**
 * Lets in who sits at this machine, and no page of another origin.
 *
 * A page elsewhere can make its name lead to 127.0.0.1, and ask the service as if it were its own server. So the name
 * that is asked for must be a local one too, and a request that sends something must come from the page itself.
 */
import { isIPv4 } from 'node:net';
import { type Context, HttpProblem, type Stage } from '../../index.ts';

/** A proxy writes these: who asks it is somebody else. */
const OF_PROXY = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|x-envoy-.*)$/;

/** The stage. It throws an `HttpProblem` 403 for others; where `everyone` is true, for pages of other origins alone. */
export const localOnly = (everyone: boolean): Stage =>
  function localOnly(context, next) {
    const fault = (everyone ? undefined : strangerFault(context)) ?? originFault(context);
    if (fault !== undefined) throw new HttpProblem(403, fault);
    return next(context);
  };

function strangerFault({ request, remoteAddress, headers }: Context): string | undefined {
  const remedy = 'ask it there, or start the service with --trace any';
  const isLocal = isLoopback(request.socket.remoteAddress) && isLoopback(remoteAddress);
  if (!isLocal || Object.keys(headers).some((name) => OF_PROXY.test(name)))
    return `The trace answers the machine that it runs on alone; ${remedy}`;
  if (isLocalName(headers.host)) return undefined;
  return `The trace answers to the names of this machine alone, such as localhost and 127.0.0.1; ${remedy}`;
}

/** A browser tells where the page of a request comes from. Other clients tell nothing, and no page makes them ask. */
function originFault({ headers }: Context): string | undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isOwn && site !== 'cross-site' ? undefined : 'The trace answers its own page alone, and no other origin';
}

const isLoopback = (address = ''): boolean => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
};

function isLocalName(host = ''): boolean {
  const name = host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}
