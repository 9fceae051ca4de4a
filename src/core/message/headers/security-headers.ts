/** The headers that tell a browser what it must not do with a response. */

/** Sent with every reply. The files of a static folder have these and no Content-Security-Policy (D36). */
export const COMMON_HEADERS: readonly string[] = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}).flat();

/** Sent with all that is no page. `default-src` does not stand in for `frame-ancestors`, which forbids frames. */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/** Sent with every problem. A problem names one request, and a cache may otherwise store a 404 (RFC 9111 §4.2.2). */
export const PROBLEM_HEADERS: readonly string[] = [...API_POLICY, 'Cache-Control', 'no-store'];
