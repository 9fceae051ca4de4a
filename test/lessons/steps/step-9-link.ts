/**
 * Step 9: a link.
 *
 * Without it: a handler writes the path of another route as a text, `/notes/${title}`. The title of a note may hold a
 * slash or a question mark, and then the client that follows `Location` finds nothing. Whoever changes the template
 * has to find all those texts.
 *
 * How one sees it: start the step before it, then ask from another terminal, and follow the `Location`.
 *
 *     node --import tsx test/lessons/steps/serve.ts 8
 *     curl -i --data-binary "salt/pepper?" localhost:8080/notes
 *
 * Added: a route may have a name, and a handler gets `link`, which writes the template of that route with values. What
 * it writes, the template reads back, but for `.` and `..` alone, which no path can carry.
 *
 * The real core: `src/core/routing/link-route.ts`. It also takes values from the request, leaves defaults out, obeys
 * constraints, writes a query, and makes no path that leads to another host. Lessons 8, 13 and 14 are about it.
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
    const found = routes.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no route with the name ${name}`);
    return found.template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = values[parameter];
      if (value === undefined || value === '') throw new Error(`A link to ${name} needs a value for ${parameter}`);
      return encodeURIComponent(value);
    });
  };
  return collection(routes.map((one) => ({ ...one, handle: (context, values) => one.handle(context, values, link) })));
}
