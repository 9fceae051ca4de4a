/**
 * Answers the liveness check `/health` and the readiness check `/ready`.
 *
 * While the service stops, `/ready` is 503, so that a load balancer sends no more requests. `/health` stays 200, since
 * a restart would abort running requests.
 */
import type { Plugin } from '../../core/application/plugin.ts';
import { type Context, isGetOrHead } from '../../core/message/context.ts';
import { problemReply } from '../../core/message/problem.ts';
import { json } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';

/** The state that the checks report. */
interface HealthOptions {
  /**
   * Does the service accept requests? It is not asked once the service or the application begins to stop. It may throw
   * an `HttpProblem`, or reject with one, to tell what it lacks.
   */
  readonly ready: () => boolean | Promise<boolean>;
}

/**
 * Answers GET and HEAD of `/health` and `/ready`, which ignore case. The description does not list them.
 *
 *     const { handler } = application([health({ ready: () => service.ready }), todo()]);
 *     const service = new HttpService(handler);
 */
export function health(options: HealthOptions): Plugin {
  assertOptions('report the health', options, ['ready']);
  const { ready } = options;
  if (typeof ready !== 'function')
    throw new TypeError('Cannot report the health: "ready" is no function; give { ready: () => service.ready }');
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
