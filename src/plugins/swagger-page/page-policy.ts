/** Declares the headers that restrict what a browser does on the page (D18). */

/**
 * The page loads files from its own origin only, has no inline script or style and cannot be framed. `data:` is for the
 * icons in the style sheet of Swagger UI.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page uses none of these features. Browsers warn about names that they do not know. */
const PERMISSIONS =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), ' +
  'microphone=(), midi=(), payment=(), usb=()';

/** The headers of every file of the page. `no-cache` makes browsers revalidate, so a new style shows at once. */
export const PAGE_HEADERS: readonly string[] = [
  'Cache-Control',
  'no-cache',
  'Content-Security-Policy',
  PAGE_POLICY,
  'Permissions-Policy',
  PERMISSIONS,
];

/** For requests over https only: over http browsers ignore this header with a warning. */
export const SECURE_PAGE_HEADERS: Readonly<Record<string, string>> = { 'Cross-Origin-Opener-Policy': 'same-origin' };
