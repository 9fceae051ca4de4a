/** Matches a segment of several parts, such as `{filename}.{ext?}`, with one segment of a path (rule B.4). */
import { foldCase } from '../http/text.ts';
import type { Segment } from './template.ts';

/** Adds the values. Returns false, and adds no value, if the text does not match. */
export function matchSegment(segment: Segment, text: string, values: Record<string, string>): boolean {
  const last = segment.at(-1)!;
  let found = matchParts(segment, text);
  if (found === undefined && last.kind === 'parameter' && last.optional && segment.length > 2)
    // The period may be present although the optional value is missing (§4.3 rule 2, D24).
    found = matchParts(segment.slice(0, -2), text.endsWith('.') ? text.slice(0, -1) : text);
  Object.assign(values, found);
  return found !== undefined;
}

/**
 * Reads the values of parts from right to left, without backtracking. Each literal matches at its last possible
 * position: `{a}-{b}` reads `x-y-z` as `x-y` and `z`. So the time is linear in the length of the text.
 */
function matchParts(parts: Segment, text: string): Readonly<Record<string, string>> | undefined {
  const found: Record<string, string> = Object.create(null);
  const folded = foldCase(text);
  let end = text.length;
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]!;
    if (part.kind === 'literal') {
      if (!folded.endsWith(part.key)) return undefined;
      end -= part.text.length;
      continue;
    }
    // A value begins after the literal before it, and has at least one character.
    const before = parts[--index];
    const literal = before?.kind === 'literal' ? before.key : '';
    const start = before === undefined ? 0 : folded.lastIndexOf(literal, end - 1 - literal.length);
    const value = text.slice(start + literal.length, end);
    if (start < 0 || value === '') return undefined;
    found[part.name] = value;
    end = start;
  }
  return end === 0 ? found : undefined;
}
