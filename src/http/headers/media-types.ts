/**
 * The table from the extension of a file name to its media type.
 *
 * With `nosniff` on every reply a browser takes the type at its word: a script sent as `text/plain` is not run and a style
 * sheet not applied. So what a page is made of is here, and whatever is not here is sent as bytes to be saved (RFC 9110 §8.3).
 * Text is UTF-8 and says so.
 */
const UTF8 = '; charset=utf-8';

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['html', `text/html${UTF8}`],
  ['htm', `text/html${UTF8}`],
  ['css', `text/css${UTF8}`],
  ['txt', `text/plain${UTF8}`],
  ['md', `text/markdown${UTF8}`],
  ['csv', `text/csv${UTF8}`],
  ['vtt', `text/vtt${UTF8}`],
  ['ics', `text/calendar${UTF8}`],
  ['js', `text/javascript${UTF8}`],
  ['mjs', `text/javascript${UTF8}`],
  ['json', 'application/json'],
  ['map', 'application/json'],
  ['webmanifest', 'application/manifest+json'],
  ['jsonld', 'application/ld+json'],
  ['xml', 'application/xml'],
  ['xhtml', 'application/xhtml+xml'],
  ['rss', 'application/rss+xml'],
  ['atom', 'application/atom+xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['wasm', 'application/wasm'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
  ['gz', 'application/gzip'],
  ['tar', 'application/x-tar'],
  ['rtf', 'application/rtf'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['ico', 'image/x-icon'],
  ['bmp', 'image/bmp'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['ttf', 'font/ttf'],
  ['otf', 'font/otf'],
  ['mp3', 'audio/mpeg'],
  ['m4a', 'audio/mp4'],
  ['oga', 'audio/ogg'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['mp4', 'video/mp4'],
  ['m4v', 'video/mp4'],
  ['webm', 'video/webm'],
  ['ogv', 'video/ogg'],
  ['mov', 'video/quicktime'],
]);

/** The media type of a file of this name; `application/octet-stream` where the extension, in any case, says nothing. */
export function mediaTypeOf(name: string): string {
  const extension = /\.([^./]+)$/.exec(name)?.[1] ?? '';
  return MEDIA_TYPES.get(extension.toLowerCase()) ?? 'application/octet-stream';
}
