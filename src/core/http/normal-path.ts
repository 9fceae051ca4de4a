/** Normalizes paths with escapes or dot segments; most paths have neither. Validates base paths. */
import { HttpProblem } from './problem.ts';
import { decoded } from './text.ts';

/** Returns the path without dot segments. Throws an `HttpProblem`, 400, for a malformed path (D9, D21). */
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

/** Removes the dot segments (RFC 3986 §5.2.4). A dot may be encoded as `%2e` (D21). */
function withoutDotSegments(path: string): string {
  const result: string[] = [];
  const pieces = path.slice(1).split('/');
  for (const [index, piece] of pieces.entries()) {
    const dots = /^(?:\.|%2e){1,2}$/i.test(piece) ? piece.replace(/%2e/gi, '.').length : 0;
    if (dots === 0) result.push(piece);
    else {
      if (dots === 2) result.pop();
      if (index === pieces.length - 1) result.push('');
    }
  }
  return `/${result.join('/')}`;
}

const BASE_PATH = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)*$/i;

/**
 * True for a valid base path. Its segments follow RFC 3986, and are not empty and not dots. It has no trailing slash,
 * and its escapes are UTF-8 without U+0000. A link that begins with two slashes would lead to another host.
 */
export const isBasePath = (text: string): boolean =>
  BASE_PATH.test(text) && (!text.includes('%') || decoded(text)?.includes('\0') === false);
