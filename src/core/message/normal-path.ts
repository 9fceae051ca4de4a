/** Writes a path that has escapes or dot segments in its one spelling, and judges base paths. Most paths have none. */
import { HttpProblem } from './problem.ts';

/** The path without dot segments. Throws an `HttpProblem`, 400, for what `pathOf` refuses in a path (D9, D21). */
export function normalPath(path: string): string {
  if (/[^\x21-\x7e]/.test(path))
    throw new HttpProblem(400, 'The request path contains a character that must be percent-encoded');
  if (path.includes('%')) assertDecodable(path);
  return withoutDotSegments(path);
}

function assertDecodable(path: string): void {
  const text = decoded(path);
  if (text === undefined)
    throw new HttpProblem(400, 'The request path contains a percent escape that is malformed or not UTF-8');
  if (text.includes('\0')) throw new HttpProblem(400, 'The request path contains the character U+0000');
}

/** RFC 3986 §5.2.4; a dot may be written as `%2e` (D21). */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const pieces = path.slice(1).split('/');
  for (const [index, piece] of pieces.entries()) {
    const dots = /^(?:\.|%2e){1,2}$/i.test(piece) ? piece.replace(/%2e/gi, '.').length : 0;
    if (dots === 0) kept.push(piece);
    else {
      if (dots === 2) kept.pop();
      if (index === pieces.length - 1) kept.push('');
    }
  }
  return `/${kept.join('/')}`;
}

/** Without percent escapes; undefined where one is malformed or not UTF-8. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const BASE_PATH = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)*$/i;

/**
 * Can this stand in front of all paths, and of all links: segments of RFC 3986 without empty ones and dots, no final
 * slash, escapes that are UTF-8 without U+0000? A link that began with two slashes would lead to another host.
 */
export const isBasePath = (text: string): boolean =>
  BASE_PATH.test(text) && (!text.includes('%') || decoded(text)?.includes('\0') === false);
