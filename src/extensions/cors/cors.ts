/**
 * Lets pages of the given origins call the service from a browser (CORS, as in the Fetch standard; D105).
 *
 * A service that echoed any origin would let every page read its replies. A preflight request is answered here, so no
 * route handles OPTIONS (D9). Problems get the headers too: the page can then read why its request was refused.
 */

import type { Plugin } from '../../core/application/plugin.ts';
import { after } from '../../core/message/after.ts';
import type { Context } from '../../core/message/context.ts';
import { empty, withHeaders } from '../../core/message/replies.ts';
import { assertOptions, quoted } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';

/** The origins, and what their pages may send and read. */
interface CorsOptions {
  /**
   * Exact origins, without a trailing slash or the default port: `https://app.example`. A star stands for one whole
   * label in front: `https://*.app.example` allows `https://a.app.example`, and neither `https://app.example` nor
   * `https://a.b.app.example`.
   */
  readonly origins: readonly string[];
  /** The methods that a page may use. */
  readonly methods?: readonly string[] | undefined;
  /**
   * The request headers that a page may set, in addition to the CORS-safelisted ones. Default: the usual ones and
   * all that the page asks for, because any plugin may need them.
   */
  readonly headers?: readonly string[] | undefined;
  /**
   * The reply headers that a page may read, in addition to the CORS-safelisted ones. Default: the headers that
   * this library writes for clients, and `Link`.
   */
  readonly exposed?: readonly string[] | undefined;
  /** Seconds for which a browser may cache the reply to a preflight request; 600 unless given. */
  readonly maxAge?: number | undefined;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HEADERS = ['Accept', 'Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id'];
const EXPOSED = [
  ...['Accept-Patch', 'Accept-Ranges', 'Allow', 'Content-Disposition', 'Content-Range', 'ETag', 'Link', 'Location'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
];
/** The scheme, then a label: a browser sends hosts in lower case and ASCII. */
const FIRST_LABEL = /^([a-z][a-z\d+.-]*:\/\/)[a-z\d_-]+\./;
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

/**
 * Lets pages of these origins call. Every reply has `Vary: Origin`, so that a cache does not give one's to another.
 * Throws a `TypeError` for an origin that no browser sends.
 *
 *     const { handler } = application([cors({ origins: ['https://app.example'] }), todo()]);
 */
export function cors(options: CorsOptions): Plugin {
  assertOptions('allow origins', options, ['origins', 'methods', 'headers', 'exposed', 'maxAge']);
  assertOrigins(options.origins);
  const { origins, methods = METHODS, exposed = EXPOSED, maxAge = 600 } = options;
  const allowed = new Set(origins);
  const isAllowed = (origin: string): boolean =>
    origin.includes('*') ? false : allowed.has(origin) || allowed.has(origin.replace(FIRST_LABEL, '$1*.'));
  const preflightHeaders = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Max-Age': String(maxAge),
  };
  const replyHeaders = { 'Access-Control-Expose-Headers': exposed.join(', ') };
  const marksOf = ({ headers: { origin } }: Context, further: object): Record<string, string> =>
    origin !== undefined && isAllowed(origin) ? { 'Access-Control-Allow-Origin': origin, ...further } : {};

  const corsMarks: Stage = (context, next) => {
    const marks = marksOf(context, replyHeaders);
    return after(next(context), (reply) => withHeaders(reply, { Vary: 'Origin', ...marks }));
  };
  const cors: Stage = (context, next) => {
    const { method, headers } = context;
    const asked = headers.origin === undefined ? undefined : headers['access-control-request-method'];
    if (method !== 'OPTIONS' || asked === undefined) return next(context);
    const wanted = headers['access-control-request-headers'];
    const allowedHeaders = options.headers ?? (wanted ? [...HEADERS, wanted] : HEADERS);
    const answer = { ...preflightHeaders, 'Access-Control-Allow-Headers': allowedHeaders.join(', ') };
    return empty({ headers: { Vary: PREFLIGHT_VARY, ...marksOf(context, answer) } });
  };
  return { name: 'cors', outerStages: [corsMarks], stages: [cors] };
}

/** An origin that no browser sends would allow nobody. */
function assertOrigins(origins: unknown): void {
  if (!Array.isArray(origins)) throw new TypeError("Cannot allow origins: give { origins: ['https://app.example'] }");
  for (const given of origins as readonly unknown[]) {
    // The star stands for a label.
    const origin = typeof given === 'string' ? given.replace('://*.', '://x.') : given;
    const sent = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin).origin : '';
    // Browsers have schemes of their own, whose origins `URL` does not know: it calls them "null".
    const isSent = sent === origin || sent === 'null';
    const isOfOne = origin === given || /^[^:]+:\/\/x\.(?:localhost(?::\d+)?|[^.]+\..+)$/.test(String(origin));
    if (isSent && isOfOne && /^[a-z][a-z\d+.-]*:\/\/[^/?#\s*A-Z]+$/.test(String(origin))) continue;
    const example =
      sent === '' || sent === 'null' || !isOfOne
        ? 'one such as https://app.example or https://*.app.example'
        : quoted(origin === given ? sent : sent.replace('://x.', '://*.'));
    const remedy =
      given === '*'
        ? 'a page of any site could then read the replies; list the origins of your pages'
        : `${isOfOne ? 'browsers send none like it' : 'the sites below it belong to many'}; give ${example}`;
    throw new TypeError(`Cannot allow the origin ${quoted(given)}: ${remedy}`);
  }
}
