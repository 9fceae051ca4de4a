/** Parses a multipart form while it arrives. Both `form` and `formStream` use it (RFC 2046 §5.1, RFC 7578). */
import { HttpProblem } from '../../core/message/problem.ts';
import { percentDecoded, type SentText } from './form-text.ts';

export const MULTIPART = 'multipart/form-data';

/** The parsed headers of a part. */
export interface PartHead {
  readonly name: SentText;
  /** The name of the file; undefined if the part is a text. */
  readonly fileName: SentText | undefined;
  /** The `Content-Type` of the part as it was sent; `text/plain` if it is absent (RFC 7578 §4.4). */
  readonly type: string;
}

const MAX_PARTS = 1000;
/** The most bytes of the head of one part. */
const MAX_HEAD = 16 * 1024;
/**
 * If a part has more pieces, they are joined, because each piece takes 200 bytes. A part above `MAX_JOINED` bytes is
 * not joined.
 */
const MAX_PIECES = 64;
const MAX_JOINED = 64 * 1024;
const LINE_BREAK = '\r\n';
const CARRIAGE_RETURN = 13;
const DASH = 45;

/**
 * Reads the parts of one body in order. It buffers only a chunk of the source, a head, or the start of a delimiter, and
 * searches each byte once. Text before the first delimiter and after the last delimiter is skipped. A body without the
 * last delimiter is refused with 400 (D74).
 */
export class Multipart {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  /** The unread bytes. A line break is put before the body, because the first delimiter may lack its line break. */
  #rest: Buffer = Buffer.from(LINE_BREAK);
  /**
   * The length of the line break at the start of `#rest` that ends the head. If the part is empty, this line break is
   * also the start of the delimiter.
   */
  #headEnd = 0;
  /** True while a part is read. True at the start, so that text before the first delimiter is skipped like a part. */
  #isInContent = true;
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`${LINE_BREAK}--${boundary}`, 'latin1');
  }

  /**
   * Skips the rest of the current part and resolves to the head of the next part, or to undefined at the end of the
   * body. Rejects with an `HttpProblem` 400 or 413, or with the error of the source. Later calls reject with the same
   * error.
   */
  next(): Promise<PartHead | undefined> {
    return this.#inTurn(() => this.#next());
  }

  /** Resolves to the next bytes of the current part, or to undefined at its end. Rejects like `next`. */
  piece(): Promise<Buffer | undefined> {
    return this.#inTurn(() => this.#piece());
  }

  /** Resolves to the whole content of the current part. Rejects with `tooLong()` if it exceeds `maxBytes`. */
  async content(maxBytes = Number.POSITIVE_INFINITY, tooLong?: () => Error): Promise<readonly Buffer[]> {
    let pieces: Buffer[] = [];
    let length = 0;
    for (let piece = await this.piece(); piece !== undefined; piece = await this.piece()) {
      length += piece.length;
      if (length > maxBytes) throw tooLong!();
      pieces.push(piece);
      if (pieces.length > MAX_PIECES && length <= MAX_JOINED) pieces = [Buffer.concat(pieces)];
    }
    return pieces;
  }

  /** Runs reads one after the other, because a handler may ask for the next part while a stream waits for bytes. */
  #inTurn<Value>(read: () => Promise<Value>): Promise<Value> {
    const reading = this.#last.then(read);
    this.#last = reading;
    return reading;
  }

  async #next(): Promise<PartHead | undefined> {
    while ((await this.#piece()) !== undefined);
    if (await this.#isClosed()) {
      while (await this.#more()) this.#rest = this.#rest.subarray(this.#rest.length);
      return undefined;
    }
    assertCount(++this.#count);
    const head = await this.#head();
    this.#isInContent = true;
    this.#headEnd = LINE_BREAK.length;
    return head;
  }

  async #piece(): Promise<Buffer | undefined> {
    while (this.#isInContent) {
      const rest = this.#rest;
      const found = rest.indexOf(this.#delimiter);
      const end = found < 0 ? rest.length - this.#beginning() : found;
      const piece = rest.subarray(this.#headEnd, Math.max(end, this.#headEnd));
      if (end > 0) this.#headEnd = 0;
      this.#isInContent = found < 0;
      this.#rest = rest.subarray(found < 0 ? end : found + this.#delimiter.length);
      if (piece.length > 0) return piece;
      if (found < 0 && !(await this.#more())) throw malformed();
    }
    return undefined;
  }

  /** Returns how many bytes at the end of `#rest` may begin a delimiter. A delimiter has only one CR, at its start. */
  #beginning(): number {
    const rest = this.#rest;
    const at = rest.lastIndexOf(CARRIAGE_RETURN);
    const length = at < 0 ? 0 : rest.length - at;
    return length < this.#delimiter.length &&
      this.#delimiter.subarray(0, length).equals(rest.subarray(rest.length - length))
      ? length
      : 0;
  }

  /** Resolves to true after the last delimiter. Two dashes and the end of the line or body follow this delimiter. */
  async #isClosed(): Promise<boolean> {
    while (this.#rest.length < 3 && (await this.#more()));
    const [first, second, third = CARRIAGE_RETURN] = this.#rest;
    if (first !== DASH || second !== DASH) return false;
    if (third !== CARRIAGE_RETURN && !isBlank(String.fromCharCode(third))) throw malformed();
    return true;
  }

  async #head(): Promise<PartHead> {
    const end = LINE_BREAK + LINE_BREAK;
    let from = 0;
    let at = this.#rest.indexOf(end);
    while (at < 0 && this.#rest.length <= MAX_HEAD) {
      from = Math.max(0, this.#rest.length - end.length + 1);
      if (!(await this.#more())) throw malformed();
      at = this.#rest.indexOf(end, from);
    }
    if (at < 0 || at > MAX_HEAD)
      throw new HttpProblem(413, `The head of a part of the form is longer than ${MAX_HEAD} bytes`);
    const [padding = '', ...lines] = this.#rest.toString('latin1', 0, at).replace(FOLD, '').split(LINE_BREAK);
    this.#rest = this.#rest.subarray(at + LINE_BREAK.length);
    if (!isBlank(padding)) throw malformed();
    return headOf(lines);
  }

  /** Reads the next chunk of the body. Resolves to false at the end of the body. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    return true;
  }
}

/** Matches a line break before white space: such a line continues the line before (RFC 5322 §2.2.3). */
const FOLD = /\r\n(?=[ \t])/g;

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);

/** Throws a 413 if a form has too many parts, or too many URL-encoded pairs. */
export function assertCount(parts: number): void {
  if (parts > MAX_PARTS) throw new HttpProblem(413, `The form has more than ${MAX_PARTS} parts`);
}

/** The error for a body that cannot be parsed. */
export const malformed = (): HttpProblem =>
  new HttpProblem(400, 'The body is not multipart/form-data with the boundary that its Content-Type names');

function headOf(lines: readonly string[]): PartHead {
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
    throw new HttpProblem(
      400,
      `The field "${fromLatin1(name).bytes.toString()}" has a Content-Transfer-Encoding; send it without one`,
    );
  const [plain, extended] = [parameters!.get('filename'), parameters!.get('filename*')];
  const fileName = extendedOf(extended) ?? (plain === undefined ? undefined : fromLatin1(plain));
  // The part is a file with an invalid name. If the name were ignored, the part would be read as a text.
  if (fileName === undefined && extended !== undefined) throw malformed();
  return { name: fromLatin1(name), fileName, type: headers.get('content-type') || 'text/plain' };
}

/** Converts a text of a head back to bytes. The head was decoded as Latin-1. */
const fromLatin1 = (text: string) => ({ bytes: Buffer.from(text, 'latin1') }) satisfies SentText;

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
 * Returns the value of `filename*` (RFC 8187 §3.2). Some clients send it although RFC 7578 §4.2 forbids it. It takes
 * precedence over `filename` (D74).
 */
function extendedOf(text: string | undefined): SentText | undefined {
  if (text === undefined) return undefined;
  const [, charset = '', coded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(text) ?? [];
  const bytes = percentDecoded(coded);
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes);
    return { bytes, charset };
  } catch {
    return undefined;
  }
}
