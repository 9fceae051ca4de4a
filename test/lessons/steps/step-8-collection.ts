/**
 * Step 8: a collection.
 *
 * Without it: each route is a stage that sees no other route. A DELETE of a read-only note falls through all of them,
 * and the answer is the same as for an unknown path. And if two routes have the same method and template, the second
 * one never runs, and nobody notices.
 *
 * See it: start the step before this one, then send requests from another terminal. The reply is a 404, `Not found`,
 * although the note is there.
 *
 *     node --import tsx test/lessons/steps/serve.ts 7
 *     curl -i -X DELETE localhost:8080/notes/a%20b
 *
 * Added: routes are data, and one stage has all of them. The first match answers. If only the method is wrong, the
 * reply names the allowed methods (405 and `Allow`, RFC 9110 §15.5.6). A duplicate route is an error at the start.
 *
 * A 404 is not wrong (RFC 9110 §15.5.5). The service of this repository answers a wrong method with 404, because its
 * contract has no 405 (D9). The 405 gives the client more information. An application gets it with the plugin
 * `allowedMethods()`.
 *
 * The real core: `src/core/routing/route-collection.ts`. Its index, `src/core/routing/route-index.ts`, shortens the
 * list of routes that are tried. `src/core/routing/shadowed.ts` finds unreachable routes, and
 * `src/shelf/methods/methods.ts` answers the 405.
 */
import { type RouteHandler, type Stage, text } from '../tiny.ts';
import { templateOf } from './step-7-template.ts';

export interface Route {
  readonly method: string;
  readonly template: string;
  readonly handle: RouteHandler;
}

export function collection(routes: readonly Route[]): Stage {
  const declared = new Set<string>();
  const prepared = routes.map((route) => {
    const key = `${route.method} ${route.template.toLowerCase()}`;
    if (declared.has(key)) throw new SyntaxError(`The route ${key} exists twice: remove one of them`);
    declared.add(key);
    return { ...route, match: templateOf(route.template) };
  });
  return (context, next) => {
    const allowed: string[] = [];
    for (const { method, handle, match } of prepared) {
      const values = match(context.path);
      if (values === undefined) continue;
      if (method === context.method) return handle(context, values);
      allowed.push(method);
    }
    if (allowed.length === 0) return next(context);
    const reply = text('This path has other methods', 405);
    return { ...reply, headers: { ...reply.headers, Allow: allowed.join(', ') } };
  };
}
