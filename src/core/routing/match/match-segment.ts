/**
 * Matches a segment of several parts, such as `{filename}.{ext?}`, with one segment of a path (reference B.4).
 *
 * Parts match from right to left, each literal at its last possible position, without backtracking: `{a}-{b}` reads
 * `x-y-z` as `x-y` and `z`. So the time is linear in the length of the text.
 */
import type { Segment } from '../template/template.ts';
import { foldCase } from '../text/fold-case.ts';

/** Adds the values to `values`, the rightmost first. Returns false, and adds none, if the text does not match. */
export function matchSegment(segment: Segment, text: string, values: Record<string, string>): boolean {
  const folded = foldCase(text);
  const last = segment.at(-1)!;
  const countBeforePeriod = segment.length - 2;
  let found = matchParts(segment, segment.length, text, folded);
  if (found === undefined && last.kind === 'parameter' && last.optional && countBeforePeriod > 0) {
    // The period may be present although the optional value is absent (§4.3 rule 2, D24).
    const end = text.endsWith('.') ? text.length - 1 : text.length;
    found = matchParts(segment, countBeforePeriod, text.slice(0, end), folded.slice(0, end));
  }
  if (found === undefined) return false;
  for (const [name, value] of found) values[name] = value;
  return true;
}

type Found = [name: string, value: string][];

/** Matches the first `count` parts of a segment. */
function matchParts(segment: Segment, count: number, text: string, folded: string): Found | undefined {
  const found: Found = [];
  let end = text.length;
  let pending: string | undefined; // the name of the value that ends at `end`
  for (let index = count - 1; index >= 0; index--) {
    const part = segment[index]!;
    if (part.kind === 'parameter') {
      pending = part.name;
      continue;
    }
    const { length } = part.text;
    const latest = end - length - (pending === undefined ? 0 : 1); // a value has at least one character
    const start = latest < 0 ? -1 : folded.lastIndexOf(foldCase(part.text), latest);
    if (start < 0 || (index === segment.length - 1 && start + length !== text.length)) return undefined;
    if (pending !== undefined) found.push([pending, text.slice(start + length, end)]);
    pending = undefined;
    end = start;
  }
  if (pending === undefined) return end === 0 ? found : undefined;
  if (end === 0) return undefined;
  found.push([pending, text.slice(0, end)]);
  return found;
}
