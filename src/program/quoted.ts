/** Quotes in messages what the user has written, without secrets (D85). */
const MAX_LENGTH = 200;

/** The scheme of a URL, perhaps behind a quotation mark, a blank or a byte order mark. */
const SCHEME = /^\W*[a-z][a-z+-]*:\/\//i;
/** A URL, perhaps percent-encoded, or what is meant as the URL of a Redis. */
const URL_WITHIN = /:\/\/|%3a%2f%2f|rediss?(?:-cluster|-sentinel)?:/i;
/** What other clients of Redis read: `cache:6379,password=…`. */
const PASSWORD = /((?:pass(?:word|wd)?|pwd|auth|token)\s*=)[^]+/i;

/**
 * The text without what may be a password: the location of a store may stand where another value belongs. A URL shows
 * its scheme alone, unless it is one of `http:`, `https:` or `tcp:` without user, query and fragment. Another text shows
 * what follows its last `@`, and nothing behind `password=`.
 */
export function withoutSecrets(text: string): string {
  if (/^(?:https?|tcp):\/\/[^@?#%]*$/i.test(text)) return text;
  if (URL_WITHIN.test(text)) return `${SCHEME.exec(text)?.[0] ?? ''}…`;
  return text.replace(PASSWORD, '$1…').replace(/^[^]+@/, '…@');
}

/** The text without secrets in quotes, cut after 200 characters, on one line whatever it contains. */
export function quoted(text: string): string {
  const shown = withoutSecrets(text);
  return JSON.stringify(shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown);
}
