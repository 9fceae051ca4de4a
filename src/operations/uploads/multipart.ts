/** Parses a form that is sent as `multipart/form-data` (RFC 2046 §5.1, RFC 7578; D74). */
import { HttpProblem } from '../../core/http/problem.ts';
import { decoded } from '../../core/http/text.ts';

export const MULTIPART = 'multipart/form-data';

interface Part {
  readonly name: string;
  /** The name of the file; undefined if the part is a text. */
  readonly fileName: string | undefined;
  /** The `Content-Type` of the part as it was sent; undefined if it is absent. */
  readonly type: string | undefined;
  /** A view of the bytes of the form. */
  readonly content: Uint8Array;
}

export const MAX_PARTS = 1000;
const MAX_HEAD = 16 * 1024;
const LINE_BREAK = '\r\n';
const HEAD_END = LINE_BREAK + LINE_BREAK;
/** Matches what follows the last delimiter: two dashes, and the end of the line or of the body. */
const CLOSING = /^--(?:$|[ \t\r])/;

/**
 * Returns the parts of a form in order. Text before the first delimiter and after the last delimiter is skipped. Throws
 * an `HttpProblem`: 400 for a malformed form or a form without the last delimiter, 413 for more than 1,000 parts or a
 * head above 16 KiB.
 */
export function partsOf(body: Uint8Array, boundary: string): readonly Part[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const delimiter = Buffer.from(`${LINE_BREAK}--${boundary}`);
  // At the start of the body, the delimiter has no line break.
  const first = delimiter.subarray(LINE_BREAK.length);
  const startsAtOnce = bytes.subarray(0, first.length).equals(first);
  let at = startsAtOnce ? first.length : behind(bytes.indexOf(delimiter), delimiter);
  const parts: Part[] = [];
  while (!CLOSING.test(bytes.toString('latin1', at, at + 3))) {
    assertCount(parts.length + 1);
    const head = bytes.subarray(at, at + MAX_HEAD + HEAD_END.length);
    const headLength = head.indexOf(HEAD_END);
    if (headLength < 0 && head.length <= MAX_HEAD) throw malformed();
    if (headLength < 0) throw new HttpProblem(413, `The head of a part of the form is longer than ${MAX_HEAD} bytes`);
    const start = at + headLength + HEAD_END.length;
    // If the part is empty, the end of its head is also the line break of the next delimiter (RFC 2046 §5.1.1).
    const end = bytes.indexOf(delimiter, start - LINE_BREAK.length);
    at = behind(end, delimiter);
    parts.push({ ...headOf(utf8(head.subarray(0, headLength))), content: bytes.subarray(start, end) });
  }
  return parts;
}

/** Returns the position behind a delimiter. Throws an `HttpProblem` 400 if there is no delimiter. */
function behind(at: number, { length }: Buffer): number {
  if (at < 0) throw malformed();
  return at + length;
}

/** Throws a 413 if a form has too many parts, or too many URL-encoded pairs. */
export function assertCount(parts: number): void {
  if (parts > MAX_PARTS) throw new HttpProblem(413, `The form has more than ${MAX_PARTS} parts`);
}

/** Matches a line break before white space: such a line continues the line before (RFC 5322 §2.2.3). */
const FOLD = /\r\n(?=[ \t])/g;

export const malformed = (): HttpProblem =>
  new HttpProblem(400, 'The body is not multipart/form-data with the boundary that its Content-Type names');

/** Parses the head of a part: the rest of the line of the delimiter, and the headers. */
function headOf(text: string): Omit<Part, 'content'> {
  const [padding = '', ...lines] = text.replace(FOLD, '').split(LINE_BREAK);
  if (!/^[ \t]*$/.test(padding)) throw malformed();
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || headers.has(name)) throw malformed();
    headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = dispositionOf(disposition, ESCAPED) ?? dispositionOf(disposition, AS_BROWSERS_WRITE);
  const name = parameters?.get('name');
  if (name === undefined) throw malformed();
  // The content is not decoded, so the handler would get the wrong bytes (RFC 7578 §4.7).
  const coding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(?:7bit|8bit|binary)$/i.test(coding))
    throw new HttpProblem(400, `The field "${name}" has a Content-Transfer-Encoding; send it without one`);
  const extended = parameters!.get('filename*');
  const fileName = extendedOf(extended) ?? parameters!.get('filename');
  // The part is a file with an invalid name. If the name were ignored, the part would be read as a text.
  if (fileName === undefined && extended !== undefined) throw malformed();
  return { name, fileName, type: headers.get('content-type') || undefined };
}

/** Matches a parameter with escapes. Browsers write a quote in a value as `%22`, other clients write `\"`. */
const ESCAPED = /;[ \t]*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))[ \t]*/y;
/** Matches a parameter without escapes. Browsers do not escape a backslash, not even at the end of a value. */
const AS_BROWSERS_WRITE = /;[ \t]*([^\s=;"]+)=(?:"([^"]*)"|([^\s";]*))[ \t]*/y;
const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** Returns the parameters of `form-data`, or undefined for another disposition or a malformed or repeated parameter. */
function dispositionOf(text: string, parameter: RegExp): ReadonlyMap<string, string> | undefined {
  const [form] = /^form-data[ \t]*/i.exec(text) ?? [];
  if (form === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (let at = form.length; at < text.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const [, name, quoted, token] = parameter.exec(text) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return undefined;
    const unquoted = parameter === ESCAPED ? quoted?.replace(/\\(["\\])/g, '$1') : quoted;
    const value = unquoted?.replace(/%(?:22|0D|0A)/gi, (escape) => ESCAPES[escape.toUpperCase()]!);
    parameters.set(name.toLowerCase(), value ?? token!);
  }
  return parameters;
}

/**
 * Returns the value of `filename*` (RFC 8187 §3.2), or undefined if it is not in UTF-8. Some clients send it although
 * RFC 7578 §4.2 forbids it. It takes precedence over `filename` (D74).
 */
function extendedOf(text = ''): string | undefined {
  const [, coded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? [];
  return coded && decoded(coded);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

export function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

export const notUtf8 = (): HttpProblem => new HttpProblem(400, 'A text of the form is not UTF-8; send it in UTF-8');
