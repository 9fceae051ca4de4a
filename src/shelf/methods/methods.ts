/**
 * Answers requests whose method the path does not support (D79). The reply to OPTIONS has the supported methods in
 * `Allow`. The reply to any other unsupported method is a 405 with `Allow` (RFC 9110 §9.3.7, §15.5.6). HEAD uses the
 * route for GET; the server drops the body of the reply (§9.3.2).
 *
 * Routes that end in a catch-all are ignored if they have no method, or only GET and HEAD, like those of pages:
 * `{*page}` matches every path, so no path would be unknown. If no other route matches the path, the request goes to the
 * next stage. A method is supported if, for this method and the path, the first matching route is not ignored (D79). The
 * description does not list the replies of this plugin, because no operation declares them.
 */

import type { RouteCollection, RouteMatch } from '../../http.ts';
import { type Context, contextWith, empty, HttpProblem, type Plugin, type Route, type Stage } from '../../index.ts';

/**
 * Returns the plugin. Make it the last plugin: stages of other plugins may answer requests without a route, for example
 * for files, or preflight requests. A mounted `allowedMethods()` handles only the paths below its prefix.
 *
 *     application([staticSite({ root: 'public' }), todo(), allowedMethods()]);
 */
export function allowedMethods(): Plugin {
  return {
    name: 'allowed-methods',
    parts({ routes, prefix = '' }) {
      let known: readonly string[] | undefined;

      const allowedMethods: Stage = (context, next) => {
        const { method } = context;
        const path = prefix + context.path;
        // For some paths `find` throws, for example if a value is too long. The stage `routing` would throw the same error.
        if (hasRoute(routes, method, path)) return next(context);
        known ??= [...new Set(Array.from(routes, methodsOf).flat())];
        const supported = known.filter((other) => other !== method && hasRoute(routes, other, path));
        if (supported.length === 0) return next(context);
        if (method === 'HEAD' && supported.includes('GET')) return next(asGet(context));
        const listed = supported.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : name));
        const Allow = [...new Set([...listed, 'OPTIONS'])].join(', ');
        if (method === 'OPTIONS') return empty({ headers: { Allow } });
        throw new HttpProblem(405, `This path does not support ${method}, only ${Allow}`, { headers: { Allow } });
      };

      return { stages: [allowedMethods] };
    },
  };
}

/**
 * Returns a plugin that answers HEAD with the route for GET, even if that route ends in a catch-all. A route for HEAD
 * takes precedence. The plugin does not change the reply to other methods: without a route, it is a 404 (D104).
 *
 *     application([todo(), headForGet()]);
 */
export function headForGet(): Plugin {
  return {
    name: 'head-for-get',
    parts({ routes, prefix = '' }) {
      const headForGet: Stage = (context, next) => {
        if (context.method !== 'HEAD') return next(context);
        const head = routes.find('HEAD', prefix + context.path);
        const get = head !== undefined && !endsInCatchAll(head) ? undefined : routes.find('GET', prefix + context.path);
        const isOfGet = get !== undefined && (head === undefined || !endsInCatchAll(get));
        return next(isOfGet ? asGet(context) : context);
      };

      return { stages: [headForGet] };
    },
  };
}

/** Returns the methods of a route in upper case; an empty array for a route that accepts any method (`*`). */
const methodsOf = ({ method = [] }: Route): string[] =>
  [method].flat().includes('*') ? [] : [method].flat().map((name) => name.toUpperCase());

const endsInCatchAll = ({ route }: RouteMatch): boolean => route.template.parameters.at(-1)?.catchAll === true;

/** True for a route that answers what no other route answers, such as the route of the pages of a site. */
const isForTheRest = (match: RouteMatch): boolean =>
  endsInCatchAll(match) && methodsOf(match.route).every((method) => method === 'GET' || method === 'HEAD');

/** Returns true if the first route that matches the method and the path is not for the rest. */
function hasRoute(routes: RouteCollection, method: string, path: string): boolean {
  const found = routes.find(method, path);
  return found !== undefined && !isForTheRest(found);
}

/** Returns the context of a GET without `Range`, which a HEAD must ignore (RFC 9110 §14.2). */
function asGet(context: Context): Context {
  const { range: _, ...headers } = context.headers;
  return contextWith(context, { method: 'GET', headers });
}
