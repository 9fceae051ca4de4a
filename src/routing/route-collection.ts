/**
 * The ordered list of routes: the first that takes a request answers it, and later ones are not asked (§4.3).
 */
import type { Context } from '../http/message/context.ts';
import type { ConstraintFactory } from './constraints/constraint.ts';
import { ConstraintTable } from './constraints/constraint-table.ts';
import { Proposals } from './index/candidates.ts';
import { RouteIndex } from './index/route-index.ts';
import type { Link } from './links/link.ts';
import { linkRoute } from './links/link.ts';
import type { Finish } from './links/link-style.ts';
import { finished } from './links/link-style.ts';
import { matchRoute, valuesOf } from './match/match-route.ts';
import { RoutePath } from './match/route-path.ts';
import { Cuts } from './match/segment-bounds.ts';
import type { LinkValues } from './route/link-values.ts';
import { linkTexts } from './route/link-values.ts';
import type { PreparedRoute } from './route/prepare-route.ts';
import { prepareRoute } from './route/prepare-route.ts';
import type { Route, RouteHandler, RouteMatch, RouteOptions, RouteValues } from './route/route.ts';
import { withOptions } from './route/route.ts';
import type { ShadowedRoute } from './shadowed.ts';
import { shadowedRoutes } from './shadowed.ts';
import type { RouteTemplate, ValuesOf } from './template/template.ts';
import { TemplateError } from './template/template-error.ts';
import { foldCase } from './text/fold-case.ts';
import type { BoundedConstraint, LinkTrial, RouteTrial } from './trial.ts';

export type { BoundedConstraint, LinkTrial, RouteTrial } from './trial.ts';

/** Where a link is made from. */
export interface LinkOrigin {
  /** Only the route of this name is tried. */
  readonly name?: string;
  /** The values of the current request. */
  readonly ambient?: RouteValues;
}

/** How a collection makes links, and what its routes can name. */
export interface RouteCollectionOptions extends Finish {
  /** Constraints of your own, by name. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory>>;
}

/** Routes in the order in which they are asked. */
export class RouteCollection implements Iterable<Route> {
  readonly #options: RouteCollectionOptions;
  readonly #table: ConstraintTable;
  readonly #prepared: PreparedRoute[] = [];
  readonly #index = new RouteIndex();
  #question = new Question();
  readonly #byName = new Map<string, PreparedRoute>();

  constructor(options: RouteCollectionOptions = {}) {
    this.#options = options;
    this.#table = new ConstraintTable(options.constraints);
  }

  /** Adds routes at the end. Throws an `AggregateError` of every mistake in all of them, and then adds none. */
  add(...routes: readonly Route[]): this {
    const mistakes: TemplateError[] = [],
      added = new Array<PreparedRoute | undefined>(routes.length),
      first = this.#prepared.length;
    let names: Set<string> | undefined;
    for (let at = 0; at < routes.length; at++) {
      const { name, template } = routes[at]!;
      added[at] = prepareRoute(routes[at]!, first + at, this.#table, mistakes);
      if (!name) continue;
      const key = foldCase(name);
      if (this.#byName.has(key) || names?.has(key)) mistakes.push(sameName(name, template));
      (names ??= new Set()).add(key);
    }
    if (mistakes.length > 0) throw new AggregateError(mistakes, mistakes.map((mistake) => mistake.message).join('\n'));
    for (let at = 0; at < added.length; at++) {
      const prepared = added[at]!,
        { name } = prepared.route;
      this.#prepared.push(prepared);
      this.#index.add(prepared);
      if (name) this.#byName.set(foldCase(name), prepared);
    }
    return this;
  }

  /** Adds one route; `*` is any method. Throws as `add` does. */
  map<const Template extends string>(
    methods: string | readonly string[],
    template: Template,
    handler: RouteHandler<ValuesOf<Template>>,
    options: RouteOptions = {},
  ): this {
    return this.add(withOptions(template, handler as RouteHandler, options, methods));
  }

  /** The first route that takes a request, and its values. */
  match(context: Context): RouteMatch | undefined {
    return this.find(context.method, context.path);
  }

  /**
   * The same by method and path, still percent-encoded. Throws a `URIError` for a malformed escape, and an `HttpProblem` 414 for a value
   * that is too long for the constraint of a route that is asked (D37).
   */
  find(given: string, path: string): RouteMatch | undefined {
    const method = upperCase(given);
    // A constraint may ask this collection itself, and one that throws never gives its question back.
    const asked = this.#question.busy ? (this.#question = new Question()) : this.#question;
    asked.busy = true;
    const walk = new RoutePath(path, asked.cuts);
    asked.proposals.reset(method);
    this.#index.propose(walk, asked.proposals);
    const found = firstOf(asked.proposals, walk);
    asked.busy = false;
    return found;
  }

  /** The same by asking every route in order; what `find` answers has to be this. */
  scan(given: string, path: string): RouteMatch | undefined {
    const walk = new RoutePath(path, new Cuts()),
      count = walk.cutAll(),
      method = upperCase(given);
    for (const prepared of this.#prepared) {
      const verdict = matchRoute(prepared, method, walk, count);
      if ('values' in verdict) return { route: prepared.route, values: verdict.values };
      if (verdict.problem !== undefined) throw verdict.problem;
    }
    return undefined;
  }

  /** What every route says of a request, in order. `match` answers with the first that accepts. */
  explain(given: string, path: string): readonly RouteTrial[] {
    const walk = new RoutePath(path, new Cuts()),
      count = walk.cutAll(),
      method = upperCase(given);
    return this.#prepared.map((prepared) => {
      const verdict = matchRoute(prepared, method, walk, count),
        asked = { route: prepared.route, bounds: boundsOf(prepared) };
      if ('values' in verdict) return { ...asked, accepted: true, values: verdict.values };
      const { reason, problem } = verdict;
      return problem === undefined
        ? { ...asked, accepted: false, reason }
        : { ...asked, accepted: false, reason, status: problem.status };
    });
  }

  /** The link by the first route that yields one, or by the route of a name. */
  link(values: LinkValues, from: LinkOrigin = {}): Link | undefined {
    const explicit = linkTexts(values),
      ambient = linkTexts(from.ambient);
    for (const prepared of this.#linkable(from.name)) {
      const verdict = linkRoute(prepared, explicit, ambient);
      if ('path' in verdict) return { path: finished(verdict.path, this.#options), route: prepared.route };
    }
    return undefined;
  }

  /** What every route that would be tried says of a link, in order. */
  explainLink(values: LinkValues, from: LinkOrigin = {}): readonly LinkTrial[] {
    const explicit = linkTexts(values),
      ambient = linkTexts(from.ambient);
    return this.#linkable(from.name).map((prepared) => {
      const verdict = linkRoute(prepared, explicit, ambient);
      return 'path' in verdict
        ? { route: prepared.route, accepted: true, path: finished(verdict.path, this.#options) }
        : { route: prepared.route, accepted: false, reason: verdict.reason };
    });
  }

  /** Routes that can never be reached, in order, each with an earlier route that takes its requests. */
  shadowed(): readonly ShadowedRoute[] {
    return shadowedRoutes(this.#prepared, this.#index);
  }

  #linkable(name: string | undefined): readonly PreparedRoute[] {
    if (!name) return this.#prepared;
    const named = this.#byName.get(foldCase(name));
    return named ? [named] : [];
  }

  *[Symbol.iterator](): Iterator<Route> {
    for (const { route } of this.#prepared) yield route;
  }
}

/** What is kept from one request to the next, so that asking allocates nothing. */
class Question {
  busy = false;
  readonly cuts = new Cuts();
  readonly proposals = new Proposals();
}

function firstOf(proposals: Proposals, path: RoutePath): RouteMatch | undefined {
  for (let prepared = proposals.first(); prepared !== undefined; prepared = proposals.next()) {
    const values = valuesOf(prepared, path, proposals.count);
    if (values !== undefined) return { route: prepared.route, values };
  }
  return undefined;
}

const boundsOf = ({ constrained }: PreparedRoute): readonly BoundedConstraint[] =>
  constrained.flatMap(({ name, constraints }) =>
    constraints.flatMap(({ text, bound }) => (bound === undefined ? [] : [{ ...bound, name, constraint: text }])),
  );

const sameName = (name: string, { text }: RouteTemplate): TemplateError =>
  new TemplateError(
    text,
    0,
    `there is a route named "${name}" already`,
    'choose another name, case makes no difference',
  );

// The usual methods are told by comparing pointers; `toUpperCase` costs as much as a short segment.
const upperCase = (method: string): string =>
  method === 'GET' ||
  method === 'POST' ||
  method === 'PUT' ||
  method === 'PATCH' ||
  method === 'DELETE' ||
  method === 'HEAD'
    ? method
    : method.toUpperCase();
