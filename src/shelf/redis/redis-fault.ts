/** Explains the errors of Redis and of its client package, for HTTP clients and for the user who runs the service. */
import { HttpProblem } from '../../index.ts';
import { CollectionFull, StoreError } from '../../plugins/collection/collection.ts';
import { unreachable } from '../../plugins/collection/lasting-store.ts';
import type { RedisLocation } from './redis-location.ts';

const DENIED =
  /^(?:NOAUTH|WRONGPASS|NOPERM|ERR (?:ACL failure|The user executing|AUTH|Client sent AUTH|invalid password|wrong number of arguments for 'auth'|SELECT is|(?:invalid )?DB index))/;
const UNKNOWN = /^(?:NOPROTO|ERR .*(?:unknown|unsupported|disabled|not (?:allowed|permitted|supported)))/i;
const FORBIDDEN = 'the server does not know or allow a command that the service needs';
const OWN_MACHINE = 'the server accepts connections only from its own machine';
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;
const UNCERTIFIED = /^\w+_ALERT_(?:CERTIFICATE_REQUIRED|UNKNOWN_CA|BAD_CERTIFICATE) /;
const FILES = '?cert=FILE&key=FILE';

/** An error: its code and message, the status of a request (503: the store is unusable), the cause and the remedy. */
type Fault = readonly [error: RegExp, status: 500 | 503 | 507, isTemporary: boolean, cause: string, remedy: string];

/** All known errors. A temporary error may disappear without a change of the settings. */
const FAULTS: readonly Fault[] = [
  [DENIED, 503, false, 'the server denies access', 'correct the URL, or the rights of the user'],
  [/^DENIED/, 503, false, OWN_MACHINE, 'set a password there, and add it to the URL'],
  [UNKNOWN, 503, false, FORBIDDEN, 'allow the command there, or name another server'],
  [/^MOVED/, 503, false, 'the server is a node of a cluster', 'give RedisStore a client of createCluster'],
  [/^ERR max number of clients/, 503, true, 'the server accepts no more connections', 'raise maxclients there'],
  [
    /^READONLY/,
    503,
    true,
    'the server is a replica and accepts no changes',
    'name the primary, or make it the primary',
  ],
  [/^LOADING/, 503, true, 'the server is still loading its data', 'wait'],
  [/^(?:BUSY|UNKILLABLE)/, 503, true, 'a script keeps the server busy', 'stop it with SCRIPT KILL'],
  [/^MASTERDOWN/, 503, true, 'the server is a replica without its primary', 'start the primary'],
  [/^MISCONF/, 503, true, 'the server cannot save its data', 'free space on its disk, or read its log'],
  [/^NOREPLICAS/, 503, true, 'too few replicas follow the server', 'start them, or lower min-replicas-to-write there'],
  [/^CLUSTERDOWN/, 503, true, 'a node of the cluster is missing', 'start it, or give its slots to another node'],
  [/^TRYAGAIN/, 503, true, 'the cluster is moving the list to another node', 'wait'],
  [/^OOM/, 507, true, 'the memory of the server is full', 'remove items, or raise maxmemory there'],
  [/^WRONGTYPE/, 500, false, 'a key of the list belongs to another program', 'name another list, ?list=NAME'],
  [UNTRUSTED, 503, false, 'the certificate of the server is not trusted', 'name its authority in NODE_EXTRA_CA_CERTS'],
  [UNCERTIFIED, 503, false, 'the server does not accept the certificate of this client', `add or correct ${FILES}`],
  [/^ERR_OSSL_/, 503, false, 'the certificate or its key is invalid', `correct the files of ${FILES}`],
  [/, open '/, 503, false, 'the certificate or its key cannot be read', `correct ${FILES}`],
];
const OTHER_ANSWER: Fault = [/^/, 500, true, 'the server answers with an error', 'see its manual and its log'];
const UNREACHED: Fault = [/^/, 503, true, 'the server cannot be reached', 'start it'];

function faultOf(error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  const text = code === undefined ? messageOf(error) : `${code} ${messageOf(error)}`;
  const other = errorCode(error) === undefined ? UNREACHED : OTHER_ANSWER;
  const [, status, isTemporary, cause, remedy] = FAULTS.find(([pattern]) => pattern.test(text)) ?? other;
  return { status, isTemporary, cause, remedy };
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

/** Returns the cause, the message with `tried` at its end, and the remedy. The message quotes the server (D85). */
function explanation(error: unknown, location: RedisLocation, tried = ''): string {
  const { cause, remedy } = faultOf(error);
  return `${cause} (${safeText(error, location)}${tried}); ${remedy}`;
}

/** Returns the text for the log. Explains an error answer of the server, but not an error of the connection. */
export const logText = (error: unknown, location: RedisLocation): string =>
  errorCode(error) === undefined ? safeText(error, location) : explanation(error, location);

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
