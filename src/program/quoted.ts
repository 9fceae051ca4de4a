/** Quotes in messages what the user has written, without secrets (D85). */
const MAX_LENGTH = 200;

/** The scheme of a URL, perhaps behind a quotation mark, a blank or a byte order mark. */
const SCHEME = /^\W*[a-z][a-z+-]*:\/\//i;

/**
 * The text without what may be a password: the location of a store may stand where another value belongs. A URL shows
 * its scheme alone, unless it is one of `http:`, `https:` or `tcp:` without `@`. Another text shows what follows its
 * last `@`.
 */
export function withoutSecrets(text: string): string {
  if (/^(?:https?|tcp):\/\/[^@]*$/i.test(text)) return text;
  if (/:\/\/|rediss?(?:-cluster|-sentinel)?:/i.test(text)) return `${SCHEME.exec(text)?.[0] ?? ''}…`;
  return text.replace(/^[^]+@/, '…@');
}

/** The text without secrets in quotes, cut after 200 characters, on one line whatever it contains. */
export function quoted(text: string): string {
  const shown = withoutSecrets(text);
  return JSON.stringify(shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown);
}
