/** Makes the input of a handler of the route that matched a request. */

import type { Context } from '../../message/context.ts';
import type { LinkValues } from './link-values.ts';
import type { Route, RouteInput, RouteLinker, RouteLinks, RouteMatch, RouteValues } from './route.ts';

/** The input for one request. Its links are made in a getter, so a handler that makes none costs no closure. */
export class MatchedInput implements RouteInput {
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

  get link(): RouteLinker {
    return (to: string | LinkValues, given?: LinkValues) => {
      const { route, values: ambient } = this;
      const { linkScopes: scopes } = route;
      const link =
        typeof to === 'string'
          ? this.routes.link(given ?? {}, { name: to, ambient, scopes })
          : this.routes.link(to, { route, ambient });
      return link && this.context.basePath + link.path;
    };
  }
}
