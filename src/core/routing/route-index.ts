/**
 * Finds the routes that can match a path, without trying every route.
 *
 * The index is a tree of segments. `api/todo/{id}` and `api/todo/search` share the nodes `api` and `todo`. A node has
 * one child for each literal, and one for all other segments: `{id}`, `a{x}`, `{a}.{b?}`. So a search follows at most
 * two branches at each slash, however many routes there are. Each branch ends at a list of routes; merged, they are the
 * candidates, in the order of the collection: of `api/todo/search` and `api/todo/{id}` the one that was added first is
 * tried first (§4.3). Every route that matches is among them; `matchRoute` decides which of them does.
 */
import type { RoutePath } from './match-route.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { Segment } from './template.ts';
import { foldCase } from './text.ts';

/** What folding may change. */
const FOLDS = /[A-Z]|[^\0-\x7f]/;

/** What a path can become after the segments that lead to the node. */
class Node {
  /** The first literal, folded, and its child. Most nodes have no other, and are asked without hashing. */
  text = '';
  first: Node | undefined = undefined;
  /** The children for the other literals. */
  literals: Map<string, Node> | undefined = undefined;
  /** The child for all other segments. */
  other: Node | undefined = undefined;
  /** Routes that can end here. A route with optional or default segments ends at several nodes. */
  routes: PreparedRoute[] | undefined = undefined;
  /** Routes whose catch-all begins here. */
  catchAlls: PreparedRoute[] | undefined = undefined;

  /** The child for a folded literal. */
  literal(text: string): Node | undefined {
    return text === this.text ? this.first : this.literals?.get(text);
  }

  /** The child for a segment of a path. Folding keeps the length, so most segments need none. */
  childFor(segment: string): Node | undefined {
    if (segment === this.text) return this.first;
    if (this.literals === undefined && segment.length !== this.text.length) return undefined;
    return this.literals?.get(segment) ?? (FOLDS.test(segment) ? this.literal(foldCase(segment)) : undefined);
  }
}

/** A list of routes that a path leads to, and the other such lists. */
interface Ending {
  readonly routes: readonly PreparedRoute[];
  /** The number of segments that the routes consume. */
  readonly count: number;
  /** The index of the next route to try. */
  next: number;
  readonly other: Ending | undefined;
}

export class RouteIndex {
  readonly #root: Node = new Node();

  /** Adds a route. Its position must be greater than those of all routes added before. */
  add(prepared: PreparedRoute): void {
    let node = this.#root;
    for (const [depth, segment] of prepared.route.template.segments.entries()) {
      // The segments from here on may be absent.
      if (depth >= prepared.requiredSegments) (node.routes ??= []).push(prepared);
      const [part] = segment as [Segment[number]];
      if (part.kind === 'parameter' && part.catchAll) {
        (node.catchAlls ??= []).push(prepared);
        return;
      }
      node =
        segment.length > 1 || part.kind === 'parameter' ? (node.other ??= new Node()) : literalChild(node, part.text);
    }
    (node.routes ??= []).push(prepared);
  }

  /**
   * Gives each candidate to `match`, with the number of segments that it consumes, until one has a result, and returns
   * that. Without a method, the routes of all methods are candidates.
   */
  first<Result>(
    path: RoutePath,
    method: string | undefined,
    match: (prepared: PreparedRoute, path: RoutePath, count: number) => Result | undefined,
  ): Result | undefined {
    const endings = follow(this.#root, path, path.start, 0, undefined);
    for (;;) {
      let earliest: Ending | undefined;
      for (let ending = endings; ending !== undefined; ending = ending.other) {
        const { routes } = ending;
        while (method !== undefined && ending.next < routes.length && !takesMethod(routes[ending.next]!, method))
          ending.next++;
        if (ending.next === routes.length) continue;
        if (earliest === undefined || routes[ending.next]!.position < earliest.routes[earliest.next]!.position)
          earliest = ending;
      }
      if (earliest === undefined) return undefined;
      const result = match(earliest.routes[earliest.next++]!, path, earliest.count);
      if (result !== undefined) return result;
    }
  }
}

/** Puts the endings of the branches that fit the path from `start` on in front of the other endings. */
function follow(
  node: Node,
  path: RoutePath,
  start: number,
  depth: number,
  other: Ending | undefined,
): Ending | undefined {
  if (start >= path.text.length)
    return node.routes === undefined ? other : { routes: node.routes, count: depth, next: 0, other };
  const end = path.endOf(start);
  if (end === start) return other; // no route matches an empty segment (reference B.1.3)
  let endings = other;
  if (node.catchAlls !== undefined) endings = { routes: node.catchAlls, count: depth + 1, next: 0, other: endings };
  if (node.first !== undefined) {
    const segment = path.between(start, end);
    const literal = node.childFor(segment);
    if (literal !== undefined) endings = follow(literal, path, end + 1, depth + 1, endings);
  }
  return node.other === undefined ? endings : follow(node.other, path, end + 1, depth + 1, endings);
}

function literalChild(node: Node, text: string): Node {
  const key = foldCase(text);
  let child = node.literal(key);
  if (child !== undefined) return child;
  child = new Node();
  if (node.first === undefined) {
    node.text = key;
    node.first = child;
  } else (node.literals ??= new Map()).set(key, child);
  return child;
}

/** True if the route takes a request of this method (§4.3 rule 4). */
export const takesMethod = ({ methods }: PreparedRoute, method: string): boolean =>
  methods === undefined || methods[0] === method || (methods.length > 1 && methods.includes(method));
