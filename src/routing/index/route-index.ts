/**
 * Finds the routes that can match a path, without trying every route.
 *
 * The contract, which `ReferenceIndex` fulfils too:
 * 1. Every route that matches is a candidate. Candidates come in the order of the collection.
 * 2. Every candidate takes the method of the request.
 * 3. Every plain candidate matches, because the index compares literals and the number of segments. For any other
 *    candidate `matchValues` decides.
 *
 * The index is a tree of segments. `api/todo/{id}` and `api/todo/search` share the nodes `api` and `todo`. A node has
 * one child for each literal and one wildcard child for all other segments: `{id}`, `a{x}`, `{a}.{b?}`. So a search
 * follows at most two branches at each slash, however many routes there are.
 *
 * `findCandidates` is one long function for speed: it splits, folds, hashes and walks in one pass over the path.
 * Measured: five short functions take 25 ns of 190 more with 100 REST routes; a map of whole paths for routes without
 * parameters makes a mixed load 50 ns slower.
 */
import { CLEAN, type RoutePath, UNSCANNED } from '../match/route-path.ts';
import type { PreparedRoute } from '../route/prepared-route.ts';
import { foldCase } from '../text/fold-case.ts';
import type { Candidates } from './candidates.ts';
import { FOLDED, HASH_BITS, LiteralTable, type Node } from './literal-table.ts';
import { RouteChain } from './route-chain.ts';

/** With at most so many literals a node compares the first before hashing: most paths begin with `api`. */
const MAX_COMPARED_FIRST = 3;
/** So many units of a value are read one by one, which is faster than `indexOf` for a short value. */
const MAX_SCANNED_UNITS = 12;

export class RouteIndex {
  readonly #table = new LiteralTable();
  readonly #root = this.#table.newNode();
  // The literals and nodes of the route added last. The next route usually shares the first of them.
  readonly #lastTexts: (string | undefined)[] = [];
  readonly #lastNodes: Node[] = [];
  #lastDepth = 0;
  // Branches to visit later, and their depths.
  readonly #waiting: Node[] = [];
  readonly #depths: number[] = [];

  /** Adds a route. Its position must be greater than those of all routes added before. */
  add(prepared: PreparedRoute): void {
    const { segments } = prepared.route.template;
    const texts = this.#lastTexts;
    const nodes = this.#lastNodes;
    let node = this.#root;
    let shared = true;
    for (let depth = 0; depth < segments.length; depth++) {
      if (depth >= prepared.requiredSegments) node.routes = RouteChain.append(node.routes, prepared);
      const segment = segments[depth]!;
      const part = segment[0]!;
      if (part.kind === 'parameter' && part.catchAll) {
        node.catchAlls = RouteChain.append(node.catchAlls, prepared);
        return;
      }
      const text = segment.length === 1 && part.kind === 'literal' ? part.text : undefined;
      shared &&= depth < this.#lastDepth && texts[depth] === text;
      if (shared) node = nodes[depth]!;
      else {
        node =
          text === undefined ? (node.wildcard ??= this.#table.newNode()) : this.#table.childOrNew(node, foldCase(text));
        texts[depth] = text;
        nodes[depth] = node;
        this.#lastDepth = depth + 1;
      }
    }
    node.routes = RouteChain.append(node.routes, prepared);
  }

  /** Adds the candidates for a path and sets its bounds. Throws a `URIError` for a malformed escape that it reads. */
  findCandidates(path: RoutePath, candidates: Candidates): void {
    const { text, bounds } = path;
    const { length } = text;
    const table = this.#table;
    const { codes } = table;
    let { starts, ends, states } = bounds;
    let node = this.#root;
    let at = path.start;
    let depth = 0;
    let waiting = 0;
    for (;;) {
      if (at >= length) {
        if (node.routes !== undefined) candidates.add(node.routes, depth);
      } else if (text.charCodeAt(at) !== 47) {
        // No route matches an empty segment (reference B.1.3).
        const { literals, wildcard, catchAlls } = node;
        if (depth + 1 >= starts.length) {
          bounds.reserve(depth);
          ({ starts, ends, states } = bounds);
        }
        starts[depth] = at;
        if (catchAlls !== undefined) candidates.add(catchAlls, depth + 1);
        let next: Node | undefined;
        let end = at;
        let state = CLEAN;
        let unit = 2;
        if (literals > 0 && literals <= MAX_COMPARED_FIRST) {
          let from = node.firstStart;
          const stop = from + node.firstLength;
          for (; end < length; end++, from++) {
            unit = FOLDED[text.charCodeAt(end)]!;
            if (from === stop || unit !== codes[from]) break;
          }
          if (from === stop && (unit === 0 || end === length)) next = node.first;
        }
        if (literals > 1 && next === undefined && unit !== 1) {
          let hash = 0;
          for (end = at; end < length; end++) {
            unit = FOLDED[text.charCodeAt(end)]!;
            if (unit < 2) break;
            hash = ((hash << 5) - hash + unit) | 0;
          }
          if (unit !== 1) next = table.childForSegment(node.number, hash & HASH_BITS, text, at, end);
        }
        if (unit === 1) {
          end = path.decode(at, depth);
          state = states[depth]!;
          next = table.child(node, path.folded(depth));
        }
        if (next === undefined) {
          next = wildcard;
          if (next !== undefined && state === CLEAN) {
            end = valueEnd(text, end);
            if (end < 0) {
              end = ~end;
              state = UNSCANNED;
            }
          }
        } else if (wildcard !== undefined) {
          this.#waiting[waiting] = wildcard;
          this.#depths[waiting++] = depth + 1;
        }
        if (next !== undefined) {
          ends[depth] = end;
          states[depth++] = state;
          node = next;
          at = end + 1;
          continue;
        }
      }
      if (waiting === 0) return;
      node = this.#waiting[--waiting]!;
      depth = this.#depths[waiting]!;
      at = ends[depth - 1]! + 1;
    }
  }
}

/** Returns where a value ends of which the units before `start` are read; `~end` if the rest may hold an escape. */
function valueEnd(text: string, start: number): number {
  const limit = Math.min(start + MAX_SCANNED_UNITS, text.length);
  let end = start;
  for (; end < limit; end++) {
    const unit = text.charCodeAt(end);
    if (unit === 47) return end;
    if (unit === 37) break;
  }
  if (end === text.length) return end;
  const slash = text.indexOf('/', end);
  return ~(slash < 0 ? text.length : slash);
}
