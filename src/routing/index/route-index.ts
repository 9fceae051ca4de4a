/**
 * Which routes can match a path, in their order: those for the method whose literals stand where the path has them.
 *
 * It may propose a route that values or constraints refuse; it never leaves out one that matches. It decides methods and literals: a route
 * whose values are whole segments without constraints is not judged again.
 *
 * A tree of segments: `api/todo/{id}` and `api/todo/search` share `api` and `todo` and part at the third. A literal has one child for its
 * folded text, all that is not a plain literal – `{id}`, `a{x}`, `{a}.{b?}` – shares one other. So a path goes at most two ways at each
 * slash, and finds at the end the few routes whose literals it has, whatever the number of routes (the
 * judge of one route, `match-route.ts`, decides about the rest).
 *
 * `propose` is one long function for speed: it cuts, folds, hashes and walks in one pass over the path. The same in five short ones, which
 * is too much for the compiler to put into one, took 25 ns of 190 more (100 REST routes) and 30 of 250 (1,000). There is no map of whole
 * paths in front for routes without parameters: lower-casing and hashing the path for it made the mixed load 50 ns slower, 206 for 156.
 */

import type { RoutePath } from '../match/route-path.ts';
import { CLEAN, UNREAD } from '../match/segment-bounds.ts';
import type { PreparedRoute } from '../route/prepare-route.ts';
import { foldCase } from '../text/fold-case.ts';
import type { Proposals } from './candidates.ts';
import { FOLDED, HASH_BITS } from './folded-units.ts';
import { LiteralTable } from './literal-table.ts';
import type { Place } from './node.ts';

/** Of so few literals the first is compared before the segment is hashed for the others: nearly every path begins with `api`. */
const FEW = 3;
/** A value is read so far for its end: finding the slash in a long one is a call that a number of five digits is not worth. */
const SHORT = 12;

/** Routes by the shape of their templates. */
export class RouteIndex {
  readonly #table = new LiteralTable();
  readonly #root = this.#table.newPlace();
  // The way of the route before, which most routes share for a part.
  readonly #lastTexts: (string | undefined)[] = [];
  readonly #lastPlaces: Place[] = [];
  #lastDepth = 0;
  // Ways not taken yet, and how deep they begin.
  readonly #waiting: Place[] = [];
  readonly #depths: number[] = [];

  /** Adds a route. Its position must be larger than those of all routes added before. */
  add(prepared: PreparedRoute): void {
    const { segments } = prepared.route.template;
    const texts = this.#lastTexts,
      places = this.#lastPlaces;
    let place = this.#root,
      known = true;
    for (let depth = 0; depth < segments.length; depth++) {
      if (depth >= prepared.required) place.end(prepared);
      const segment = segments[depth]!,
        part = segment[0]!;
      if (part.kind === 'parameter' && part.catchAll) return place.rest(prepared);
      const text = segment.length === 1 && part.kind === 'literal' ? part.text : undefined;
      known &&= depth < this.#lastDepth && texts[depth] === text;
      if (known) place = places[depth]!;
      else {
        place =
          text === undefined ? (place.other ??= this.#table.newPlace()) : this.#table.child(place, foldCase(text));
        texts[depth] = text;
        places[depth] = place;
        this.#lastDepth = depth + 1;
      }
    }
    place.end(prepared);
  }

  /** Puts every route that could take the path into `found`: chains of routes, each in order. */
  propose(path: RoutePath, found: Proposals): void {
    const { text, cuts } = path,
      { length } = text,
      table = this.#table,
      { codes } = table;
    let { starts, ends, marks } = cuts,
      place = this.#root,
      at = path.start,
      depth = 0,
      waiting = 0;
    for (;;) {
      if (at >= length) {
        if (place.ends !== undefined) found.add(place.ends, depth);
      } else if (text.charCodeAt(at) !== 47) {
        // an empty segment is nothing that any route looks at (reference B.1.3)
        const { literals, other, rests } = place;
        if (depth + 1 >= starts.length) {
          cuts.reserve(depth);
          ({ starts, ends, marks } = cuts);
        }
        starts[depth] = at;
        if (rests !== undefined) found.add(rests, depth + 1);
        let next: Place | undefined,
          end = at,
          mark = CLEAN,
          unit = 2;
        if (literals > 0 && literals <= FEW) {
          let from = place.firstFrom;
          const stop = from + place.firstLength;
          for (; end < length; end++, from++) {
            unit = FOLDED[text.charCodeAt(end)]!;
            if (from === stop || unit !== codes[from]) break;
          }
          if (from === stop && (unit === 0 || end === length)) next = place.first;
        }
        if (literals > 1 && next === undefined && unit !== 1) {
          let hash = 0;
          for (end = at; end < length; end++) {
            unit = FOLDED[text.charCodeAt(end)]!;
            if (unit < 2) break;
            hash = ((hash << 5) - hash + unit) | 0;
          }
          if (unit !== 1) next = table.look(place.number, hash & HASH_BITS, text, at, end);
        }
        if (unit === 1) {
          // only decoding can tell
          end = path.decode(at, depth);
          mark = marks[depth]!;
          next = table.find(place, path.folded(depth));
        }
        if (next === undefined) {
          next = other;
          if (next !== undefined && mark === CLEAN) {
            end = valueEnd(text, end);
            if (end < 0) {
              end = ~end;
              mark = UNREAD;
            }
          }
        } else if (other !== undefined) {
          this.#waiting[waiting] = other;
          this.#depths[waiting++] = depth + 1;
        }
        if (next !== undefined) {
          ends[depth] = end;
          marks[depth++] = mark;
          place = next;
          at = end + 1;
          continue;
        }
      }
      if (waiting === 0) return;
      place = this.#waiting[--waiting]!;
      depth = this.#depths[waiting]!;
      at = ends[depth - 1]! + 1;
    }
  }
}

/** Where the segment of a value ends, which is read up to `start`; its complement if nobody has looked for an escape up to there. */
function valueEnd(text: string, start: number): number {
  const limit = Math.min(start + SHORT, text.length);
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
