/** Decodes the texts of forms in their charset (RFC 7578 §4.6, §5.1). */
import type { ContentType } from '../../core/message/headers/content-type.ts';
import { HttpProblem } from '../../core/message/problem.ts';

/** A text as it was sent. `charset` is the charset in the headers of its part. */
export interface SentText {
  readonly bytes: Uint8Array;
  readonly charset?: string | undefined;
}

/** The parsed `Content-Type` of a form. */
export interface FormType {
  /** The boundary between the parts; undefined for `application/x-www-form-urlencoded`. */
  readonly boundary: string | undefined;
  /** The charset of the texts that do not have a charset in their part. */
  readonly charset: string | undefined;
  /** Makes a 415 error with this detail. */
  readonly refused: (detail: string) => HttpProblem;
}

/**
 * Decodes a text. Uses its charset, or else the charset of the form, or else UTF-8. Throws an `HttpProblem`: 415 for an
 * unknown charset, 400 for bytes that are invalid in the charset.
 */
export function textOf({ bytes, charset }: SentText, form: FormType): string {
  const decoder = decoderOf(charset ?? form.charset ?? 'utf-8', form);
  try {
    const text = decoder.decode(bytes);
    return decoder.encoding === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, inWindows1252) : text;
  } catch {
    const remedy = 'send it in UTF-8, or name its charset';
    throw new HttpProblem(400, `A text of the form cannot be decoded as ${decoder.encoding}; ${remedy}`);
  }
}

/** Corrects the decoder of windows-1252 (also `iso-8859-1`) of Node 20. It lacks the 27 characters from € to Ÿ. */
const inWindows1252 = (control: string): string => WINDOWS_1252[control.charCodeAt(0) - 0x80]!;
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Returns the decoder of a charset. Throws an `HttpProblem` 415 for a charset that browsers do not know. */
export function decoderOf(charset: string, { refused }: Pick<FormType, 'refused'>) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw refused(`The charset ${JSON.stringify(charset.slice(0, 40))} of the form is unknown here; send it in UTF-8`);
  }
}

/** Returns the charset of a media type, or undefined. Joins several charsets to one name, which is later refused. */
export function charsetOf({ parameters }: ContentType): string | undefined {
  const named = parameters.flatMap(([name, value]) => (name === 'charset' ? [value.toLowerCase()] : []));
  return [...new Set(named)].join(' and ') || undefined;
}

/** Returns true for `_charset_`, the name of the field that contains the charset of the form. */
export const isCharsetName = ({ bytes }: SentText): boolean => latin1(bytes).toLowerCase() === '_charset_';

/** Returns the value of a field `_charset_`, or undefined if the field is empty. */
export const charsetIn = ({ bytes }: SentText): string | undefined => latin1(bytes).trim() || undefined;

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Decodes percent-encoding to bytes. Each character of `coded` is one byte. Malformed escapes are not changed. */
export const percentDecoded = (coded: string): Uint8Array =>
  Buffer.from(
    coded.replace(ESCAPES, (escapes) => latin1(Buffer.from(escapes.replaceAll('%', ''), 'hex'))),
    'latin1',
  );
/** Matches up to 1,000 escapes. Decoding takes 4 times as long with longer matches, 14 times with single escapes. */
const ESCAPES = /(?:%[\da-f]{2}){1,1000}/gi;
