/**
 * Shortens the list of routes that a request is compared with. The comparison itself is a scan in the order of the
 * routes (`RouteCollection.match`).
 *
 * Each method has a tree of the templates that take it. A request follows its segments from the root to one branch, and
 * is compared only with the list of this branch. For three routes of `GET`, in this order:
 *
 *     api/todo/{id}   api/todo/search   {tenant}/search
 *
 *     (root)            no route
 *     ├─ api            {tenant}/search
 *     │  └─ todo        no route
 *     │     ├─ search   api/todo/{id}, api/todo/search
 *     │     └─ (other)  api/todo/{id}
 *     └─ (other)        no route
 *        └─ search      {tenant}/search
 *
 * The list of a branch has, in their order, all routes that can match a path that ends at this branch, or whose next
 * segment has no child here. So a route that begins with a parameter is in lists below literals, too.
 */
import { foldCase } from '../http/text.ts';
import { takesMethod } from './match-route.ts';
import type { PreparedRoute } from './prepared-route.ts';

class Branch {
  readonly routes: PreparedRoute[] = [];
  /** The children for literals, by their texts in folded case. */
  readonly literals = new Map<string, Branch>();
  /** The child for all other segments. */
  other: Branch | undefined = undefined;
}

export class RouteIndex {
  /** The tree of each method that a route names. */
  readonly #roots = new Map<string, Branch>();
  /** The tree of all other methods: the routes that take any method. */
  readonly #otherMethods: Branch;

  constructor(routes: readonly PreparedRoute[]) {
    for (const method of new Set(routes.flatMap(({ methods = [] }) => methods)))
      this.#roots.set(method, treeOf(routes.filter((prepared) => takesMethod(prepared, method))));
    this.#otherMethods = treeOf(routes.filter(({ methods }) => methods === undefined));
  }

  /** Returns, in their order, the routes that can match a request, and perhaps some that cannot. */
  routesFor(method: string, segments: readonly string[]): readonly PreparedRoute[] {
    let branch = this.#roots.get(method) ?? this.#otherMethods;
    for (const segment of segments) {
      const { literals, other } = branch;
      const next = literals.size === 0 ? other : (literals.get(segment) ?? literals.get(foldCase(segment)) ?? other);
      if (next === undefined) break;
      branch = next;
    }
    return branch.routes;
  }
}

function treeOf(routes: readonly PreparedRoute[]): Branch {
  const root = new Branch();
  for (const { literals } of routes) grow(root, literals);
  for (const prepared of routes) list(root, prepared, 0);
  return root;
}

/** Adds the branches of one template. */
function grow(root: Branch, literals: PreparedRoute['literals']): void {
  let branch = root;
  for (const literal of literals) {
    const child = (literal === undefined ? branch.other : branch.literals.get(literal.key)) ?? new Branch();
    if (literal === undefined) branch.other = child;
    else branch.literals.set(literal.key, child);
    branch = child;
  }
}

/** Adds the route to the list of each branch at which a path of the route can leave the tree. */
function list(branch: Branch, prepared: PreparedRoute, depth: number): void {
  const literal = prepared.literals[depth];
  const next =
    depth === prepared.maxSegments
      ? []
      : literal === undefined
        ? [...branch.literals.values(), branch.other]
        : [branch.literals.get(literal.key) ?? branch.other];
  if (depth >= prepared.requiredSegments || next.at(-1) === undefined) branch.routes.push(prepared);
  for (const child of next) if (child !== undefined) list(child, prepared, depth + 1);
}
