/**
 * Lets the pages of named origins call the service from a browser (Fetch standard, "CORS protocol").
 *
 * Off unless origins are named, and only these, letter for letter: an origin that is echoed whatever it is would let every page
 * read what the browser's user may read. The browser's question before the real request is answered here and goes no
 * further; no route needs to know of OPTIONS (D9). The marks go on every answer, problems included: a page whose request was
 * refused may read why.
 */

import type { Plugin } from '../host/plugin.ts';
import { after } from '../http/message/after.ts';
import type { Context, Reply } from '../http/message/context.ts';
import { empty, headerOf, withHeaders } from '../http/message/replies.ts';

/** Who may call, and what they may send and see. */
export interface CorsOptions {
  /** Exact origins as browsers send them: `https://app.example`, without a final slash or the scheme's own port. */
  readonly origins: readonly string[];
  /** Request methods that a page may use. */
  readonly methods?: readonly string[];
  /** Request header names that a page may set, beside those that every page may. */
  readonly headers?: readonly string[];
  /** Reply header names that a page may read. */
  readonly exposed?: readonly string[];
  /** Seconds for which a browser may remember the answer to its question; 600 unless given. */
  readonly maxAge?: number;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HEADERS = ['Accept', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id'];
const EXPOSED = ['ETag', 'Location', 'X-Request-Id'];
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

/** Marks every answer with `Vary: Origin`, as caches must not give one origin's answer to another. */
export function cors({
  origins,
  methods = METHODS,
  headers = HEADERS,
  exposed = EXPOSED,
  maxAge = 600,
}: CorsOptions): Plugin {
  const allowed = new Set(origins);
  const toQuestions = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': headers.join(', '),
    'Access-Control-Max-Age': String(maxAge),
  };
  const toAnswers = { 'Access-Control-Expose-Headers': exposed.join(', ') };
  const permission = (
    { headers: { origin } }: Context,
    more: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> =>
    origin !== undefined && allowed.has(origin) ? { 'Access-Control-Allow-Origin': origin, ...more } : {};

  return {
    name: 'cors',
    outerStages: [
      function corsMarks(context, next) {
        const marks = permission(context, toAnswers);
        const marked = (reply: Reply): Reply =>
          withHeaders(reply, { Vary: varying(headerOf(reply, 'vary')), ...marks });
        return after(next(context), marked);
      },
    ],
    stages: [
      function cors(context, next) {
        return isPreflight(context)
          ? empty({ headers: { Vary: PREFLIGHT_VARY, ...permission(context, toQuestions) } })
          : next(context);
      },
    ],
  };
}

const isPreflight = ({ method, headers }: Context): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

function varying(vary: string | undefined): string {
  if (vary === undefined) return 'Origin';
  return /(?:^|,)\s*(?:\*|origin)\s*(?:,|$)/i.test(vary) ? vary : `${vary}, Origin`;
}
