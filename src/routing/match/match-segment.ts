/**
 * One segment of several parts, `{filename}.{ext?}` for example, against the text between two slashes (reference B.4).
 *
 * Read from the right, greedily, never going back: `{a}-{b}` takes `x-y-z` as `x-y` and `z`. So the time it takes grows with the
 * length of the text, whatever the text is.
 */

import type { Segment } from '../template/template.ts';
import { foldCase } from '../text/fold-case.ts';

/**
 * Adds the values of the segment's parameters to `values`, the rightmost first. False when the text does not fit; nothing is added
 * then.
 */
export function matchSegment(segment: Segment, text: string, values: Record<string, string>): boolean {
  const folded = foldCase(text),
    last = segment.at(-1)!;
  let found = matchParts(segment, segment.length, text, folded);
  const before = segment.length - 2; // without an optional parameter and its period
  if (found === undefined && last.kind === 'parameter' && last.optional && before > 0) {
    // §4.3 rule 2 (S1, D24): the period may be there without what follows it.
    const whole = text.endsWith('.') ? text.length - 1 : text.length;
    found = matchParts(segment, before, text.slice(0, whole), folded.slice(0, whole));
  }
  if (found === undefined) return false;
  for (const [name, value] of found) values[name] = value;
  return true;
}

function matchParts(
  segment: Segment,
  count: number,
  text: string,
  folded: string,
): [name: string, value: string][] | undefined {
  const found: [string, string][] = [];
  let end = text.length;
  let pending: string | undefined; // a parameter whose beginning is not known yet
  for (let index = count - 1; index >= 0; index--) {
    const part = segment[index]!;
    if (part.kind === 'parameter') {
      pending = part.name;
      continue;
    }
    const { length } = part.text;
    const latest = end - length - (pending === undefined ? 0 : 1); // a parameter takes a character at least
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
