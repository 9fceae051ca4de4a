/**
 * Hides secrets in a recording by their names: the values of some headers, query parameters and members of JSON. No
 * other text is searched: a secret in an error, a path or a plain text is shown.
 */

const HIDDEN = '(hidden)';
const HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-auth-token'];
/** The names of query parameters and of members of JSON. Each `_` may also be a hyphen, or absent: `accessToken`. */
const NAMES = 'access_token id_token refresh_token token api_key client_secret secret password'
  .replaceAll('_', '[_-]?')
  .replaceAll(' ', '|');
const IN_QUERY = new RegExp(`((?:^|[?&])(?:${NAMES})=)[^&#]*`, 'gi');
/** Matches a text without its end too, because long bodies are cut. */
const IN_JSON = new RegExp(`("(?:${NAMES})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|[^\\s"[\\]{},]+)`, 'gi');

/** Returns the value of a header, or a replacement for it. */
export const shownHeader = (name: string, value: string): string =>
  HEADERS.includes(name.toLowerCase()) ? HIDDEN : value;

/** Returns a request target or a query with secret values replaced. */
export const shownQuery = (target: string): string => target.replace(IN_QUERY, `$1${HIDDEN}`);

/** Returns a text of JSON with secret texts, numbers and literals replaced. The text may be cut anywhere. */
export const shownJson = (text: string): string => text.replace(IN_JSON, `$1"${HIDDEN}"`);
