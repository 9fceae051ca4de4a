/**
 * Decides the media type of a file by the extension of its name, and the charset of a text (RFC 9110 §8.3).
 *
 * Every reply has `nosniff`, so a browser runs no script and applies no style sheet of another type. Text is UTF-8.
 */

/** Each media type with the extensions of its files. */
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

/** The `Content-Type` of a media type: `text/*` has a charset, UTF-8 unless it says another; JSON has none (D8). */
export const contentTypeOf = (mediaType: string): string =>
  mediaType.startsWith('text/') && !/;\s*charset=/i.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
