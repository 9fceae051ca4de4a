/**
 * Decides the id of a request, which is in its response, in every problem and in the log (D10).
 *
 * A well-formed `X-Request-Id` of the client is kept, so that one id follows a request through several services.
 * Otherwise the id is a prefix that is random for each process, and a count: an id has to be unique, not unpredictable.
 */
import { randomBytes } from 'node:crypto';
import { logError } from '../../log/log-line.ts';

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
