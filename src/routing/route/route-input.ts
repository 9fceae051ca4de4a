/** Makes the input of a handler of the route that matched a request. */
import type { Context } from '../../http/message/context.ts';
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
    return (name, values = {}) => {
      const { linkScopes: scopes } = this.route;
      const link = this.routes.link(values, { name, ambient: this.values, scopes });
      return link && this.context.basePath + link.path;
    };
  }
}
