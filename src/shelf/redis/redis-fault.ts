/** Explains the errors of Redis and of its client package, for HTTP clients and for the user who runs the service. */
import { HttpProblem } from '../../index.ts';
import { CollectionFull, StoreError } from '../../plugins/collection/collection.ts';
import { unreachable } from '../../plugins/collection/lasting-store.ts';
import type { RedisLocation } from './redis-location.ts';

/** Answers that deny a command or a key to the user. In a script, Redis does not name the command. */
const FORBIDDEN = /^(?:NOPERM|ERR (?:ACL failure|The user executing))/i;
/** Answers that deny access, or that do not know or allow a command. */
const DENIED =
  /^(?:NOAUTH|WRONGPASS|DENIED|NOPROTO|MOVED|ERR (?:AUTH|Client sent AUTH|invalid password|wrong number of arguments for 'auth'|SELECT is|(?:invalid )?DB index|.*(?:unknown|unsupported|disabled|not (?:allowed|permitted|supported))))/i;
/** Answers of a server that is unusable at the moment. */
const UNUSABLE =
  /^(?:READONLY|LOADING|BUSY|UNKILLABLE|MASTERDOWN|MISCONF|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|ERR max number of clients)/;
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/** An error: its code and message, the status of a request (503: the store is unusable), and the remedy. */
type Fault = readonly [error: RegExp, status: 500 | 503 | 507, isTemporary: boolean, remedy: string];

/** All known errors. A temporary error may disappear without a change of the settings. */
const FAULTS: readonly Fault[] = [
  [FORBIDDEN, 503, false, 'give the user the rights RIGHTS'],
  [DENIED, 503, false, 'correct the URL, the rights of the user, or the settings of the server'],
  [UNUSABLE, 503, true, 'wait, repair the server, or name another server'],
  [/^OOM/, 507, true, 'remove items, or raise maxmemory there'],
  [/^WRONGTYPE/, 503, false, 'its keys belong to another program; name another list, ?list=NAME'],
  [/^INCOMPLETE/, 503, false, 'delete the keys of the list, and copy a backup'],
  [UNTRUSTED, 503, false, 'name the authority of the certificate in NODE_EXTRA_CA_CERTS'],
];
const OTHER_ANSWER: Fault = [/^/, 500, true, 'see the manual and the log of the server'];
const UNREACHED: Fault = [/^/, 503, true, 'start the server, or correct the URL'];

function faultOf(error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  const text = code === undefined ? messageOf(error) : `${code} ${messageOf(error)}`;
  const other = errorCode(error) === undefined ? UNREACHED : OTHER_ANSWER;
  const [, status, isTemporary, remedy] = FAULTS.find(([pattern]) => pattern.test(text)) ?? other;
  return { status, isTemporary, remedy };
}

/** Returns the first line of the message, without the position in the script that Redis before version 7 adds. */
export function messageOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  // If a host has several addresses, the error has an empty message and one error for each address.
  if (Array.isArray(errors) && errors.length > 0) return messageOf(errors[0]);
  const [line = ''] = String(message || code || error).split('\n', 1);
  return line.replace(/^ERR Error running script .*? -/, '');
}

/** Returns the first word of an error answer, such as `WRONGTYPE`, or undefined for an error of the connection. */
export function errorCode(error: unknown): string | undefined {
  const isAnswer = (error as NodeJS.ErrnoException).code === undefined;
  return isAnswer ? /^[A-Z]{2,}\b/.exec(messageOf(error))?.[0] : undefined;
}

/**
 * Returns the message of an error without user and password (D85). The message may contain both, because a server that
 * does not know the command `AUTH` repeats its arguments.
 */
function safeText(error: unknown, { secrets }: RedisLocation): string {
  let text = messageOf(error).replace(/,? with args beginning with.*/, '');
  for (const secret of secrets)
    text = text.replace(new RegExp(`(?<!\\w)${secret.replace(/\W/g, '\\$&')}(?!\\w)`, 'g'), '…');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Returns the answer of the server or the error of the connection, `tried`, and the remedy. */
export function explanation(error: unknown, location: RedisLocation, tried = ''): string {
  const text = safeText(error, location);
  const remedy = faultOf(error).remedy.replace('RIGHTS', location.rights);
  return `${errorCode(error) === undefined ? text : `the server answers "${text}"`}${tried}; ${remedy}`;
}

/** Returns true if the server is unusable at the moment. */
export const isUnavailable = (error: unknown): boolean => faultOf(error).status === 503;

/** Returns the error to throw for a request: 507 if the server is full, 503 if it cannot be used, else a 500 (D85). */
export function redisFault(error: unknown, location: RedisLocation): Error {
  if (error instanceof HttpProblem) return error;
  const { status } = faultOf(error);
  if (status === 507) return new CollectionFull('The memory of the store is full');
  if (status === 503) return unreachable('The store cannot be reached now', 2);
  return new Error(`Cannot use the items in ${location.what}: ${explanation(error, location)}`);
}

/**
 * Returns the error to throw if the start fails after attempts for `wait` milliseconds. An unknown answer is a
 * temporary error (D85). The returned error has no `cause`, because the original error may contain the password.
 */
export function startError(error: unknown, location: RedisLocation, wait = 0): StoreError {
  if (error instanceof StoreError) return error;
  const { isTemporary } = faultOf(error);
  const tried = wait > 0 && isTemporary ? `; tried for ${wait / 1000} s` : '';
  return new StoreError(location.what, explanation(error, location, tried), { isTemporary });
}
