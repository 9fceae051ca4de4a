/**
 * Tells which methods a path takes (D79): OPTIONS gets them in `Allow`, an unsupported method a 405 with `Allow`
 * (RFC 9110 §9.3.7, §15.5.6), and HEAD is answered as GET is, without the body (§9.3.2).
 *
 * A route that ends in a catch-all says nothing of the methods of a path: `{*page}` matches every path, so none would
 * be unknown. It does not answer in the place of another route that takes a path. A path that only catch-alls match, or
 * none, is passed on as it is. The description does not list these answers: no operation declares them.
 */

import type { Application, Plugin } from '../../core/application/plugin.ts';
import type { Context } from '../../core/message/context.ts';
import { contextWith } from '../../core/message/context-with.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import { empty } from '../../core/message/replies.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import type { Route, RouteMatch } from '../../core/routing/route.ts';
import type { RouteCollection } from '../../core/routing/route-collection.ts';

/**
 * The plugin. Give it as the last one: what an earlier stage answers, a file for example, has no route, and the
 * preflight requests of browsers belong to `cors`. Mounted, it tells of the paths below its prefix.
 *
 *     application([staticSite({ root: 'public' }), todo(), allowedMethods()]);
 */
export function allowedMethods(): Plugin {
  let started: Application | undefined;
  let known: readonly string[] = [];

  const allowedMethods: Stage = (context, next) => {
    if (started === undefined)
      throw new Error('Cannot tell the methods of a path: the application has not been started; await start() first');
    const { routes, prefix = '' } = started;
    const { method } = context;
    const path = prefix + context.path;
    // For a value that is too long, for example, `routing` fails in the same way.
    if (isTaken(routes, method, path)) return next(context);
    const taken = known.filter((one) => one !== method && isTaken(routes, one, path));
    if (taken.length === 0) return next(context);
    if (method === 'HEAD' && taken.includes('GET')) return next(asGet(context));
    const listed = taken.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : one));
    const Allow = [...new Set([...listed, 'OPTIONS'])].join(', ');
    if (method === 'OPTIONS') return empty({ headers: { Allow } });
    throw new HttpProblem(405, `This path does not take ${method}, only ${Allow}`, { headers: { Allow } });
  };

  return {
    name: 'allowed-methods',
    stages: [allowedMethods],
    start(application) {
      started = application;
      known = [...new Set(Array.from(application.routes, methodsOf).flat())];
    },
  };
}

/**
 * The plugin that answers HEAD by the routes of GET, and tells nothing of methods (D104): every other method that no
 * route takes stays 404. A page under a catch-all is answered too; a route for HEAD itself comes first.
 *
 *     application([todo(), headForGet()]);
 */
export function headForGet(): Plugin {
  let started: Application | undefined;

  const headForGet: Stage = (context, next) => {
    if (context.method !== 'HEAD') return next(context);
    if (started === undefined)
      throw new Error('Cannot answer HEAD by GET: the application has not been started; await start() first');
    const { routes, prefix = '' } = started;
    const head = routes.find('HEAD', prefix + context.path);
    const get = head !== undefined && !endsInCatchAll(head) ? undefined : routes.find('GET', prefix + context.path);
    const isOfGet = get !== undefined && (head === undefined || !endsInCatchAll(get));
    return next(isOfGet ? asGet(context) : context);
  };

  return {
    name: 'head-for-get',
    stages: [headForGet],
    start(application) {
      started = application;
    },
  };
}

/** The methods that a route names, in upper case. A route for any method, `*`, names none: it refuses none. */
const methodsOf = ({ method = [] }: Route): string[] =>
  [method].flat().includes('*') ? [] : [method].flat().map((one) => one.toUpperCase());

const endsInCatchAll = ({ route }: RouteMatch): boolean => route.template.parameters.at(-1)?.catchAll === true;

/** Is there a route for the method? */
function isTaken(routes: RouteCollection, method: string, path: string): boolean {
  const found = routes.find(method, path);
  return found !== undefined && !endsInCatchAll(found);
}

/** The server sends no body to HEAD. A range means something for GET alone (RFC 9110 §14.2). */
function asGet(context: Context): Context {
  const { range: _, ...headers } = context.headers;
  return contextWith(context, { method: 'GET', headers });
}
