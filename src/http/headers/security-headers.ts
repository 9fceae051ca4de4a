/** The headers that tell a browser what it must not do with a response. */

/** Sent with every reply. The files of a static folder have these and no Content-Security-Policy (D36). */
export const COMMON_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/**
 * Sent with everything that is not a page: the replies of the API, and problems. `frame-ancestors` has no fallback to
 * `default-src`: without it any page may put the reply into a frame.
 */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/** Sent with every problem. A problem names one request, and a cache may otherwise store a 404 (RFC 9111 §4.2.2). */
export const PROBLEM_HEADERS: readonly string[] = [...API_POLICY, 'Cache-Control', 'no-store'];
