/** The header lines that tell a browser what not to do with an answer. */

/** With every reply. The files of a static folder carry these and no policy of content (D36). */
export const COMMON_HEADERS: readonly string[] = [
  'X-Content-Type-Options', 'nosniff',
  'Referrer-Policy', 'no-referrer',
  'Cross-Origin-Resource-Policy', 'same-origin',
];

/** With everything that is not meant to be looked at as a page: API answers and errors. */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'"];
