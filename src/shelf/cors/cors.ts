/**
 * Lets pages of the listed origins call the service from a browser (CORS, as in the Fetch standard; D105).
 *
 * The plugin writes only listed origins into the reply, because otherwise any page could read it. The plugin answers
 * preflight requests itself, so routes need not handle OPTIONS (D9). Problems get the CORS headers too, so that a page
 * can read why its request was refused.
 */

import { after, assertOptions, quoted } from '../../extending.ts';
import { type Context, empty, type Plugin, type Stage, withHeaders } from '../../index.ts';

/**
 * The allowed origins, and the headers that their pages may read. Regular expressions are not accepted, because
 * `/app.example/` would also allow `https://app.example.evil` (D105).
 */
interface CorsOptions {
  /**
   * Exact origins, without a trailing slash or the default port: `https://app.example`. A host may begin with `*`,
   * which matches exactly one label: `https://*.app.example` allows `https://a.app.example`, but not
   * `https://app.example` or `https://a.b.app.example`.
   */
  readonly origins: readonly string[];
  /**
   * The reply headers that a page may read, in addition to the CORS-safelisted ones. Default: the headers that
   * this library writes for clients, and `Link`.
   */
  readonly exposed?: readonly string[] | undefined;
  /** True lets the pages send cookies, and read the replies to such requests. Default: false. */
  readonly credentials?: boolean | undefined;
}

/**
 * Request headers that a page may set. A page may also set those that its preflight request names, because a list would
 * not protect the service: clients other than browsers can send any header (D105).
 */
const HEADERS = ['Accept', 'Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id'];
const EXPOSED = [
  ...['Accept-Patch', 'Accept-Ranges', 'Allow', 'Content-Disposition', 'Content-Range', 'ETag', 'Link', 'Location'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
];
/** Matches the scheme and the first label of an origin. Browsers send the host in lower case and ASCII. */
const FIRST_LABEL = /^([a-z][a-z\d+.-]*:\/\/)[a-z\d_-]+\./;
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Max-Age': '600',
};
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

/**
 * Returns a plugin that lets pages of these origins call the service. Every reply has `Vary: Origin`, so that a cache
 * does not reuse it for another origin. Throws a `TypeError` for an origin that browsers never send.
 *
 *     const { handler } = application([cors({ origins: ['https://app.example'] }), todo()]);
 */
export function cors(options: CorsOptions): Plugin {
  assertOptions('allow origins', options, ['origins', 'exposed', 'credentials']);
  assertOrigins(options.origins);
  const { origins, exposed = EXPOSED, credentials = false } = options;
  const allowed = new Set(origins);
  const isAllowed = (origin: string): boolean =>
    origin.includes('*') ? false : allowed.has(origin) || allowed.has(origin.replace(FIRST_LABEL, '$1*.'));
  const replyHeaders = { 'Access-Control-Expose-Headers': exposed.join(', ') };
  const allowing = credentials ? { 'Access-Control-Allow-Credentials': 'true' } : {};
  const marksOf = ({ headers: { origin } }: Context, further: object): Record<string, string> =>
    origin !== undefined && isAllowed(origin) ? { 'Access-Control-Allow-Origin': origin, ...allowing, ...further } : {};

  const corsMarks: Stage = (context, next) => {
    const marks = marksOf(context, replyHeaders);
    return after(next(context), (reply) => withHeaders(reply, { Vary: 'Origin', ...marks }));
  };
  const cors: Stage = (context, next) => {
    const { method, headers } = context;
    const asked = headers.origin === undefined ? undefined : headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined) return next(context);
    const wanted = headers['access-control-request-headers'];
    const allowedHeaders = (wanted ? [...HEADERS, wanted] : HEADERS).join(', ');
    const answer = { ...PREFLIGHT, 'Access-Control-Allow-Headers': allowedHeaders };
    return empty({ headers: { Vary: PREFLIGHT_VARY, ...marksOf(context, answer) } });
  };
  return { name: 'cors', outerStages: [corsMarks], stages: [cors] };
}

/**
 * Throws a `TypeError` for an origin that browsers never send, because it would never match. Also throws for an origin
 * such as `https://*.com`, because the subdomains have different owners; `http://*.localhost` is allowed (D105).
 */
function assertOrigins(origins: unknown): void {
  if (!Array.isArray(origins)) throw new TypeError("Cannot allow origins: give { origins: ['https://app.example'] }");
  for (const entry of origins as readonly unknown[]) {
    // `URL` does not accept `*`, so a label replaces it.
    const origin = typeof entry === 'string' ? entry.replace('://*.', '://x.') : entry;
    const sent = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin).origin : '';
    // For private schemes of browsers, such as `chrome-extension:`, the `origin` of a `URL` is "null".
    const isSent = sent === origin || sent === 'null';
    const hasOneOwner = origin === entry || /^[^:]+:\/\/x\.(?:localhost(?::\d+)?|[^.]+\..+)$/.test(String(origin));
    if (isSent && hasOneOwner && /^[a-z][a-z\d+.-]*:\/\/[^/?#\s*A-Z]+$/.test(String(origin))) continue;
    const example =
      sent === '' || sent === 'null' || !hasOneOwner
        ? 'an origin such as https://app.example or https://*.app.example'
        : quoted(origin === entry ? sent : sent.replace('://x.', '://*.'));
    const remedy =
      entry === '*'
        ? 'a page of any site could then read the replies; list the origins of your pages'
        : `${hasOneOwner ? 'no browser sends it' : 'its subdomains have different owners'}; give ${example}`;
    throw new TypeError(`Cannot allow the origin ${quoted(entry)}: ${remedy}`);
  }
}
