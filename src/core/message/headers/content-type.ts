/**
 * Reads and writes what headers say of content: media types and their parameters (RFC 9110 §8.3.1), and lists split at
 * separators that are in no quoted string (§5.6.4).
 *
 * A text that breaks the grammar is refused as a whole. A reader that took `charset=utf-16 le` for a type without a
 * charset would decode the body as UTF-8.
 */

/** A media type. */
export interface ContentType {
  /** In lower case, `application/json` for example. */
  readonly type: string;
  /** Names in lower case, values without quotes and escapes, in the order of the header. A name may occur twice. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A token (§5.6.2). */
export const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
/** RFC 9110 §5.6.6. No white space around the `=`, and no character that two neighbouring parts can match. */
const PARAMETER =
  /^([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)")$/;

/** Reads a header value. Undefined if the type or a parameter breaks the grammar; empty parameters are skipped. */
export function parseContentType(text: string): ContentType | undefined {
  const [type = '', ...pieces] = splitOutsideQuotes(text, ';');
  if (!TYPE.test(type)) return undefined;
  const parameters = parseParameters(pieces);
  return parameters && { type: type.toLowerCase(), parameters };
}

/** Undefined where one breaks the grammar. */
export function parseParameters(pieces: readonly string[]): ContentType['parameters'] | undefined {
  const parameters: [name: string, value: string][] = [];
  for (const piece of pieces) {
    if (piece === '') continue;
    const [, name, token, quoted] = PARAMETER.exec(piece) ?? [];
    if (name === undefined) return undefined;
    parameters.push([name.toLowerCase(), token ?? quoted!.replace(/\\(.)/g, '$1')]);
  }
  return parameters;
}

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * The pieces, empty ones too, without OWS (§5.6.3). A quoted string without an end extends to the end of the text. A
 * loop takes time in proportion to the length, which the client chooses; a regular expression may take its square.
 */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const separatorCode = separator.charCodeAt(0);
  const pieces: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted && code === BACKSLASH) at++;
    else if (code === QUOTE) quoted = !quoted;
    else if (!quoted && code === separatorCode) {
      pieces.push(trimmed(text, start, at));
      start = at + 1;
    }
  }
  pieces.push(trimmed(text, start, text.length));
  return pieces;
}

/** `String.prototype.trim` removes characters that are not white space in a header, such as U+00A0. */
function trimmed(text: string, start: number, end: number): string {
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** Is this a media type of JSON (RFC 8259, RFC 6839 §3.1)? Parameters do not matter. */
export const isJsonType = (mediaType: string): boolean => /^[^/;]+\/(?:[^/;]+\+)?json[\t ]*(?:;|$)/i.test(mediaType);

/** The `Content-Type` of a media type: `text/*` has a charset, UTF-8 unless it says another; JSON has none (D8). */
export const contentTypeOf = (mediaType: string): string =>
  mediaType.startsWith('text/') && !/;\s*charset=/i.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
