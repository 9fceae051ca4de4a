/** Declares a reply, and checks whether it can be sent. Describes the fault and the remedy if it cannot be sent. */
import { Readable } from 'node:stream';
import { thrownMessage } from '../log/thrown-value.ts';
import { article, quoted } from '../options/assert-options.ts';
import { TOKEN } from './headers/content-type.ts';
import { flat, type HeaderLines, isContentLength, lineValue, withoutLines } from './headers/header-lines.ts';
import { capitalised } from './text.ts';

/** The text, bytes or stream to send. A `Readable` belongs to one reply; a client that disconnects destroys it. */
export type ReplyBody = string | Uint8Array | Readable;

/**
 * Holds a response. The server adds the headers that every response has, and a missing `Content-Length`. An object with
 * a status, headers and a body is a valid reply too: the library checks and copies it when a handler or a stage returns
 * it. The type `Status` restricts the replies that a handler may return.
 */
export interface Reply<Status extends number = number> {
  readonly status: Status;
  readonly headers: HeaderLines;
  /** The body to send; undefined for an empty body. */
  readonly body?: ReplyBody | undefined;
}

/** Yields the parts of a body, or the rows of a list. */
export type Source = Iterable<unknown> | AsyncIterable<unknown>;

/** True for an object that `for await` accepts. A text is iterable, but is not an object. */
export const isIterable = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);

/** True for a stream of the Web. Naming its class would make Node load all streams of the Web. */
export const isStreamOfWeb = (value: Source): value is ReadableStream =>
  typeof (value as ReadableStream).getReader === 'function';

/** True for a stream of Node, also of the package `readable-stream`, which has other classes. */
export const isStreamOfNode = (value: Source): value is Readable =>
  typeof (value as Readable).pipe === 'function' && typeof (value as Readable).destroy === 'function';

/** True for a stream of Node or of the Web. */
export const isStream = (value: unknown): value is Source =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.asyncIterator in value &&
  (isStreamOfNode(value as Source) || isStreamOfWeb(value as Source));

/** The error for a reply that cannot be sent. Its message names the stage or the route, and the remedy. */
export class InvalidReply extends TypeError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InvalidReply';
  }
}

/** Returns the subject of an error message, such as `the route "x"`. */
export type ErrorSubject = () => string;

/** Returns the error for an invalid returned value. `fault` describes the value and the remedy, after "returned". */
export const invalidReturn = (fault: string, subject: ErrorSubject): InvalidReply =>
  new InvalidReply(`${capitalised(subject())} returned ${fault}`);

/**
 * Returns the fault in the parts of a reply, as words after "a reply with"; undefined for valid parts. A reply without
 * a body may have a `Content-Length` only if the method is HEAD, which the caller checks.
 */
export const replyFault = ({ status, headers, body }: Reply): string | undefined =>
  headFault(status, headers) ?? lengthsFault(flat(headers), status, body) ?? bodyFault(body, status);

/** Returns the fault in a status or in header lines; undefined if both are valid. Does not compare them with a body. */
export function headFault(status: unknown, headers: HeaderLines): string | undefined {
  if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
    return `the status ${quoted(status)}; give a whole number from 200 to 599`;
  return headersFault(headers);
}

function headersFault(headers: HeaderLines): string | undefined {
  if (typeof headers !== 'object' || headers === null)
    return 'no headers; return text(…), json(…) or ok(…), or give headers: {}';
  // True for a Map and for the Headers of fetch. Naming the class Headers would make Node load fetch.
  if (Symbol.iterator in headers && !Array.isArray(headers))
    return 'its headers as a Map; write Object.fromEntries(headers)';
  const lines = flat(headers);
  if (lines.length % 2 !== 0) return 'a list of headers of odd length; give a value after each name';
  for (let at = 0; at < lines.length; at += 2) {
    const fault = headerFault(lines[at], lines[at + 1]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Headers that a reply may not have, each with the remedy. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['connection', 'a Connection header; leave connections to the server'],
  ['keep-alive', 'a Keep-Alive header; leave connections to the server'],
  ['trailer', 'a Trailer header; leave the framing of the body to the server'],
  ['transfer-encoding', 'a Transfer-Encoding header; leave the framing of the body to the server'],
  ['x-request-id', 'an X-Request-Id header, which every reply has already; leave it out'],
]);

/**
 * Returns the fault in a header and the remedy, as words after "a reply with"; undefined for a valid header. A name is
 * a token (RFC 9110 §5.6.2), and a value has no control character except the tab (§5.5). Only the server sends the
 * headers that frame a message or manage its connection (RFC 9112 §6.1, §9).
 */
export function headerFault(name: unknown, value: unknown): string | undefined {
  if (typeof name !== 'string' || !TOKEN.test(name))
    return `a header with the name ${quoted(name)}; use letters, digits and "-"`;
  const reserved = RESERVED.get(name.toLowerCase());
  if (reserved !== undefined) return reserved;
  if (typeof value !== 'string')
    return `the header ${name} with ${article(typeof value)} as its value; write it as a text`;
  if (/[^\t -~\x80-\xff]/.test(value))
    return `the header ${name} with a character that no header can carry: ${quoted(value)}; encode it`;
  return undefined;
}

export const isErrorStatus = (status: number): boolean => Number.isInteger(status) && status >= 400 && status <= 599;

/** Throws an `InvalidReply` for a header that cannot be sent. */
export const assertHeaders = (headers: HeaderLines): void => assertNoFault(headersFault(flat(headers)));

export function assertNoFault(fault: string | undefined): void {
  if (fault !== undefined) throw new InvalidReply(`Cannot make a reply with ${fault}`);
}

function lengthsFault(lines: readonly string[], status: number, body: ReplyBody | undefined): string | undefined {
  const length = lineValue(lines, 'Content-Length');
  if (length === undefined) return undefined;
  if (withoutLines(lines, isContentLength).length < lines.length - 2)
    return 'two Content-Length headers; leave both out: text(…), json(…) and the server add it';
  if (!/^\d{1,15}$/.test(length)) return `the Content-Length ${quoted(length)}; leave it out and it is added`;
  if (status === 204)
    return 'a 204 with a Content-Length; a 204 has no body: use empty(), or leave the header out (RFC 9110 §8.6)';
  return body === undefined || status === 304 ? undefined : lengthFault(Number(length), lengthOf(body));
}

/** Returns the fault if the lengths differ. `bytes` is undefined for a stream, whose bytes are counted when sent. */
export const lengthFault = (announced: number, bytes: number | undefined): string | undefined =>
  bytes === undefined || bytes === announced
    ? undefined
    : `the Content-Length ${announced} for a body of ${bytes} bytes; leave the header out and it is added`;

/** Returns the length of a body in bytes; undefined for a stream. */
export function lengthOf(body: ReplyBody | undefined): number | undefined {
  if (body === undefined) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.length : undefined;
}

function bodyFault(body: unknown, status: number): string | undefined {
  if (body === undefined) return undefined;
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  if ((status === 204 || status === 205) && !(isText && body.length === 0))
    return `a ${status} with a body; leave it out, or answer 200`;
  if (isText) return undefined;
  if (body instanceof Readable) {
    if (body.errored !== null)
      return `a stream that has failed (${thrownMessage(body.errored)}); give a stream that can be read`;
    return body.destroyed || body.readableEnded || body.readableDidRead
      ? 'a stream that has ended, failed or was read from before; make a new one for each reply'
      : undefined;
  }
  const kind = body === null ? 'null' : Array.isArray(body) ? 'a list' : article(typeof body);
  return `${kind} as a body; give a text, bytes or a stream, or use json(…)`;
}

/**
 * Returns a copy of the members of a returned value. Reads each of them once, because a getter or a proxy could return
 * another value after the check. Headers without lines, as a Map, are not copied: `returnFault` refuses them.
 */
export function membersOf(returned: Reply): Reply {
  const { status, headers, body } = Object(returned) as Reply;
  const hasLines = typeof headers === 'object' && headers !== null;
  const isCopied = hasLines && (Array.isArray(headers) || !(Symbol.iterator in headers));
  return { status, headers: isCopied ? [...flat(headers)] : headers, body };
}

/** Returns why a returned value cannot be a reply, and the remedy, as words after "returned"; undefined for a reply. */
export function returnFault(returned: Reply, members: Reply): string | undefined {
  const kind = kindFault(returned);
  if (kind !== undefined) return kind;
  const fault = replyFault(members);
  return fault === undefined ? undefined : `a reply with ${fault}`;
}

function kindFault(returned: Reply): string | undefined {
  if (returned === undefined || returned === null)
    return 'nothing; return a reply such as text(…), json(…) or empty(), or in a stage the reply of next(context)';
  if (typeof returned !== 'object') return `${article(typeof returned)}, not a reply; wrap it in text(…) or json(…)`;
  if ('then' in returned) return 'a thenable that is not a Promise; await it, or wrap it in Promise.resolve(…)';
  // Naming the class `Response` would make Node load fetch.
  if (Object.prototype.toString.call(returned) === '[object Response]')
    return 'a Response of the Web; return json(await response.json()), or { status, headers, body }';
  if ('value' in returned || 'problem' in returned || 'etag' in returned)
    return 'a result, which only an operation may return; return json(…) or text(…), or throw new HttpProblem(…)';
  return undefined;
}
