/**
 * Decides whether a stage or a handler may send a header.
 *
 * A name is a token (RFC 9110 §5.6.2), and a value has no control character but the tab (§5.5). Headers that frame a
 * message or manage its connection are for the server to send (RFC 9112 §6.1, §9).
 */

import { randomBytes } from 'node:crypto';
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

/** Headers that a reply may not have, in lower case, and the remedy. */
const RESERVED: Readonly<Record<string, string>> = {
  connection: 'a Connection header; leave connections to the server',
  'keep-alive': 'a Keep-Alive header; leave connections to the server',
  trailer: 'a Trailer header; leave the framing of the body to the server',
  'transfer-encoding': 'a Transfer-Encoding header; leave the framing of the body to the server',
  'x-request-id': 'an X-Request-Id header, which every reply has already; leave it out',
};

/** The fault of each name that was checked, empty for a valid name. A service sends some twenty names. */
const checkedNames = new Map<unknown, string>();
const MAX_CHECKED_NAMES = 200;

/** The fault of a header and its remedy, as words after "returned"; undefined for a valid header. */
export function headerFault(name: unknown, value: unknown): string | undefined {
  let fault = checkedNames.get(name);
  if (fault === undefined) {
    fault = nameFault(name);
    if (checkedNames.size < MAX_CHECKED_NAMES) checkedNames.set(name, fault);
  }
  if (fault !== '') return fault;
  if (typeof value !== 'string')
    return `the header ${String(name)} with ${article(typeof value)} as its value; write it as a text`;
  if (isFieldValue(value)) return undefined;
  return `the header ${String(name)} with a character that no header can carry: ${quoted(value)}; encode it`;
}

function nameFault(name: unknown): string {
  if (typeof name !== 'string' || !TOKEN.test(name))
    return `a header with the name ${quoted(name)}; use letters, digits and "-"`;
  const lower = name.toLowerCase();
  return Object.hasOwn(RESERVED, lower) ? RESERVED[lower]! : '';
}

/** A loop takes a third of the time that a regular expression takes for texts of this length. */
function isFieldValue(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if ((code < 32 && code !== 9) || code === 127 || code > 255) return false;
  }
  return true;
}

const WELL_FORMED = /^[\w.~:/+=@-]{1,128}$/;

/** The ready-made last two digits of an id: a look-up costs less than to format a number for each request. */
const LAST_DIGITS = Array.from({ length: 36 ** 2 }, (_, number) => number.toString(36).padStart(2, '0'));
const ofProcess = randomBytes(4).toString('base64url');
let leading = 36 ** 2 - 1;
let last = LAST_DIGITS.length;
let prefix = '';

/** Five digits from the first id on. V8 copies a text of up to twelve characters at once; a longer one costs 75 ns. */
function nextId(): string {
  if (last === LAST_DIGITS.length) {
    last = 0;
    prefix = `${ofProcess}-${(++leading).toString(36)}`;
  }
  return prefix + LAST_DIGITS[last++]!;
}

/** The id of a request with this `X-Request-Id`; a new one, of `make` if given, when it is missing or malformed. */
export function requestId(given: string | undefined, make?: () => string): string {
  if (given !== undefined && WELL_FORMED.test(given)) return given;
  return make === undefined ? nextId() : madeBy(make);
}

/** An id that no header can carry, or that could not be made, is logged, and the request has an id all the same. */
function madeBy(make: () => string): string {
  try {
    const made: unknown = make();
    if (typeof made === 'string' && WELL_FORMED.test(made)) return made;
    const shown = JSON.stringify(made) ?? typeof made;
    throw new TypeError(
      `Cannot use the request id ${shown}: newRequestId returns 1 to 128 letters, digits and characters of "_.~:/+=@-"`,
    );
  } catch (error) {
    logError(error);
    return nextId();
  }
}
