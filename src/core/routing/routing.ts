/** Calls the handler of the first route that matches a request, or the next stage if none matches (§4.3). */
import type { Context } from '../message/context.ts';
import { contextBelow } from '../message/context-with.ts';
import { prefixSegments } from '../message/path.ts';
import { readyReply } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import { setMatchedTemplate } from '../message/request-notes.ts';
import { askStage, namedStage } from '../pipeline/pipeline.ts';
import type { Stage } from '../pipeline/stage.ts';
import { methodsText, routeText } from './explain.ts';
import type { LinkValues, Route, RouteInput, RouteLinker, RouteLinks, RouteMatch, RouteValues } from './route.ts';
import type { RouteCollection } from './route-collection.ts';

/** Makes the stage. It throws an `InvalidReply` for a reply that cannot be sent. */
export const routing = (routes: RouteCollection): Stage => {
  // A collection may get further routes, so each is put behind its stages with its first request.
  const handlers = new Map<Route, MatchHandler>();
  return function routing(context, next) {
    const match = routes.match(context);
    if (match === undefined) return next(context);
    const { route } = match;
    setMatchedTemplate(context, route.template.text);
    if (!handlers.has(route)) handlers.set(route, matchHandler(route, routes));
    return handlers.get(route)!(context, match);
  };
};

/** Answers a request that a route has matched. */
type MatchHandler = (context: Context, match: RouteMatch) => Reply | Promise<Reply>;

/** Puts the stages of a route in front of its handler. A request passes them together with its match. */
function matchHandler(route: Route, routes: RouteLinks): MatchHandler {
  const { prefix, stages = [] } = route;
  const name = (): string => `the route ${routeText(route)}`;
  const inner = stages.map(namedStage).reduceRight<MatchHandler>(
    (next, stage) => (context, match) => askStage(stage, context, (passed) => next(passed, match)),
    (context, match) => readyReply(route.handle(new MatchedInput(context, match, routes)), context, name),
  );
  if (prefix === undefined) return inner;
  const segments = prefixSegments(prefix);
  return (context, match) => inner(contextBelow(context, prefix, segments) ?? context, match);
}

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
    return ((to: string | LinkValues, values: LinkValues = {}) => {
      if (typeof to !== 'string') return this.#pathOf(to);
      const link = this.routes.link(values, { name: to, ambient: this.values, scopes: this.route.linkScopes });
      return link && this.linkBase + link.path;
    }) as RouteLinker;
  }

  /** The path of the own route for other values. */
  #pathOf(given: LinkValues): string {
    const { route, routes } = this;
    const from = { route, ambient: this.values };
    // An iterator gives its pairs once, and they are read twice.
    const values = Symbol.iterator in given ? [...given] : given;
    const link = routes.link(values, from);
    if (link !== undefined) return this.linkBase + link.path;
    const name = route.name ?? `${methodsText(route)} ${route.template.text}`;
    throw routes.linkFailure(`the link of "${name}" to itself`, values, from);
  }
}
