/** Which characters of a link stand for themselves: `A–Z a–z 0–9 - . _ ~ ! $ ( ) * , ; @` and no others (reference E.5.2). */
const PLAIN = /^[\w\-.~!$()*,;@]*$/;
const KEPT: Readonly<Record<string, string>> = { '%24': '$', '%2C': ',', '%3B': ';', '%40': '@', "'": '%27' };

/** The text, percent-encoded as UTF-8; a lone surrogate becomes U+FFFD. */
export function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /%24|%2C|%3B|%40|'/g,
    (escape) => KEPT[escape]!,
  );
}

/** The same for the value of a catch-all: its slashes stay slashes (D26). */
export const encodeRest = (text: string): string => (PLAIN.test(text) ? text : text.split('/').map(encode).join('/'));
