/**
 * Lets requests pass that come from this machine, and none of a page of another origin.
 *
 * A page elsewhere can make its name lead to 127.0.0.1, and ask the service as if it were its own server. So the name
 * that is asked for must be a local one too, and a request that sends something must come from the page itself.
 */
import { BlockList, isIPv6 } from 'node:net';
import { application, type Context, HttpProblem, type Stage } from '../../index.ts';

/** A proxy writes these: who asks it is somebody else. */
const OF_PROXY = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|x-envoy-.*)$/;

/** The stage. It throws an `HttpProblem` 403 for others; where `everyone` is true, for pages of other origins alone. */
export function localOnly(everyone: boolean): Stage {
  // What is a local name is the rule of every application.
  const { answersHost } = application([], { allowedHosts: ['localhost'] });
  const remedy = 'ask it there, or start the service with --trace any';
  const strangerFault = ({ request, remoteAddress, headers }: Context): string | undefined => {
    const isLocal = isLoopback(request.socket.remoteAddress) && isLoopback(remoteAddress);
    if (!isLocal || Object.keys(headers).some((name) => OF_PROXY.test(name)))
      return `The trace answers the machine that it runs on alone; ${remedy}`;
    if (answersHost!(request)) return undefined;
    return `The trace answers to the names of this machine alone, such as localhost and 127.0.0.1; ${remedy}`;
  };
  return function localOnly(context, next) {
    const fault = (everyone ? undefined : strangerFault(context)) ?? originFault(context);
    if (fault !== undefined) throw new HttpProblem(403, fault);
    return next(context);
  };
}

/** A browser tells where the page of a request comes from. Other clients tell nothing, and no page makes them ask. */
function originFault({ headers }: Context): string | undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isOwn && site !== 'cross-site' ? undefined : 'The trace answers its own page alone, and no other origin';
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** An IPv4 address inside of an IPv6 one is that address. */
const isLoopback = (address = ''): boolean => LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
