/**
 * Answers the liveness check `/health` and the readiness check `/ready`.
 *
 * During the shutdown, `/ready` answers 503, so that a load balancer stops sending requests. `/health` still answers
 * 200. Otherwise a supervisor might restart the service and so abort running requests.
 */
import { assertOptions, isGetOrHead, probeSlot } from '../../extending.ts';
import { type Context, json, type Plugin, problemReply, type Reply, type Stage } from '../../index.ts';

/** True, or further members of the body of `/ready`, while the service accepts requests; otherwise false. */
type Readiness = boolean | object;

/** The options of `health`. */
interface HealthOptions {
  /**
   * Returns true while the service accepts requests, or an object with further members of the body, such as the state
   * of a database. Returns false while the service starts or stops. Do not return false for a lost database: a balancer
   * would take away all instances at once. Instead of returning false, the function may throw an `HttpProblem` with the
   * reason. It is not called after the service or the application has begun to stop.
   */
  readonly ready: () => Readiness | Promise<Readiness>;
}

/**
 * Returns a plugin that answers GET and HEAD of `/health` and `/ready`. The paths are case-insensitive. The description
 * does not list them, and the access log, the metrics and the trace omit their requests. Throws a `TypeError` if `ready`
 * is not a function.
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
    const state = !context.stopping.aborted && (await ready());
    if (state) return answer('ready', state);
    return problemReply(context, 503, 'The service is starting or stopping', { headers: { 'Retry-After': '1' } });
  };
  const health: Stage = (context, next) => {
    const isReadiness = isGetOrHead(context, '/ready');
    if (!isReadiness && !isGetOrHead(context, '/health')) return next(context);
    probeSlot.set(context, true);
    return isReadiness ? readiness(context) : answer('alive');
  };
  return { name: 'health', stages: [health] };
}

const answer = (status: string, members: Readiness = true): Reply =>
  json({ status, ...(typeof members === 'object' && members) }, { headers: { 'Cache-Control': 'no-store' } });
