/** Reads and writes the headers that files alone need: media types by name, names of downloads, ranges, policies of pages. */
import { contentTypeOf } from '../../core/message/headers/content-type.ts';
import { flat } from '../../core/message/headers/header-lines.ts';

/**
 * Each media type with the extensions of its files. Every reply has `nosniff`, so a browser runs no script and applies
 * no style sheet of another type.
 */
const MEDIA_TYPES = `
  text/html html htm, text/css css, text/plain txt, text/markdown md, text/csv csv, text/vtt vtt, text/calendar ics,
  text/javascript js mjs, application/json json map, application/manifest+json webmanifest, application/ld+json jsonld,
  application/xml xml, application/xhtml+xml xhtml, application/rss+xml rss, application/atom+xml atom,
  application/yaml yaml yml, application/wasm wasm, application/pdf pdf, application/rtf rtf,
  application/zip zip, application/gzip gz, application/x-tar tar,
  image/svg+xml svg, image/png png, image/jpeg jpg jpeg, image/gif gif, image/webp webp, image/avif avif,
  image/x-icon ico, image/bmp bmp, image/tiff tif tiff,
  font/woff woff, font/woff2 woff2, font/ttf ttf, font/otf otf,
  audio/mpeg mp3, audio/mp4 m4a, audio/ogg oga ogg opus, audio/wav wav, audio/flac flac,
  video/mp4 mp4 m4v, video/webm webm, video/ogg ogv, video/quicktime mov`.split(',');

/** The media type of a file name, whose extension may be in any case; `application/octet-stream` for an unknown one. */
export function mediaTypeOf(name: string): string {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  for (const entry of MEDIA_TYPES) {
    const [type = '', ...extensions] = entry.trim().split(' ');
    if (extensions.includes(extension)) return contentTypeOf(type);
  }
  return 'application/octet-stream';
}

/** Separators of paths, control characters, and surrogates that are no character. */
const UNSAFE = /[/\\\p{Cc}\p{Cs}]/gu;

/**
 * The `Content-Disposition` of a download with this name (RFC 6266); the client chooses a name where it is empty. A
 * name in ASCII stands in quotes. Any other is given twice: with the characters that every client reads, and in UTF-8,
 * which takes precedence (§4.3). A client may drop what it takes for a path, an escape or a control character, so those
 * are underscores here, and the name is the same everywhere (§5).
 */
export function downloadDisposition(name: string): string {
  const safe = name.replace(UNSAFE, '_');
  if (safe === '') return 'attachment';
  const plain = safe.replace(/%(?=[\da-f]{2})/gi, '_').replace(/[^ -~]|"/gu, '_');
  const quoted = `attachment; filename="${plain}"`;
  if (plain === safe) return quoted;
  // RFC 8187 §3.2.1.
  const escape = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${quoted}; filename*=UTF-8''${encodeURIComponent(safe).replace(/['()*]/g, escape)}`;
}

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The range of a body of `length` bytes that a `Range` header asks for (RFC 9110 §14.1.2); 'unsatisfiable' (416) when
 * it lies outside; undefined for the whole body. `bytes=-500` asks for the last five hundred bytes. A malformed range
 * is ignored, and so is a list of ranges, which is expensive to serve and of little use with files; §14.2 allows both.
 */
export function byteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = SINGLE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    if (Number(to) === 0) return 'unsatisfiable';
    // A suffix of an empty body is satisfiable but has no `Content-Range`.
    return length === 0 ? undefined : { first: Math.max(0, length - Number(to)), last: length - 1 };
  }
  const first = Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (last < first) return undefined;
  return first >= length ? 'unsatisfiable' : { first, last: Math.min(last, length - 1) };
}

/** The policy of an interactive page: own files only, nothing inline, no frames. `data:` is for icons of Swagger UI, `blob:` for pictures in replies. */
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
