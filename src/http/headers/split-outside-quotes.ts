/**
 * Splits a header value at a separator, but not inside a quoted string (RFC 9110 §5.6.4).
 *
 * A loop takes time in proportion to the length, which the client chooses. A regular expression with white space around
 * an optional value takes time that grows with the square of the length.
 */

const TAB = 9;
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

/**
 * The pieces between the separators, without the spaces and tabs around them (OWS, RFC 9110 §5.6.3). Empty pieces are
 * kept. A quoted string without an end extends to the end of the text.
 */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const separatorCode = separator.charCodeAt(0);
  const pieces: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted && code === BACKSLASH) at++;
    else if (code === QUOTE) quoted = !quoted;
    else if (!quoted && code === separatorCode) {
      pieces.push(trimmed(text, start, at));
      start = at + 1;
    }
  }
  pieces.push(trimmed(text, start, text.length));
  return pieces;
}

/** `String.prototype.trim` removes characters that are not white space in a header, such as U+00A0. */
function trimmed(text: string, start: number, end: number): string {
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB;
