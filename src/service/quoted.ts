/** Quotes texts of the user in messages, and removes secrets from them (D85). */
const MAX_LENGTH = 200;

/** Matches the scheme of a URL, also after a quotation mark, a blank or a byte order mark. */
const SCHEME = /^\W*[a-z][a-z+-]*:\/\//i;
/** Matches a URL, also if it is percent-encoded, and a text that looks like the URL of a Redis server. */
const URL_WITHIN = /:\/\/|%3a%2f%2f|rediss?:/i;
/** Matches a password as other Redis clients write it: `cache:6379,password=…`. */
const PASSWORD = /((?:pass(?:word|wd)?|pwd|auth|token)\s*=)[^]+/i;

/**
 * Returns the text without anything that may be a password. Any text may contain one, because a user may give the URL
 * of a store to the wrong setting. A URL is shortened to its scheme, unless the scheme is `http:`, `https:` or `tcp:`
 * and the URL has no user, query or fragment. In any other text, `…` replaces everything before the last `@`, and
 * everything after `password=`.
 */
export function withoutSecrets(text: string): string {
  if (/^(?:https?|tcp):\/\/[^@?#%]*$/i.test(text)) return text;
  if (URL_WITHIN.test(text)) return `${SCHEME.exec(text)?.[0] ?? ''}…`;
  return text.replace(PASSWORD, '$1…').replace(/^[^]+@/, '…@');
}

/** Returns the text in quotes: without secrets, on one line, cut after 200 characters. */
export function quoted(text: string): string {
  const shown = withoutSecrets(text);
  return JSON.stringify(shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown);
}
