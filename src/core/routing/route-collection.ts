/** Decides which route answers a request: the first route that matches. Later routes are not tried (§4.3). */
import type { Context } from '../http/context.ts';
import { splitPath } from '../http/path.ts';
import { foldCase } from '../http/text.ts';
import type { ConstraintFactory, ConstraintPredicate } from './constraints/constraint.ts';
import { ConstraintTable } from './constraints/constraint-table.ts';
import { explainRequest, failedLink, type LinkTrial, missingRoute, type RouteTrial } from './explain.ts';
import { type LinkStyle, linkRoute, linkStyler, linkTexts, NO_TEXTS } from './link-route.ts';
import { fits, matchRoute } from './match-route.ts';
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

/** The style of all links, and custom constraints. */
export interface RouteCollectionOptions extends LinkStyle {
  /** Custom constraints by name: a predicate for a constraint without arguments, otherwise a factory. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> | undefined;
}

/**
 * An ordered list of routes. It finds the route for a request, and makes links to its routes.
 *
 *     const hello = route({ path: 'hello/{who}', name: 'hello', handle: ({ values }) => text(`Hello ${values.who}`) });
 *     const routes = new RouteCollection().add(hello);
 *     const path = routes.link({ who: 'World' }, { name: 'hello' })?.path;
 */
export class RouteCollection implements RouteLinks, Iterable<Route> {
  readonly #styled: ((link: string) => string) | undefined;
  readonly #constraints: ConstraintTable;
  readonly #routes: PreparedRoute[] = [];
  /** By the name, and by the name in folded case. */
  readonly #byName = new Map<string, PreparedRoute>();
  readonly #byRoute = new Map<Route, PreparedRoute>();
  /** Made again for the first request after routes are added. */
  #index: RouteIndex | undefined;

  constructor(options: RouteCollectionOptions = {}) {
    this.#styled = linkStyler(options);
    this.#constraints = new ConstraintTable(options.constraints);
  }

  /**
   * Appends routes. If any route has mistakes, appends no route and throws an `AggregateError` of all `TemplateError`s.
   * Throws a `TypeError` for a value that is not a complete route.
   */
  add(...routes: readonly Route[]): this {
    const mistakes: TemplateError[] = [];
    const names = new Set<string>();
    const added = routes.map((route) => {
      assertRoute(route);
      const key = foldCase(route.name ?? '');
      const prepared = prepareRoute(route, this.#constraints, mistakes);
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
      if (name) this.#byName.set(name, prepared).set(foldCase(name), prepared);
    }
    this.#index = undefined;
    return this;
  }

  /** Returns the first route that matches the request, with its values; undefined if no route matches. */
  match(request: Pick<Context, 'method' | 'path' | 'segments'>): RouteMatch | undefined {
    this.#index ??= new RouteIndex(this.#routes);
    for (const prepared of this.#index.routesFor(request.method.toUpperCase(), request.segments)) {
      if (!fits(prepared, request.segments)) continue;
      const result = matchRoute(prepared, request);
      if ('values' in result) return result;
    }
    return undefined;
  }

  /**
   * Returns the first route that matches, with its values; undefined if no route matches. `path` is percent-encoded. A
   * segment with a malformed escape stays encoded, although a server would refuse it.
   */
  find(method: string, path: string): RouteMatch | undefined {
    return this.match({ method, path, segments: splitPath(path) });
  }

  /** Returns the result of every route for a request, in order. `path` is percent-encoded, as in `find`. */
  explain(method: string, path: string): readonly RouteTrial[] {
    return explainRequest(this.#routes, method, path);
  }

  /** Returns the link of the first route that has a link for the values. `from` can select one route instead. */
  link(values: LinkValues, from: LinkOrigin = {}): Link | undefined {
    const given = linkTexts(values);
    const ambient = from.ambient === undefined ? NO_TEXTS : linkTexts(from.ambient);
    for (const prepared of this.#named(from)) {
      const result = linkRoute(prepared, given, ambient);
      if ('path' in result) return { path: this.#styled?.(result.path) ?? result.path, route: prepared.route };
    }
    return undefined;
  }

  /** Returns the result of each route that `link` may try, in order. */
  explainLink(values: LinkValues, from: LinkOrigin = {}): readonly LinkTrial[] {
    const given = linkTexts(values);
    const ambient = linkTexts(from.ambient);
    return this.#named(from).map((prepared): LinkTrial => {
      const { route } = prepared;
      const result = linkRoute(prepared, given, ambient);
      if ('reason' in result) return { route, accepted: false, reason: result.reason };
      return { route, accepted: true, path: this.#styled?.(result.path) ?? result.path };
    });
  }

  hasNamed(name: string, scope?: string): boolean {
    return this.#named({ name, scope }).length > 0;
  }

  linkFailure(subject: string, values: LinkValues, from: LinkOrigin): Error {
    const [trial] = this.explainLink(values, from);
    if (trial === undefined || trial.accepted) return failedLink(subject, values, missingRoute(from.name ?? ''));
    const { name, template } = trial.route;
    const cause = `the route "${from.name || name || template.text}" has no path for these values: ${trial.reason}`;
    return failedLink(subject, values, `${cause}; give the values of "${template.text}"`);
  }

  /**
   * Returns the routes that no request can reach, in order, each with one earlier route that matches all its requests:
   * a route without constraints, or a route with the same template. A route that only several earlier routes together
   * hide is not in the list.
   */
  shadowed(): readonly ShadowedRoute[] {
    return shadowedRoutes(this.#routes);
  }

  /** Returns the `route`, or the route named `name` in the innermost scope that has one. By default, all. */
  #named({ name, route, scope = '' }: LinkOrigin): readonly PreparedRoute[] {
    if (route !== undefined) return [this.#byRoute.get(route) ?? []].flat();
    if (!name) return this.#routes;
    const named = this.#byName.get(scope + name) ?? this.#byName.get(foldCase(scope + name));
    if (named !== undefined || scope === '') return [named ?? []].flat();
    return this.#named({ name, scope: scope.replace(/[^/]*\/$/, '') });
  }

  *[Symbol.iterator](): Iterator<Route> {
    for (const { route } of this.#routes) yield route;
  }
}
