/** Calls the handler of the first route that matches a request, or the next stage if none matches (§4.3). */
import type { Context } from '../message/context.ts';
import { contextBelow } from '../message/context-with.ts';
import { readyReply } from '../message/ready-reply.ts';
import { recordOf } from '../message/request-record.ts';
import { pipeline } from '../pipeline/pipeline.ts';
import type { Stage } from '../pipeline/stage.ts';
import { methodsText } from './explain.ts';
import type { LinkValues, Route, RouteInput, RouteLinker, RouteLinks, RouteMatch, RouteValues } from './route.ts';
import type { RouteCollection } from './route-collection.ts';

/** Makes the stage. It throws an `InvalidReply` for a reply that cannot be sent. */
export const routing = (routes: RouteCollection): Stage =>
  function routing(context, next) {
    // The index proposes routes in their order, and `matchRoute` decides for each.
    const match = routes.match(context);
    if (match === undefined) return next(context);
    const { route } = match;
    const record = recordOf(context);
    if (record !== undefined) record.route = route; // for the log, which names the route
    const answer = (passed: Context) =>
      readyReply(route.handle(new MatchedInput(passed, match, routes)), passed, () => routeLabel(route));
    const inside = route.prefix === undefined ? context : (contextBelow(context, route.prefix) ?? context);
    return route.stages === undefined ? answer(inside) : pipeline(route.stages, answer)(inside);
  };

const routeLabel = (route: Route): string =>
  `the route "${route.method === undefined ? '' : `${methodsText(route)} `}${route.template.text}"`;

/** The input for one request. Its links are made in a getter, so a handler that makes none costs no closure. */
class MatchedInput implements RouteInput {
  readonly context: Context;
  readonly route: Route;
  readonly values: RouteValues;
  readonly routes: RouteLinks;

  constructor(context: Context, { route, values }: RouteMatch, routes: RouteLinks) {
    this.context = context;
    this.route = route;
    this.values = values;
    this.routes = routes;
  }

  get linkBase(): string {
    const { basePath } = this.context;
    const { prefix = '' } = this.route;
    return basePath.endsWith(prefix) ? basePath.slice(0, basePath.length - prefix.length) : basePath;
  }

  get link(): RouteLinker {
    return ((to: string | LinkValues, given?: LinkValues) => {
      const { route, values: ambient } = this;
      if (typeof to === 'string') {
        const link = this.routes.link(given ?? {}, { name: to, ambient, scopes: route.linkScopes });
        return link && this.linkBase + link.path;
      }
      // An iterator gives its pairs once, and a failure tells them.
      const values = Symbol.iterator in to ? [...to] : to;
      const link = this.routes.link(values, { route, ambient });
      if (link !== undefined) return this.linkBase + link.path;
      const name = route.name ?? `${methodsText(route)} ${route.template.text}`;
      throw this.routes.linkFailure(`the link of "${name}" to itself`, values, { route, ambient });
    }) as RouteLinker;
  }
}
