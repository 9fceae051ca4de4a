/**
 * Step 9: a link.
 *
 * Without it: a handler writes the path of another route as a text, `/notes/${title}`. The title of a note may contain
 * a slash or a question mark, and then a client that follows `Location` gets a 404. After a change of the template you
 * must find all these texts.
 *
 * See it: start the step before this one, then send the request from another terminal and follow the `Location`.
 *
 *     node --import tsx test/lessons/steps/serve.ts 8
 *     curl -i --data-binary "salt/pepper?" localhost:8080/notes
 *
 * Added: a route may have a name, and a handler gets `link`, which puts values into the template of that route. The
 * template reads the same values back, except `.` and `..`, which a path cannot contain.
 *
 * The real core: `src/core/routing/link-route.ts`. It also takes values from the request, leaves defaults out, obeys
 * constraints, writes a query, and never returns a path that leads to another host. Lessons 8, 13 and 14 are about it.
 */
import type { Context, Reply, Stage } from '../tiny.ts';
import type { Values } from './step-7-template.ts';
import { collection, type Route } from './step-8-collection.ts';

type Link = (name: string, values: Values) => string;

export interface NamedRoute extends Omit<Route, 'handle'> {
  readonly name?: string;
  readonly handle: (context: Context, values: Values, link: Link) => Reply | Promise<Reply>;
}

export function linkedCollection(routes: readonly NamedRoute[]): Stage {
  const link: Link = (name, values) => {
    const target = routes.find((route) => route.name === name);
    if (target === undefined) throw new Error(`There is no route with the name ${name}`);
    return target.template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = values[parameter];
      if (value === undefined || value === '') throw new Error(`A link to ${name} needs a value for ${parameter}`);
      return encodeURIComponent(value);
    });
  };
  return collection(
    routes.map((route) => ({ ...route, handle: (context, values) => route.handle(context, values, link) })),
  );
}
