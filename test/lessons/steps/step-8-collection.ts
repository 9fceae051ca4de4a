/**
 * Step 8: a collection.
 *
 * Without it: each route is a stage that knows itself alone. A DELETE of what can only be read falls through all of
 * them and is answered as if nothing stood at that path. And of two routes with one method and template the second is
 * never asked; nobody notices.
 *
 * How one sees it: start the step before it, then ask from another terminal. The reply is a 404, `Not found`, though
 * the note is there.
 *
 *     node --import tsx test/lessons/steps/serve.ts 7
 *     curl -i -X DELETE localhost:8080/notes/a%20b
 *
 * Added: routes are data, and one stage has them all. The first that matches answers. Where only the method is wrong,
 * the reply names those that there are (405 and `Allow`, RFC 9110 §15.5.6). A route that is there twice is an error at
 * the start.
 *
 * A 404 is not wrong (RFC 9110 §15.5.5). The service of this repository answers it, because its contract does not have
 * the 405: to a method that no route takes it answers as to a path that no route takes (D9). The 405 tells a client
 * more. An application chooses it with the plugin `allowedMethods()`.
 *
 * The real core: `src/core/routing/route-collection.ts`; its index, `src/core/routing/route-index.ts`, finds the same
 * route without asking all. `src/core/routing/shadowed.ts` finds the routes that no request reaches, and
 * `src/extensions/allowed-methods/allowed-methods.ts` answers the 405.
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
  const prepared = routes.map((one) => {
    const key = `${one.method} ${one.template.toLowerCase()}`;
    if (declared.has(key)) throw new SyntaxError(`The route ${key} is there twice: leave one of them out`);
    declared.add(key);
    return { ...one, match: templateOf(one.template) };
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
