/** Reads the cookies of a request, and makes the `Set-Cookie` lines of replies (RFC 6265). */
import { assertOptions, quoted } from '../../options/assert-options.ts';
import { decoded } from '../text.ts';
import { TOKEN } from './content-type.ts';

/** How a browser keeps a cookie and when it sends it. */
export interface CookieOptions {
  /** The seconds until the browser removes the cookie; 0 removes it at once. Default: when the browser is closed. */
  readonly maxAge?: number | undefined;
  /** False lets the scripts of a page read the cookie. Default: true. */
  readonly httpOnly?: boolean | undefined;
  /** True restricts the cookie to HTTPS. Default: false. Set it wherever browsers use HTTPS. */
  readonly secure?: boolean | undefined;
  /** Whether requests from other sites have the cookie. Default: `Lax`, only when the user follows a link. */
  readonly sameSite?: 'Strict' | 'Lax' | 'None' | undefined;
  /** The cookie is sent for this path and below. Default: `/`. */
  readonly path?: string | undefined;
  /** A domain whose subdomains also get the cookie. Default: only the host that sets the cookie. */
  readonly domain?: string | undefined;
  /** True separates the cookies of a framed page by the site around it. Default: false. */
  readonly partitioned?: boolean | undefined;
}

/** Browsers ignore a cookie whose name and value have more characters. */
const MAX_LENGTH = 4096;

/**
 * Returns a header line that sets a cookie. Characters that a cookie cannot have, and `%`, are percent-encoded in the
 * value; `context.cookies` decodes them. To remove a cookie, set it with `maxAge: 0` and the same path and domain.
 *
 *     const login = redirect('/', 303, { headers: cookie('sid', 'a1b2', { secure: true, maxAge: 3600 }) });
 *     const logout = empty({ headers: [...cookie('sid', '', { maxAge: 0 }), ...cookie('tab', '', { maxAge: 0 })] });
 *
 * Throws a `TypeError` for a cookie that browsers ignore: with a name that is not a token, with a value that is too
 * long, `SameSite=None` or `Partitioned` without `Secure`, and a name with the prefix `__Secure-`, `__Host-` or `__Http-`
 * whose attributes do not fit (RFC 6265).
 */
export function cookie(name: string, value: string, options: CookieOptions = {}): readonly ['Set-Cookie', string] {
  const attempt = `set the cookie ${quoted(name)}`;
  assertOptions(attempt, options, ['maxAge', 'httpOnly', 'secure', 'sameSite', 'path', 'domain', 'partitioned']);
  const { maxAge, httpOnly = true, secure = false, sameSite = 'Lax', path = '/', domain, partitioned } = options;
  const fault = cookieFault(name, value, { maxAge, httpOnly, secure, sameSite, path, domain, partitioned });
  if (fault !== undefined) throw new TypeError(`Cannot ${attempt}: ${fault}`);
  const attributes = [
    `${name}=${value.replace(ENCODED, encodeURIComponent)}`,
    `Path=${path}`,
    domain !== undefined && `Domain=${domain}`,
    maxAge !== undefined && `Max-Age=${maxAge}`,
    httpOnly && 'HttpOnly',
    secure && 'Secure',
    `SameSite=${sameSite}`,
    partitioned && 'Partitioned',
  ];
  return ['Set-Cookie', attributes.filter((attribute) => typeof attribute === 'string').join('; ')];
}

/** Matches the characters of a value that are encoded: `%`, and all that RFC 6265 §4.1.1 excludes. */
const ENCODED = /[^!#$&-+\--:<-[\]-~]/gu;

function cookieFault(name: string, value: string, options: CookieOptions): string | undefined {
  const { maxAge, httpOnly, secure, sameSite, path, domain, partitioned } = options;
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'its name is not a token; use letters, digits, "-" and "_"';
  if (typeof value !== 'string' || /\p{Cs}/u.test(value)) return 'its value is not a valid text; give a string';
  if (name.length + value.replace(ENCODED, encodeURIComponent).length > MAX_LENGTH)
    return `its name and value have more than ${MAX_LENGTH} characters; store the value, and send its id`;
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
    return `its maxAge is ${quoted(maxAge)}; give whole seconds, or 0 to remove the cookie`;
  if ([secure, httpOnly, partitioned ?? false].some((flag) => typeof flag !== 'boolean'))
    return 'its secure, httpOnly or partitioned is not a boolean; give true or false';
  if (!['Strict', 'Lax', 'None'].includes(sameSite!)) return 'its sameSite is not "Strict", "Lax" or "None"';
  // Browsers ignore an attribute with more than 1024 characters.
  if (!/^\/[^;\x00-\x1f\x7f-\uffff]{0,1023}$/.test(path!))
    return `its path is ${quoted(path)}; give a path that begins with "/", in ASCII and without ";"`;
  if (domain !== undefined && !/^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i.test(domain))
    return `its domain is ${quoted(domain)}; give the name of a host, without a dot in front`;
  if (/^__Host-/i.test(name) && (path !== '/' || domain !== undefined))
    return 'browsers ignore "__Host-" with a domain or a path other than "/"; leave both out';
  if (/^__(?:Host-)?Http-/i.test(name) && !httpOnly)
    return 'browsers ignore its prefix without HttpOnly; leave httpOnly out';
  const prefix = /^__(?:Secure|Host|Http)-/i.test(name) ? 'its prefix' : undefined;
  const ignored = sameSite === 'None' ? 'SameSite=None' : partitioned ? 'Partitioned' : prefix;
  if (secure || ignored === undefined) return undefined;
  return `browsers ignore ${ignored} without Secure; add secure: true`;
}

/** Returns the cookies of a request by name. The first of two cookies with the same name counts: its path is longer. */
export function cookiesOf(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && name !== '' && !cookies.has(name)) cookies.set(name, cookieValue(pair.slice(at + 1).trim()));
  }
  return cookies;
}

/** Removes quotes around the value (RFC 6265 §4.1.1) and decodes it. A malformed escape stays. */
function cookieValue(sent: string): string {
  const value = /^".*"$/.test(sent) ? sent.slice(1, -1) : sent;
  return value.includes('%') ? (decoded(value) ?? value) : value;
}
