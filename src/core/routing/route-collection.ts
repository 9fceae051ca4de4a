/** Decides which route answers a request: the first in order that matches; later ones are not tried (§4.3). */
import type { Context } from '../message/context.ts';
import { type SentPath, sentPath } from '../message/path.ts';
import { foldCase } from '../message/text.ts';
import type { ConstraintFactory, ConstraintPredicate } from './constraints/constraint.ts';
import { ConstraintTable } from './constraints/constraint-table.ts';
import { explainLink, explainRequest, type LinkTrial, type RouteTrial, refusedLink } from './explain.ts';
import { applyLinkStyle, type LinkStyle, linkRoute, linkTexts } from './link-route.ts';
import { matchRoute } from './match-route.ts';
import { type PreparedRoute, prepareRoute } from './prepared-route.ts';
import {
  assertRoute,
  type Link,
  type LinkOrigin,
  type LinkValues,
  type Route,
  type RouteLinks,
  type RouteMatch,
} from './route.ts';
import { RouteIndex } from './route-index.ts';
import { type ShadowedRoute, shadowedRoutes } from './shadowed.ts';
import { TemplateError } from './template.ts';

/** The style of all links, and the constraints that routes can name. */
export interface RouteCollectionOptions extends LinkStyle {
  /** Further constraints by name: a predicate for one without arguments, otherwise a factory. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> | undefined;
}

/**
 * Routes in their order.
 *
 *     const hello = route({ path: 'hello/{who}', name: 'hello', handle: ({ values }) => text(`Hello ${values.who}`) });
 *     const routes = new RouteCollection().add(hello);
 *     const path = routes.link({ who: 'World' }, { name: 'hello' })?.path;
 */
export class RouteCollection implements RouteLinks, Iterable<Route> {
  readonly #linkStyle: LinkStyle;
  readonly #constraints: ConstraintTable;
  readonly #routes: PreparedRoute[] = [];
  readonly #byName = new Map<string, PreparedRoute>();
  readonly #byRoute = new Map<Route, PreparedRoute>();
  readonly #index = new RouteIndex();

  constructor(options: RouteCollectionOptions = {}) {
    this.#linkStyle = options;
    this.#constraints = new ConstraintTable(options.constraints);
  }

  /**
   * Appends routes. If any has mistakes, appends none and throws an `AggregateError` of all `TemplateError`s; a
   * `TypeError` for a value that is not a complete route.
   */
  add(...routes: readonly Route[]): this {
    const mistakes: TemplateError[] = [];
    const names = new Set<string>();
    const added = routes.map((route, index) => {
      assertRoute(route);
      const key = foldCase(route.name ?? '');
      const prepared = prepareRoute(route, this.#routes.length + index, this.#constraints, mistakes);
      if (key !== '' && (this.#byName.has(key) || names.has(key))) {
        const problem = `there is a route named "${route.name}" already`;
        const remedy = 'choose another name, case makes no difference';
        mistakes.push(new TemplateError(route.template.text, 0, problem, remedy));
      }
      names.add(key);
      return prepared;
    });
    if (mistakes.length > 0) throw new AggregateError(mistakes, mistakes.map(({ message }) => message).join('\n'));
    for (const prepared of added as PreparedRoute[]) {
      const { name } = prepared.route;
      this.#routes.push(prepared);
      this.#byRoute.set(prepared.route, prepared);
      this.#index.add(prepared);
      if (name) this.#byName.set(foldCase(name), prepared);
    }
    return this;
  }

  /** Returns the first route that matches a request, with its values. */
  match(context: Context): RouteMatch | undefined {
    return this.#first(context.method, context);
  }

  /**
   * Returns the first route that matches, with its values. `path` is percent-encoded. A segment with a malformed
   * escape, which a server refuses, stays as it is.
   */
  find(method: string, path: string): RouteMatch | undefined {
    return this.#first(method, sentPath(path));
  }

  #first(method: string, sent: SentPath): RouteMatch | undefined {
    for (const prepared of this.#index.candidates(sent.segments, method.toUpperCase())) {
      const result = matchRoute(prepared, sent);
      if ('values' in result) return { route: prepared.route, values: result.values };
    }
    return undefined;
  }

  /** Returns what every route answers to a request, in order. `path` is that of `find`. */
  explain(method: string, path: string): readonly RouteTrial[] {
    return explainRequest(this.#routes, this.#index, method, path);
  }

  /** Returns the link by the first route that can make one from the values, or by the route that `from` names. */
  link(values: LinkValues, from: LinkOrigin = {}): Link | undefined {
    const given = linkTexts(values);
    const ambient = linkTexts(from.ambient);
    for (const prepared of this.#named(from)) {
      const result = linkRoute(prepared, given, ambient);
      if ('path' in result) return { path: applyLinkStyle(result.path, this.#linkStyle), route: prepared.route };
    }
    return undefined;
  }

  /** Returns what each route that `link` can try answers to the values, in order, and what becomes of each value. */
  explainLink(values: LinkValues, from: LinkOrigin = {}): readonly LinkTrial[] {
    const given = linkTexts(values);
    const ambient = linkTexts(from.ambient);
    return this.#named(from).map((prepared) => explainLink(prepared, given, ambient, this.#linkStyle));
  }

  hasNamed(name: string, scopes?: readonly string[]): boolean {
    return this.#named({ name, scopes }).length > 0;
  }

  linkFailure(attempt: string, values: LinkValues, from: LinkOrigin): Error {
    return refusedLink(attempt, values, from, this.explainLink(values, from)[0]);
  }

  /**
   * Returns the routes that no request can reach, in order, each with an earlier route that takes its requests. It
   * takes 5,000 steps, a path or a pair of routes each, and judges no route behind them.
   */
  shadowed(): readonly ShadowedRoute[] {
    return shadowedRoutes(this.#routes, this.#index);
  }

  /** Returns the route of a name, first in the given scopes, or all routes without a name. */
  #named({ name, route, scopes = [] }: LinkOrigin): readonly PreparedRoute[] {
    if (route !== undefined) return [this.#byRoute.get(route) ?? []].flat();
    if (!name) return this.#routes;
    for (const scope of [...scopes, '']) {
      const named = this.#byName.get(foldCase(scope + name));
      if (named !== undefined) return [named];
    }
    return [];
  }

  *[Symbol.iterator](): Iterator<Route> {
    for (const { route } of this.#routes) yield route;
  }
}
