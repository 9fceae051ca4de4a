/** Calls the handler of the first route that matches a request, or the next stage if no route matches (§4.3). */
import type { Context } from '../http/context.ts';
import { ReadyReply, readyReply } from '../http/ready-reply.ts';
import type { Reply } from '../http/reply.ts';
import { matchedTemplateSlot } from '../http/request-notes.ts';
import { askStage, namedStage } from '../pipeline/pipeline.ts';
import type { Stage } from '../pipeline/stage.ts';
import { methodsText, routeText } from './explain.ts';
import type { LinkValues, Route, RouteInput, RouteLinker, RouteLinks, RouteMatch, RouteValues } from './route.ts';
import type { RouteCollection } from './route-collection.ts';

/** Creates the stage. The stage throws an `InvalidReply` if the reply of a route cannot be sent. */
export const routing = (routes: RouteCollection): Stage => {
  // Routes may be added later, so the handler of each route is created for its first request.
  const handlers = new Map<Route, MatchHandler>();
  return function routing(context, next) {
    const match = routes.match(context);
    if (match === undefined) return next(context);
    const { route } = match;
    matchedTemplateSlot.set(context, route.template.text);
    let handler = handlers.get(route);
    if (handler === undefined) handlers.set(route, (handler = matchHandler(route, routes)));
    return handler(context, match);
  };
};

type MatchHandler = (context: Context, match: RouteMatch) => Reply | Promise<Reply>;

/**
 * Returns a function that calls the stages of a route and then its handler. The match is an argument beside the context,
 * and not a value of a slot, because a stage may call `next` several times, with different contexts.
 */
function matchHandler(route: Route, routes: RouteLinks): MatchHandler {
  const name = (): string => `the route ${routeText(route)}`;
  const handle: MatchHandler = (context, match) => {
    const returned = route.handle(new MatchedInput(context, match, routes));
    if (returned instanceof ReadyReply && returned.isPlain) return returned;
    if (!(returned instanceof Promise)) return readyReply(returned, context, name);
    return returned.then((reply) => readyReply(reply, context, name));
  };
  return (route.stages ?? [])
    .map(namedStage)
    .reduceRight<MatchHandler>(
      (next, stage) => (context, match) => askStage(stage, (passed) => next(passed, match), context),
      handle,
    );
}

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

  get link(): RouteLinker {
    return ((to: string | LinkValues, values: LinkValues = {}) => {
      if (typeof to !== 'string') return this.#pathOf(to);
      const link = this.routes.link(values, { name: to, ambient: this.values, scope: this.route.scope });
      return link && this.context.basePath + link.path;
    }) as RouteLinker;
  }

  /** Returns the path of the matched route with these values. */
  #pathOf(linkValues: LinkValues): string {
    const { route, routes } = this;
    const from = { route, ambient: this.values };
    // An iterator yields its pairs only once, but the code below reads them twice.
    const values = Symbol.iterator in linkValues ? [...linkValues] : linkValues;
    const link = routes.link(values, from);
    if (link !== undefined) return this.context.basePath + link.path;
    const name = route.name ?? `${methodsText(route)} ${route.template.text}`;
    throw routes.linkFailure(`the link of "${name}" to itself`, values, from);
  }
}
