/**
 * Finds the routes that can match a path, without trying every route.
 *
 * The index is a tree of segments. `api/todo/{id}` and `api/todo/search` share the nodes `api` and `todo`. A node has
 * one child for each literal, and one for all other segments: `{id}`, `a{x}`, `{a}.{b?}`. So a search follows at most
 * two branches at each slash, however many routes there are. Each branch ends at a list of routes; merged, they are the
 * candidates, in the order of the collection: of `api/todo/search` and `api/todo/{id}` the one that was added first is
 * tried first (§4.3). Every route that matches is among them; `matchRoute` decides which of them does.
 */

import { foldCase } from '../message/text.ts';
import type { RoutePath } from './match-route.ts';
import type { PreparedRoute } from './prepared-route.ts';

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

  /** Returns the child for a literal, which it adds if there is none. */
  childOf(literal: string): Node {
    const text = foldCase(literal);
    if (this.first === undefined) this.text = text;
    if (text === this.text) return (this.first ??= new Node());
    this.literals ??= new Map();
    if (!this.literals.has(text)) this.literals.set(text, new Node());
    return this.literals.get(text)!;
  }

  /** The child for a segment of a path that equals a literal. Folding keeps the length, so most segments need none. */
  childFor(segment: string): Node | undefined {
    if (segment === this.text) return this.first;
    if (this.literals === undefined && segment.length !== this.text.length) return undefined;
    const child = this.literals?.get(segment);
    if (child !== undefined || !FOLDS.test(segment)) return child;
    const folded = foldCase(segment);
    return folded === this.text ? this.first : this.literals?.get(folded);
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

/** The routes that can match a request, one after the other. */
class Candidates {
  /** The number of segments that the last one consumes. */
  count = 0;
  readonly #endings: Ending | undefined;
  readonly #method: string | undefined;

  constructor(endings: Ending | undefined, method: string | undefined) {
    this.#endings = endings;
    this.#method = method;
  }

  next(): PreparedRoute | undefined {
    let earliest: Ending | undefined;
    for (let ending = this.#endings; ending !== undefined; ending = ending.other) {
      const { routes } = ending;
      while (ending.next < routes.length && !takesMethod(routes[ending.next]!, this.#method)) ending.next++;
      if (ending.next === routes.length) continue;
      if (earliest === undefined || routes[ending.next]!.position < earliest.routes[earliest.next]!.position)
        earliest = ending;
    }
    if (earliest === undefined) return undefined;
    this.count = earliest.count;
    return earliest.routes[earliest.next++];
  }
}

export class RouteIndex {
  readonly #root: Node = new Node();

  /** Adds a route. Its position must be greater than those of all routes added before. */
  add(prepared: PreparedRoute): void {
    let node = this.#root;
    for (const [depth, [part, ...more]] of prepared.route.template.segments.entries()) {
      // The segments from here on may be absent.
      if (depth >= prepared.requiredSegments) (node.routes ??= []).push(prepared);
      if (part!.kind === 'parameter' && part!.catchAll) {
        (node.catchAlls ??= []).push(prepared);
        return;
      }
      node = more.length > 0 || part!.kind === 'parameter' ? (node.other ??= new Node()) : node.childOf(part!.text);
    }
    (node.routes ??= []).push(prepared);
  }

  /** Returns the candidates for a method in upper case, or for any. */
  candidates(path: RoutePath, method?: string): Candidates {
    return new Candidates(follow(this.#root, path, path.start, 0, undefined), method);
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
  const literal = node.first && node.childFor(path.between(start, end));
  if (literal !== undefined) endings = follow(literal, path, end + 1, depth + 1, endings);
  return node.other === undefined ? endings : follow(node.other, path, end + 1, depth + 1, endings);
}

/** True if the route takes a request of this method (§4.3 rule 4), which may be any. */
export const takesMethod = ({ methods }: PreparedRoute, method: string | undefined): boolean =>
  methods === undefined ||
  method === undefined ||
  methods[0] === method ||
  (methods.length > 1 && methods.includes(method));
