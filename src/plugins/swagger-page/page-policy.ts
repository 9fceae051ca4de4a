/**
 * What a browser may do on the page (D18): everything comes from this origin, nothing is inline, nobody may frame it.
 * `data:` is for the icons in Swagger UI's style sheet. An own page and its files are held to the same.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page needs none of these devices, so no script in it gets one. Browsers complain of names that they do not know. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((device) => `${device}=()`)
  .join(', ');

/** With every file of the page. `no-cache` is "ask first", not "keep nothing": what is unchanged is 304, and a new style shows at once. */
export const PAGE_HEADERS: readonly string[] = [
  'Cache-Control',
  'no-cache',
  'Content-Security-Policy',
  PAGE_POLICY,
  'Permissions-Policy',
  PERMISSIONS,
];

/** Over https only: elsewhere browsers ignore it and say so on the console. */
export const SECURE_PAGE_HEADERS: Readonly<Record<string, string>> = { 'Cross-Origin-Opener-Policy': 'same-origin' };
