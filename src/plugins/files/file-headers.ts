/** The headers of replies with files: media types, names of downloads, ranges, and policies of pages. */
import { contentTypeOf } from '../../core/http/headers/content-type.ts';
import { flat } from '../../core/http/headers/header-lines.ts';

/** Each media type with its file extensions. Browsers need the right type, because every reply has `nosniff`. */
const MEDIA_TYPES = `
  text/html html htm, text/css css, text/plain txt log, text/markdown md, text/csv csv, text/vtt vtt, text/calendar ics,
  text/javascript js mjs, application/json json map, application/manifest+json webmanifest, application/ld+json jsonld,
  application/xml xml, application/xhtml+xml xhtml, application/rss+xml rss, application/atom+xml atom,
  application/yaml yaml yml, application/wasm wasm, application/pdf pdf, application/rtf rtf,
  application/zip zip, application/gzip gz, application/x-tar tar,
  image/svg+xml svg, image/png png, image/jpeg jpg jpeg, image/gif gif, image/webp webp, image/avif avif,
  image/x-icon ico, image/bmp bmp, image/tiff tif tiff,
  font/woff woff, font/woff2 woff2, font/ttf ttf, font/otf otf,
  audio/mpeg mp3, audio/mp4 m4a, audio/ogg oga ogg opus, audio/wav wav, audio/flac flac,
  video/mp4 mp4 m4v, video/webm webm, video/ogg ogv, video/quicktime mov,
  application/vnd.apple.mpegurl m3u8, model/gltf-binary glb, model/gltf+json gltf`.split(',');

/** Returns the media type for the file extension in any case, or `application/octet-stream`. `added` comes first. */
export function mediaTypeOf(name: string, added: Readonly<Record<string, string>> = {}): string {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(added, extension)) return contentTypeOf(added[extension]!);
  for (const entry of MEDIA_TYPES) {
    const [type = '', ...extensions] = entry.trim().split(' ');
    if (extensions.includes(extension)) return contentTypeOf(type);
  }
  return 'application/octet-stream';
}

/** Matches path separators, control characters, and lone surrogates. */
const UNSAFE = /[/\\\p{Cc}\p{Cs}]/gu;

/**
 * Returns the `Content-Disposition` of a download with this name (RFC 6266). If the name is empty, the client chooses a
 * name. An ASCII name is sent in quotes. Any other name is sent twice: in ASCII for every client, and in UTF-8, which
 * takes precedence (§4.3). Slashes, backslashes, escapes and control characters become underscores, because clients
 * treat them differently (§5).
 */
export function downloadDisposition(name: string): string {
  const safe = name.replace(UNSAFE, '_');
  if (safe === '') return 'attachment';
  const plain = safe.replace(/%(?=[\da-f]{2})/gi, '_').replace(/[^ -~]|"/gu, '_');
  const quoted = `attachment; filename="${plain}"`;
  if (plain === safe) return quoted;
  // Escapes the characters that `encodeURIComponent` does not escape (RFC 8187 §3.2.1).
  const escape = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${quoted}; filename*=UTF-8''${encodeURIComponent(safe).replace(/['()*]/g, escape)}`;
}

/** The positions of the first and the last byte of a range, both inclusive. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Parses a `Range` header for a body of `length` bytes (RFC 9110 §14.1.2). Returns 'unsatisfiable' (416) if the range
 * is outside the body. Returns undefined if the whole body must be sent. `bytes=-500` requests the last 500 bytes. A
 * malformed range is ignored. A list of ranges is ignored too, because it is expensive and of little use for files.
 * Both are allowed (§14.2).
 */
export function byteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = SINGLE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    if (Number(to) === 0) return 'unsatisfiable';
    // The last bytes of an empty body can be sent, but `Content-Range` cannot describe them.
    return length === 0 ? undefined : { first: Math.max(0, length - Number(to)), last: length - 1 };
  }
  const first = Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (last < first) return undefined;
  return first >= length ? 'unsatisfiable' : { first, last: Math.min(last, length - 1) };
}

/**
 * The policy of an interactive page. It allows only files of this service, and no inline code or frames. Swagger UI
 * needs `data:` for its icons, and `blob:` for pictures in replies.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every file of a page (D18). With `no-cache`, browsers revalidate, so a new style is used at once. */
export const PAGE_HEADERS = flat({
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': PAGE_POLICY,
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), ' +
    'microphone=(), midi=(), payment=(), usb=()',
});
