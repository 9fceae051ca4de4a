/** Percent-encodes the texts of links. */

/** The characters `A–Z a–z 0–9 - . _ ~ ! $ ( ) * , ; @` are not encoded in a link (rule E.5.2). */
const UNRESERVED = /^[\w\-.~!$()*,;@]*$/;

/**
 * Percent-encodes text for a link, as UTF-8. A lone surrogate becomes U+FFFD. Most texts, such as ids, need no
 * encoding, so the first line returns them unchanged.
 */
export function encode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll(/%24|%2C|%3B|%40/g, decodeURIComponent)
    .replaceAll("'", '%27');
}
