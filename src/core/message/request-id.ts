/**
 * Gives a request its id, which is in its response, in every problem and in the log (D10). An id has to be unique, not
 * unpredictable.
 */
import { randomBytes } from 'node:crypto';
import { logErrorLine } from '../log/log-line.ts';

const WELL_FORMED = /^[\w.~:/+=@-]{1,128}$/;
const ofProcess = randomBytes(4).toString('base64url');
let count = 36 ** 4; // five digits from the first on

/** The `sent` id if it is well formed, so that one id follows a request through several services; else a new one. */
export function requestId(sent: string | undefined, make?: () => string): string {
  if (sent !== undefined && WELL_FORMED.test(sent)) return sent;
  return make === undefined ? `${ofProcess}-${(count++).toString(36)}` : idOf(make);
}

/** An id that no header can carry, or that could not be made, is logged, and the request has an id all the same. */
function idOf(make: () => string): string {
  try {
    const id: unknown = make();
    if (typeof id === 'string' && WELL_FORMED.test(id)) return id;
    const shown = JSON.stringify(id) ?? typeof id;
    const wanted = '1 to 128 letters, digits and characters of "_.~:/+=@-"';
    throw new TypeError(`Cannot use the request id ${shown}: newRequestId returns ${wanted}`);
  } catch (error) {
    logErrorLine(error);
    return requestId(undefined);
  }
}
