/** The headers of the files of an interactive page: the browser may load and connect to nothing of other origins. */
import { flat } from '../../core/message/headers/header-lines.ts';

/** Own files only, nothing inline, no frames. `data:` is for icons of Swagger UI, `blob:` for pictures in replies. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every file (D18). `no-cache` makes browsers revalidate, so a new style shows at once. */
export const PAGE_HEADERS = flat({
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': PAGE_POLICY,
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), ' +
    'microphone=(), midi=(), payment=(), usb=()',
});
