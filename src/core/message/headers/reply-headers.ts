/**
 * The headers of replies: those that every reply or every problem has, the id of the request, and what none may have.
 */
import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { logError } from '../../log/log-line.ts';
import { article, quoted } from '../../options/assert-options.ts';
import { TOKEN } from './content-type.ts';

/** Sent with every reply. The files of a static folder have these and no Content-Security-Policy (D36). */
export const COMMON_HEADERS: readonly string[] = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}).flat();

/** Sent with all that is no page. `default-src` does not stand in for `frame-ancestors`, which forbids frames. */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/** Sent with every problem. A problem names one request, and a cache may otherwise store a 404 (RFC 9111 §4.2.2). */
export const PROBLEM_HEADERS: readonly string[] = [...API_POLICY, 'Cache-Control', 'no-store'];

/** Headers that a reply may not have, and the remedy. */
const RESERVED: readonly (readonly [name: string, fault: string])[] = [
  ['connection', 'a Connection header; leave connections to the server'],
  ['keep-alive', 'a Keep-Alive header; leave connections to the server'],
  ['trailer', 'a Trailer header; leave the framing of the body to the server'],
  ['transfer-encoding', 'a Transfer-Encoding header; leave the framing of the body to the server'],
  ['x-request-id', 'an X-Request-Id header, which every reply has already; leave it out'],
];
const IS_RESERVED = new RegExp(`^(?:${RESERVED.map(([name]) => name).join('|')})$`, 'i');

/**
 * The fault of a header and its remedy, as words after "returned"; undefined for a valid header. A name is a token (RFC
 * 9110 §5.6.2), and a value has no control character but the tab (§5.5). Headers that frame a message or manage its
 * connection are for the server to send (RFC 9112 §6.1, §9).
 */
export function headerFault(name: unknown, value: unknown): string | undefined {
  if (typeof name !== 'string' || !TOKEN.test(name))
    return `a header with the name ${quoted(name)}; use letters, digits and "-"`;
  if (IS_RESERVED.test(name)) return RESERVED.find(([reserved]) => reserved === name.toLowerCase())![1];
  if (typeof value !== 'string')
    return `the header ${name} with ${article(typeof value)} as its value; write it as a text`;
  if (/[^\t -~\x80-\xff]/.test(value))
    return `the header ${name} with a character that no header can carry: ${quoted(value)}; encode it`;
  return undefined;
}

const WELL_FORMED = /^[\w.~:/+=@-]{1,128}$/;
const ofProcess = randomBytes(4).toString('base64url');
/** Five digits from the first on. */
let count = 36 ** 4;

/**
 * The id of a request, which is in its response, in every problem and in the log (D10): its well-formed `X-Request-Id`,
 * so that one id follows a request through several services, else a new one, of `make` if given. An id has to be
 * unique, not unpredictable.
 */
export function requestId(given: string | undefined, make?: () => string): string {
  if (given !== undefined && WELL_FORMED.test(given)) return given;
  return make === undefined ? `${ofProcess}-${(count++).toString(36)}` : madeBy(make);
}

/** An id that no header can carry, or that could not be made, is logged, and the request has an id all the same. */
function madeBy(make: () => string): string {
  try {
    const made: unknown = make();
    if (typeof made === 'string' && WELL_FORMED.test(made)) return made;
    throw new TypeError(
      `Cannot use the request id ${JSON.stringify(made) ?? typeof made}: newRequestId returns 1 to 128 letters, digits ` +
        'and characters of "_.~:/+=@-"',
    );
  } catch (error) {
    logError(error);
    return requestId(undefined);
  }
}

const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The phrase; undefined for a status that has none. */
export const statusText = (status: number): string | undefined => RENAMED[status] ?? STATUS_CODES[status];
