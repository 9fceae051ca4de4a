/** Text of forms (RFC 7578 §4.6, §5.1): bytes as they were sent, decoded in the charset that is named for them. */
import type { ContentType } from '../../core/message/headers/content-type.ts';
import { HttpProblem } from '../../core/message/problem.ts';

/** A text as it was sent. `charset` is the charset that its own part names. */
export interface SentText {
  readonly bytes: Uint8Array;
  readonly charset?: string | undefined;
}

/** What the `Content-Type` says of a form. */
export interface FormType {
  /** Undefined for `application/x-www-form-urlencoded`. */
  readonly boundary: string | undefined;
  /** That of texts which have none of their own; undefined where none is named. */
  readonly charset: string | undefined;
  /** Makes the 415 with this detail. */
  readonly refused: (detail: string) => HttpProblem;
}

/**
 * The text, in its charset, else in that of the form, else in UTF-8. Throws an `HttpProblem`: 415 for a charset that is
 * unknown, 400 for bytes that are not valid in it.
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

/** Node 20 decodes windows-1252, which is also what `iso-8859-1` means, without its 27 characters from € to Ÿ. */
const inWindows1252 = (control: string): string => WINDOWS_1252[control.charCodeAt(0) - 0x80]!;
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes the charsets that browsers know. Throws an `HttpProblem` 415 for another one. */
export function decoderOf(charset: string, { refused }: Pick<FormType, 'refused'>) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw refused(`The charset ${JSON.stringify(charset.slice(0, 40))} of the form is unknown here; send it in UTF-8`);
  }
}

/** The charset that a media type names; undefined if it names none. Several become the name of an unknown charset. */
export function charsetOf({ parameters }: ContentType): string | undefined {
  const named = parameters.flatMap(([name, value]) => (name === 'charset' ? [value.toLowerCase()] : []));
  return [...new Set(named)].join(' and ') || undefined;
}

/** Is this the name of the field whose value is the charset of the form? */
export const isCharsetName = ({ bytes }: SentText): boolean => latin1(bytes).toLowerCase() === '_charset_';

/** The charset that such a field names; undefined for an empty one. */
export const charsetIn = ({ bytes }: SentText): string | undefined => latin1(bytes).trim() || undefined;

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** The bytes of a text that is percent-encoded. `coded` has a character for each byte; a malformed escape stays. */
export const percentDecoded = (coded: string): Uint8Array =>
  Buffer.from(
    coded.replace(ESCAPES, (escapes) => latin1(Buffer.from(escapes.replaceAll('%', ''), 'hex'))),
    'latin1',
  );
/** At most 1,000 escapes at once: a longer match takes four times as long to decode, and single ones fourteen times. */
const ESCAPES = /(?:%[\da-f]{2}){1,1000}/gi;
