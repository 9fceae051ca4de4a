/**
 * Parses and formats the headers of content: media types and their parameters (RFC 9110 §8.3.1), and lists whose
 * separators can also occur in quoted strings (§5.6.4). Chooses the media type and the content coding of a response
 * (§12.5.1, §12.5.3, D8).
 *
 * A text that breaks the grammar is rejected as a whole. A parser that took `charset=utf-16 le` for a type without a
 * charset would decode the body as UTF-8. `br;q=0` excludes brotli, so a search for the letters "br" would send a body
 * that the client cannot read. A client that accepts none of the offered media types gets the default, which is more
 * useful than a 406.
 */

export interface ContentType {
  /** In lower case, `application/json` for example. */
  readonly type: string;
  /** Names in lower case, values without quotes and escapes, in the order of the header. A name may occur twice. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** The characters of a token (§5.6.2). */
const CHARACTERS = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED = String.raw`"((?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)"`;
export const TOKEN = new RegExp(`^${CHARACTERS}$`);
const TYPE = new RegExp(`^${CHARACTERS}/${CHARACTERS}$`);
/** A parameter (RFC 9110 §5.6.6). Neighbouring parts cannot match the same character, so matching is fast. */
const PARAMETER = new RegExp(`^(${CHARACTERS})=(?:(${CHARACTERS})|${QUOTED})$`);

/** Parses a header value. Returns undefined if the type or a parameter breaks the grammar. Skips empty parameters. */
export function parseContentType(text: string): ContentType | undefined {
  const [type = '', ...pieces] = splitOutsideQuotes(text, ';');
  if (!TYPE.test(type)) return undefined;
  const parameters = parseParameters(pieces);
  return parameters && { type: type.toLowerCase(), parameters };
}

function parseParameters(pieces: readonly string[]): ContentType['parameters'] | undefined {
  const parameters: [name: string, value: string][] = [];
  for (const piece of pieces) {
    if (piece === '') continue;
    const [, name, token, quoted] = PARAMETER.exec(piece) ?? [];
    if (name === undefined) return undefined;
    parameters.push([name.toLowerCase(), token ?? quoted!.replace(/\\(.)/g, '$1')]);
  }
  return parameters;
}

/**
 * Splits a text at the separators outside of quoted strings. Returns the pieces, also empty ones, without white space
 * around them (§5.6.3). A quoted string without an end extends to the end of the text. The client chooses the length,
 * so this is a loop with linear time; a regular expression may take quadratic time.
 */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const pieces: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      pieces.push(trimmed(text, start, at));
      start = at + 1;
    }
  }
  pieces.push(trimmed(text, start, text.length));
  return pieces;
}

/** Trims spaces and tabs. `String.prototype.trim` would also remove others, such as U+00A0. */
function trimmed(text: string, start: number, end: number): string {
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** True for a media type of JSON (RFC 8259, RFC 6839 §3.1), with any parameters. */
export const isJsonType = (mediaType: string): boolean => /^[^/;]+\/(?:[^/;]+\+)?json[\t ]*(?:;|$)/i.test(mediaType);

export const isUtf8 = (charset: string): boolean => /^utf-?8$/i.test(charset);

/** Returns the first charset that is not UTF-8, or undefined. */
export const otherCharset = ({ parameters }: ContentType): string | undefined =>
  parameters.find(([name, value]) => name === 'charset' && !isUtf8(value))?.[1];

/** Returns the `Content-Type` of a media type. Adds the charset UTF-8 to a `text/*` type without a charset (D8). */
export const contentTypeOf = (mediaType: string): string =>
  mediaType.startsWith('text/') && !/;\s*charset=/i.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;

/** Returns true if the list contains a media type, or a range with this type. `type` must be in lower case. */
export const isInRanges = (type: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => {
    const folded = range.toLowerCase();
    return folded === type || folded === '*/*' || (folded.endsWith('/*') && type.startsWith(folded.slice(0, -1)));
  });

/** From 0 to 1 (RFC 9110 §12.4.2). `1.5`, `.5` and `0.1234` are malformed (D58). */
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Returns the quality of each element by its name in lower case; 0 excludes it. Uses the first of several elements with
 * the same name. Skips malformed elements. Skips elements with a parameter other than `q` or `charset=utf-8`, because
 * no offered type has other parameters.
 */
function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [name = '', ...pieces] = splitOutsideQuotes(element, ';');
    const parameters = parseParameters(pieces);
    const quality = parameters?.find(([parameter]) => parameter === 'q')?.[1] ?? '1';
    const isOffered = parameters?.every(
      ([parameter, value]) => parameter === 'q' || (parameter === 'charset' && isUtf8(value)),
    );
    const lower = name.toLowerCase();
    if (isOffered === true && QUALITY.test(quality) && !qualities.has(lower)) qualities.set(lower, Number(quality));
  }
  return qualities;
}

/**
 * Returns the index of the offered type with the highest quality. If several types have this quality, returns JSON if
 * it is one of them, otherwise the first. If no type is accepted, returns JSON, or the first type without JSON.
 */
export function preferredMediaType(accept: string | undefined, offered: readonly string[]): number {
  const preferred = Math.max(offered.indexOf('application/json'), 0);
  if (offered.length < 2 || accept === undefined || accept === '*/*') return preferred;
  const qualities = qualitiesOf(accept);
  const best = firstBest([offered[preferred]!, ...offered], (mediaType) => {
    // The most specific media range has precedence.
    const wildcard = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`;
    return qualities.get(mediaType) ?? qualities.get(wildcard) ?? qualities.get('*/*') ?? 0;
  });
  return offered.indexOf(best);
}

/** Returns the item with the highest quality; the first of several. */
const firstBest = <Item>(items: readonly Item[], qualityOf: (item: Item) => number): Item =>
  items.reduce((best, item) => (qualityOf(item) > qualityOf(best) ? item : best));

/** A content coding in which a file may be stored. No entry exports this name, so results of functions write it out. */
export type Coding = 'br' | 'gzip';

/**
 * Returns the coding that an `Accept-Encoding` header prefers (RFC 9110 §12.5.3), or undefined for uncoded content.
 * Prefers the first of codings with equal quality.
 */
export function preferredCoding(header: string | undefined, available: readonly Coding[]): 'br' | 'gzip' | undefined {
  if (header === undefined || available.length === 0) return undefined;
  const qualities = qualitiesOf(header);
  const others = qualities.get('*') ?? 0;
  const qualityOf = (coding: Coding): number =>
    qualities.get(coding) ?? (coding === 'gzip' ? qualities.get('x-gzip') : undefined) ?? others;
  const best = firstBest(available, qualityOf);
  const isBetter = qualityOf(best) > 0 && qualityOf(best) >= (qualities.get('identity') ?? others);
  return isBetter ? best : undefined;
}
