/** Percent-encodes text for a link. `A–Z a–z 0–9 - . _ ~ ! $ ( ) * , ; @` stay as they are (reference E.5.2). */
const UNRESERVED = /^[\w\-.~!$()*,;@]*$/;
const CORRECTIONS: Readonly<Record<string, string>> = { '%24': '$', '%2C': ',', '%3B': ';', '%40': '@', "'": '%27' };

/** Encodes as UTF-8. A lone surrogate becomes U+FFFD. */
export function encode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
  return encoded.replaceAll(/%24|%2C|%3B|%40|'/g, (escape) => CORRECTIONS[escape]!);
}

/** Encodes the value of a catch-all parameter: its slashes stay slashes (D26). */
export const encodeCatchAll = (text: string): string =>
  UNRESERVED.test(text) ? text : text.split('/').map(encode).join('/');
