/**
 * Finds the routes that can match a path, without trying every route.
 *
 * The index is a tree of segments. `api/todo/{id}` and `api/todo/search` share the nodes `api` and `todo`. A node has
 * one child for each literal, and one child for all other segments, such as `{id}`, `a{x}` and `{a}.{b?}`. So a search
 * follows at most two branches at each slash, however many routes there are. Each branch ends at a list of routes. All
 * these routes are candidates, in the order in which they were added (§4.3). The candidates include every route that
 * matches; `matchRoute` decides which of them match.
 */
import { foldCase } from '../http/text.ts';
import type { PreparedRoute } from './prepared-route.ts';

/** A node of the tree. The segments on the way from the root to the node are the beginning of a template. */
class Node {
  /** The children for literals, by their texts in folded case. */
  readonly literals = new Map<string, Node>();
  /** The child for all other segments. */
  other: Node | undefined = undefined;
  /** Routes that can end here. A route with optional or default segments ends at several nodes. */
  readonly routes: PreparedRoute[] = [];
  /** Routes whose catch-all begins here. */
  readonly catchAlls: PreparedRoute[] = [];
}

export class RouteIndex {
  readonly #root: Node = new Node();

  /** Adds a route. Its position must be greater than the positions of all earlier routes. */
  add(prepared: PreparedRoute): void {
    let node = this.#root;
    for (const [depth, [part, ...more]] of prepared.route.template.segments.entries()) {
      // A path may lack the segments from here on.
      if (depth >= prepared.requiredSegments) node.routes.push(prepared);
      if (part!.kind === 'parameter' && part!.catchAll) {
        node.catchAlls.push(prepared);
        return;
      }
      if (more.length > 0 || part!.kind === 'parameter') node = node.other ??= new Node();
      else {
        const text = foldCase(part!.text);
        const child = node.literals.get(text) ?? new Node();
        node.literals.set(text, child);
        node = child;
      }
    }
    node.routes.push(prepared);
  }

  /** Returns the candidates for a method in upper case, or for any method, in the order of the collection. */
  candidates(segments: readonly string[], method?: string): readonly PreparedRoute[] {
    const found: PreparedRoute[] = [];
    collect(this.#root, segments, 0, (routes) => {
      for (const prepared of routes) if (takesMethod(prepared, method)) found.push(prepared);
    });
    return found.sort((left, right) => left.position - right.position);
  }
}

type Add = (routes: readonly PreparedRoute[]) => void;

/** Passes the routes of all branches that fit the segments from `depth` on to `add`. */
function collect(node: Node | undefined, segments: readonly string[], depth: number, add: Add): void {
  const segment = segments[depth];
  if (node === undefined || segment === '') return; // no route matches an empty segment (rule B.1.3)
  if (segment === undefined) return add(node.routes);
  add(node.catchAlls);
  collect(node.literals.get(foldCase(segment)), segments, depth + 1, add);
  collect(node.other, segments, depth + 1, add);
}

/** True if the route matches requests with this method; undefined matches any route (§4.3 rule 4). */
export const takesMethod = ({ methods }: PreparedRoute, method: string | undefined): boolean =>
  methods === undefined || method === undefined || methods.includes(method);
