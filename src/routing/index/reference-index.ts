/**
 * Finds the same candidates as `RouteIndex` in the simplest way, a tree of `Map`s. It is for readers and tests only.
 *
 * `api/todo/{id}` and `api/todo/search` make the tree root → `api` → `todo` → wildcard, `search`. A search starts at
 * the root. For each segment it follows the child of that literal and the wildcard child. The routes of the nodes where
 * the path ends are the candidates.
 */
import type { RoutePath } from '../match/route-path.ts';
import type { PreparedRoute } from '../route/prepared-route.ts';
import type { Segment } from '../template/template.ts';
import { foldCase } from '../text/fold-case.ts';
import type { Candidates } from './candidates.ts';
import { RouteChain } from './route-chain.ts';

/** The fields mean what those of `Node` do. */
interface TreeNode {
  readonly literals: Map<string, TreeNode>;
  wildcard?: TreeNode;
  routes?: RouteChain;
  catchAlls?: RouteChain;
}

export class ReferenceIndex {
  readonly #root: TreeNode = { literals: new Map() };

  /** Adds a route. Its position must be greater than those of all routes added before. */
  add(prepared: PreparedRoute): void {
    let node = this.#root;
    for (const [depth, segment] of prepared.route.template.segments.entries()) {
      // The segments from here on may be absent.
      if (depth >= prepared.requiredSegments) node.routes = RouteChain.append(node.routes, prepared);
      const part = segment[0]!;
      if (part.kind === 'parameter' && part.catchAll) {
        node.catchAlls = RouteChain.append(node.catchAlls, prepared);
        return;
      }
      node = childFor(node, segment);
    }
    node.routes = RouteChain.append(node.routes, prepared);
  }

  /** Adds the candidates for a path and sets its bounds. Throws a `URIError` for a malformed escape. */
  findCandidates(path: RoutePath, candidates: Candidates): void {
    visit(this.#root, path, 0, path.split(), candidates);
  }
}

/** Follows a path of `count` segments from a node at this depth. */
function visit(node: TreeNode, path: RoutePath, depth: number, count: number, candidates: Candidates): void {
  if (depth === count) {
    if (node.routes !== undefined) candidates.add(node.routes, count);
    return;
  }
  if (path.isEmpty(depth)) return; // no route matches an empty segment (reference B.1.3)
  if (node.catchAlls !== undefined) candidates.add(node.catchAlls, depth + 1);
  const literal = node.literals.get(path.folded(depth));
  if (literal !== undefined) visit(literal, path, depth + 1, count, candidates);
  if (node.wildcard !== undefined) visit(node.wildcard, path, depth + 1, count, candidates);
}

function childFor(node: TreeNode, segment: Segment): TreeNode {
  const part = segment[0]!;
  if (segment.length > 1 || part.kind === 'parameter') return (node.wildcard ??= { literals: new Map() });
  const key = foldCase(part.text);
  let child = node.literals.get(key);
  if (child === undefined) node.literals.set(key, (child = { literals: new Map() }));
  return child;
}
