/** Calls the handler of the first route that matches a request, or the next stage if none matches (§4.3). */
import type { Context, Handler } from '../message/context.ts';
import { contextBelow } from '../message/context-with.ts';
import { setMatchedTemplate } from '../message/matched-template.ts';
import { readyReply } from '../message/ready-reply.ts';
import { pipeline } from '../pipeline/pipeline.ts';
import type { Stage } from '../pipeline/stage.ts';
import { methodsText, routeText } from './explain.ts';
import type { LinkValues, Route, RouteInput, RouteLinker, RouteLinks, RouteMatch, RouteValues } from './route.ts';
import type { RouteCollection } from './route-collection.ts';

/** Makes the stage. It throws an `InvalidReply` for a reply that cannot be sent. */
export const routing = (routes: RouteCollection): Stage =>
  function routing(context, next) {
    // The index proposes routes in their order, and `matchRoute` decides for each.
    const match = routes.match(context);
    if (match === undefined) return next(context);
    const { route } = match;
    setMatchedTemplate(context, route.template.text);
    const inside = route.prefix === undefined ? context : (contextBelow(context, route.prefix) ?? context);
    const handle: Handler = (passed) => route.handle(new MatchedInput(passed, match, routes));
    const name = (): string => `the route ${routeText(route)}`;
    if (route.stages === undefined) return readyReply(handle(inside), inside, name);
    return pipeline(route.stages, handle, name)(inside);
  };

/** The input for one request. */
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
    return ((to: string | LinkValues, values?: LinkValues) =>
      typeof to === 'string' ? this.#linkTo(to, values) : this.#linkToItself(to)) as RouteLinker;
  }

  #linkTo(name: string, values: LinkValues = {}): string | undefined {
    const link = this.routes.link(values, { name, ambient: this.values, scopes: this.route.linkScopes });
    return link && this.linkBase + link.path;
  }

  #linkToItself(given: LinkValues): string {
    const { route, values: ambient } = this;
    // An iterator gives its pairs once, and a failure tells them.
    const values = Symbol.iterator in given ? [...given] : given;
    const link = this.routes.link(values, { route, ambient });
    if (link !== undefined) return this.linkBase + link.path;
    const name = route.name ?? `${methodsText(route)} ${route.template.text}`;
    throw this.routes.linkFailure(`the link of "${name}" to itself`, values, { route, ambient });
  }
}
