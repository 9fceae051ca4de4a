/**
 * Answers the liveness check `/health` and the readiness check `/ready`.
 *
 * During the shutdown, `/ready` answers 503, so that a load balancer stops sending requests. `/health` still answers
 * 200. Otherwise a supervisor might restart the service and so abort running requests.
 */
import { assertOptions, isGetOrHead } from '../../extending.ts';
import { type Context, json, type Plugin, problemReply, type Reply, type Stage } from '../../index.ts';

/** The options of `health`. */
interface HealthOptions {
  /**
   * Returns true while the service accepts requests. Instead of returning false, it may throw an `HttpProblem` with the
   * reason. It is not called after the service or the application has begun to stop.
   */
  readonly ready: () => boolean | Promise<boolean>;
}

/**
 * Returns a plugin that answers GET and HEAD of `/health` and `/ready`. The paths are case-insensitive. The description
 * does not list them. Throws a `TypeError` if `ready` is not a function.
 *
 *     const { handler } = application([health({ ready: () => service.ready }), todo()]);
 *     const service = new HttpService(handler);
 */
export function health(options: HealthOptions): Plugin {
  assertOptions('report the health', options, ['ready']);
  const { ready } = options;
  if (typeof ready !== 'function')
    throw new TypeError('Cannot report the health: "ready" is not a function; give { ready: () => service.ready }');
  const readiness = async (context: Context): Promise<Reply> => {
    if (!context.stopping.aborted && (await ready())) return answer('ready');
    return problemReply(context, 503, 'The service is stopping', { headers: { 'Retry-After': '1' } });
  };
  const health: Stage = (context, next) => {
    if (isGetOrHead(context, '/health')) return answer('alive');
    return isGetOrHead(context, '/ready') ? readiness(context) : next(context);
  };
  return { name: 'health', stages: [health] };
}

const answer = (status: string): Reply => json({ status }, { headers: { 'Cache-Control': 'no-store' } });
