/** The header lines that tell a browser what not to do with an answer. */

/** With every reply. The files of a static folder carry these and no policy of content (D36). */
export const COMMON_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/**
 * With everything that is not meant to be looked at as a page: API answers and errors. `frame-ancestors` does not fall back to
 * `default-src`: without it any page may frame an answer.
 */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/** With every problem. A cache may keep a 404 or a 414 for as long as it likes (RFC 9111 §4.2.2), and each names one request. */
export const PROBLEM_HEADERS: readonly string[] = [...API_POLICY, 'Cache-Control', 'no-store'];
