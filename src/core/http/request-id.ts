/** Assigns each request a unique id, which its response, every problem and the log contain (D10). */
import { randomBytes } from 'node:crypto';
import { logErrorLine } from '../log/log-line.ts';

const WELL_FORMED = /^[\w.~:/+=@-]{1,128}$/;
const processPrefix = randomBytes(4).toString('base64url');
let count = 36 ** 4; // so that every id has at least five digits

/** Returns the `sent` id if it is well formed, so that several services use the same id. Otherwise returns a new id. */
export function requestId(sent: string | undefined, make?: () => string): string {
  if (sent !== undefined && WELL_FORMED.test(sent)) return sent;
  return make === undefined ? `${processPrefix}-${(count++).toString(36)}` : idOf(make);
}

/** Returns the id from `make`. If `make` throws or returns a malformed id, logs an error and returns another id. */
function idOf(make: () => string): string {
  try {
    const id: unknown = make();
    if (typeof id === 'string' && WELL_FORMED.test(id)) return id;
    const shown = JSON.stringify(id) ?? typeof id;
    const wanted = '1 to 128 letters, digits and characters of "_.~:/+=@-"';
    throw new TypeError(`Cannot use the request id ${shown}: newRequestId must return ${wanted}`);
  } catch (error) {
    logErrorLine(error);
    return requestId(undefined);
  }
}
