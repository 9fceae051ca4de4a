/** The headers that every reply or every problem has, the id of its request, and the phrase of its status. */
import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { logErrorLine } from '../../log/log-line.ts';

/** Sent with every reply (D36). */
export const COMMON_HEADERS: readonly string[] = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}).flat();

/** Sent with all that is no page. `default-src` does not stand in for `frame-ancestors`, which forbids frames. */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/** Sent with every problem. A problem names one request, and a cache may otherwise store a 404 (RFC 9111 §4.2.2). */
export const PROBLEM_HEADERS: readonly string[] = [...API_POLICY, 'Cache-Control', 'no-store'];

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
    logErrorLine(error);
    return requestId(undefined);
  }
}

const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The phrase; undefined for a status that has none. */
export const statusText = (status: number): string | undefined => RENAMED[status] ?? STATUS_CODES[status];
