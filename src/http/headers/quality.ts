/** A weight in `Accept` and `Accept-Encoding`: the value of `q` (RFC 9110 §12.4.2). */

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The weight from 0 to 1; undefined for a text that is none, such as `1.5`, `.5`, `1e-1` or one with four decimals. */
export const parseQuality = (text: string): number | undefined => (QUALITY.test(text) ? Number(text) : undefined);
