/** Takes a multipart form apart while it comes in, for forms in memory and streams (RFC 2046 §5.1, RFC 7578). */
import { HttpProblem } from '../../core/message/problem.ts';
import { percentDecoded, type SentText } from './form-text.ts';

export const MULTIPART = 'multipart/form-data';

/** What stands in front of the content of a part. */
export interface PartHead {
  readonly name: SentText;
  /** Undefined for a text. */
  readonly fileName: SentText | undefined;
  /** As it was sent; RFC 7578 §4.4 where nothing was. */
  readonly type: string;
}

const MAX_PARTS = 1000;
/** Of the head of one part, in bytes. */
const MAX_HEAD = 16 * 1024;
/** More pieces than this are joined while they have at most `MAX_JOINED` bytes: a piece takes 200 bytes of memory. */
const MAX_PIECES = 64;
const MAX_JOINED = 64 * 1024;
const LINE_BREAK = '\r\n';
const CARRIAGE_RETURN = 13;
const DASH = 45;

/**
 * The parts of one body, in their order. Of what has come in it keeps no more than the source gives at once, a head, or
 * the beginning of a delimiter; each byte is searched once.
 */
export class Multipart {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  /** What came in and is not given yet. The first delimiter may lack the line break that begins every other. */
  #rest: Buffer = Buffer.from(LINE_BREAK);
  /** The end of a head is kept there: where the content is absent, it begins the delimiter. */
  #kept = 0;
  /** The text in front of the first delimiter is skipped as a part that nobody reads. */
  #isInContent = true;
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`${LINE_BREAK}--${boundary}`, 'latin1');
  }

  /**
   * Skips the rest of the present part and gives the head of the next one; undefined behind the last, once the body is
   * in. Rejects with an `HttpProblem` 400 or 413, or with the error of the source; after an error always with that one.
   */
  next(): Promise<PartHead | undefined> {
    return this.#inTurn(() => this.#next());
  }

  /** The next bytes of the present part; undefined at its end. Rejects as `next` does. */
  piece(): Promise<Buffer | undefined> {
    return this.#inTurn(() => this.#piece());
  }

  /** The whole content of the present part; rejects with `tooLong()` once it has more than `maxBytes`. */
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

  /** A handler may ask for the next part while the stream of the present one waits for bytes. */
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
    this.#kept = LINE_BREAK.length;
    return head;
  }

  async #piece(): Promise<Buffer | undefined> {
    while (this.#isInContent) {
      const rest = this.#rest;
      const found = rest.indexOf(this.#delimiter);
      const end = found < 0 ? rest.length - this.#beginning() : found;
      const piece = rest.subarray(this.#kept, Math.max(end, this.#kept));
      if (end > 0) this.#kept = 0;
      this.#isInContent = found < 0;
      this.#rest = rest.subarray(found < 0 ? end : found + this.#delimiter.length);
      if (piece.length > 0) return piece;
      if (found < 0 && !(await this.#more())) throw malformed();
    }
    return undefined;
  }

  /** How many bytes at the end of the rest may begin a delimiter. A boundary has no line break. */
  #beginning(): number {
    const rest = this.#rest;
    const at = rest.lastIndexOf(CARRIAGE_RETURN);
    const length = at < 0 ? 0 : rest.length - at;
    return length < this.#delimiter.length &&
      this.#delimiter.subarray(0, length).equals(rest.subarray(rest.length - length))
      ? length
      : 0;
  }

  /** Whether the delimiter is the last one; behind its dashes stands the end of its line, or of the body. */
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

  /** Waits for more of the body; false at its end. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    return true;
  }
}

/** A line that begins with white space continues the one before (RFC 5322 §2.2.3). */
const FOLD = /\r\n(?=[ \t])/g;

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);

/** Throws a 413 for too many parts of a form, or pairs of one that is coded as a query. */
export function assertCount(parts: number): void {
  if (parts > MAX_PARTS) throw new HttpProblem(413, `The form has more than ${MAX_PARTS} parts`);
}

/** The reply to a body that cannot be taken apart. */
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
  // RFC 7578 §4.7. Of what is coded nobody would get what was sent.
  const coding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(?:7bit|8bit|binary)$/i.test(coding))
    throw new HttpProblem(
      400,
      `The field "${fromLatin1(name).bytes.toString()}" has a Content-Transfer-Encoding; send it without one`,
    );
  const [plain, extended] = [parameters!.get('filename'), parameters!.get('filename*')];
  const fileName = extendedOf(extended) ?? (plain === undefined ? undefined : fromLatin1(plain));
  // It would be taken for a text.
  if (fileName === undefined && extended !== undefined) throw malformed();
  return { name: fromLatin1(name), fileName, type: headers.get('content-type') || 'text/plain' };
}

/** The head is read as Latin-1: each character is a byte. */
const fromLatin1 = (text: string) => ({ bytes: Buffer.from(text, 'latin1') }) satisfies SentText;

/** A quote in the value is written as `%22` by browsers, and as `\"` by other clients. */
const ESCAPED = /;[ \t]*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))[ \t]*/y;
/** Browsers do not escape a backslash, not even at the end. */
const AS_BROWSERS_WRITE = /;[ \t]*([^\s=;"]+)=(?:"([^"]*)"|([^\s";]*))[ \t]*/y;
const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** The parameters of `form-data`; undefined for another disposition, and where one is malformed or is there twice. */
function dispositionOf(text: string, parameter: RegExp): ReadonlyMap<string, string> | undefined {
  const [form] = /^form-data[ \t]*/i.exec(text) ?? [];
  if (form === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (let at = form.length; at < text.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const [, name, quoted, token] = parameter.exec(text) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase())) return undefined;
    const unquoted = parameter === ESCAPED ? quoted?.replace(/\\(["\\])/g, '$1') : quoted;
    const value = unquoted?.replace(/%(?:22|0D|0A)/gi, (one) => ESCAPES[one.toUpperCase()]!);
    parameters.set(name.toLowerCase(), value ?? token!);
  }
  return parameters;
}

/** The value of `filename*` (RFC 8187 §3.2): RFC 7578 §4.2 forbids it, and clients send it beside the plain name. */
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
