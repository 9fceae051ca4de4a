/** Explains the errors of Redis and its client to clients of the service, and to the user who starts or runs it. */
import { HttpProblem } from '../../core/message/problem.ts';
import { CollectionFull, StoreError } from '../collection/collection.ts';
import { unreachable } from '../collection/store-error.ts';
import type { RedisLocation } from './redis-location.ts';

/** Matches what a server or its client says. A temporary fault may end although nobody corrects the settings. */
type Fault = readonly [error: RegExp, cause: string, remedy: string, isTemporary: boolean];

const REFUSED =
  /^(?:NOAUTH|WRONGPASS|NOPERM|ERR (?:ACL failure|The user executing|AUTH|Client sent AUTH|invalid password|wrong number of arguments for 'auth'|SELECT is|(?:invalid )?DB index))/;
const UNKNOWN = /^(?:NOPROTO|ERR .*(?:unknown|unsupported|disabled|not (?:allowed|permitted|supported)))/i;
const FORBIDDEN = 'the server does not know or allow a command that the service needs';
const OWN_MACHINE = 'the server takes connections from its own machine only';
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;
const UNCERTIFIED = /^\w+_ALERT_(?:CERTIFICATE_REQUIRED|UNKNOWN_CA|BAD_CERTIFICATE) /;
const FILES = '?cert=FILE&key=FILE';

/** What the replies of a server that does not work for us mean, by their text. */
const REPLIES: readonly Fault[] = [
  [/^ERR .*cluster support disabled/, 'the server is not a node of a cluster', 'give redis://, or rediss://', false],
  [REFUSED, 'the server refuses', 'correct the URL, or what the user may do', false],
  [/^DENIED/, OWN_MACHINE, 'set a password there, and give it in the URL', false],
  [UNKNOWN, FORBIDDEN, 'allow the command there, or name another server', false],
  [/^ERR No such master/, 'the sentinels do not know this name', 'correct ?master=NAME', false],
  [/^MOVED/, 'the server is a node of a cluster', 'give redis-cluster://, or rediss-cluster://', false],
  [/^ERR max number of clients/, 'the server takes no more connections', 'raise maxclients there', true],
  [/^READONLY/, 'the server is a replica and takes no changes', 'name the primary, or make it the primary', true],
  [/^LOADING/, 'the server still reads its data', 'wait', true],
  [/^(?:BUSY|UNKILLABLE)/, 'a script keeps the server busy', 'end it there, SCRIPT KILL', true],
  [/^MASTERDOWN/, 'the server is a replica without its primary', 'start the primary', true],
  [/^MISCONF/, 'the server cannot save its data', 'make room on its disk, or see its log', true],
  [/^NOREPLICAS/, 'too few replicas follow the server', 'start them, or lower min-replicas-to-write there', true],
  [/^CLUSTERDOWN/, 'a node of the cluster is missing', 'start it, or give its slots to another node', true],
  [/^TRYAGAIN/, 'the cluster moves the list to another node', 'wait', true],
];

/** What other errors mean, by their code and message. */
const ERRORS: readonly Fault[] = [
  ...REPLIES,
  [/^OOM/, 'the memory of the server is full', 'remove items, or raise maxmemory there', true],
  [/^WRONGTYPE/, 'a key of the list is of another program', 'name another list, ?list=NAME', false],
  [UNTRUSTED, 'the certificate of the server is not trusted', 'name its authority in NODE_EXTRA_CA_CERTS', false],
  [UNCERTIFIED, 'the server does not take the certificate of this client', `give ${FILES}`, false],
  [/^ERR_OSSL_/, 'the certificate or its key is invalid', `correct the files of ${FILES}`, false],
  [/, open '/, 'the certificate or its key cannot be read', `correct ${FILES}`, false],
];
const OTHER_REPLY: Fault = [/^/, 'the server answers with an error', 'see its manual and its log', true];
const UNREACHED: Fault = [/^/, 'the server cannot be reached', 'start it', true];

/** The first line of what an error says. Before Redis 7 the error of a command in a script stands behind its place. */
export function messageOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  // A host with several addresses: the message of all is empty.
  if (Array.isArray(errors) && errors.length > 0) return messageOf(errors[0]);
  const [line = ''] = String(message || code || error).split('\n', 1);
  return line.replace(/^ERR Error running script .*? -/, '');
}

/** The first word of a reply that is an error: `WRONGTYPE`; undefined for an error of the connection. */
export function replyCode(error: unknown): string | undefined {
  const isReply = (error as NodeJS.ErrnoException).code === undefined;
  return isReply ? /^[A-Z]{2,}\b/.exec(messageOf(error))?.[0] : undefined;
}

/**
 * What an error says, without user and password (D85). A server repeats the words of an unknown command, and the words
 * of `AUTH` contain both.
 */
export function replyText(error: unknown, { username, password }: RedisLocation): string {
  let text = messageOf(error).replace(/,? with args beginning with.*/, '');
  for (const secret of [password, username].filter((one) => one !== undefined))
    text = text.replace(new RegExp(`(?<!\\w)${secret.replace(/\W/g, '\\$&')}(?!\\w)`, 'g'), '…');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function faultOf(error: unknown): Fault {
  const { code } = error as NodeJS.ErrnoException;
  const text = code === undefined ? messageOf(error) : `${code} ${messageOf(error)}`;
  const found = ERRORS.find(([pattern]) => pattern.test(text));
  return found ?? (replyCode(error) === undefined ? UNREACHED : OTHER_REPLY);
}

/** What an error means, what it says, and the remedy. `tried` is added to what it says. */
function explanation(error: unknown, location: RedisLocation, tried = ''): string {
  const [, cause, remedy] = faultOf(error);
  return `${cause} (${replyText(error, location)}${tried}); ${remedy}`;
}

/** For the log of a service: explains a reply of the server, and shows an error of the connection as it is. */
export const logText = (error: unknown, location: RedisLocation): string =>
  replyCode(error) === undefined ? replyText(error, location) : explanation(error, location);

/** Can the server not be used at the moment: does it not reply, or does it refuse the command? */
export const isUnavailable = (error: unknown): boolean =>
  replyCode(error) === undefined || REPLIES.includes(faultOf(error));

/** What to throw: 507 if the server is full, 503 if it cannot be reached, otherwise an error with its meaning. */
export function redisFault(error: unknown, location: RedisLocation): Error {
  if (error instanceof HttpProblem) return error;
  if (replyCode(error) === 'OOM') return new CollectionFull('The memory of the store is full');
  if (isUnavailable(error)) return unreachable('The store cannot be reached now', 2);
  return new Error(`Cannot use the items in ${location.what}: ${explanation(error, location)}`);
}

/**
 * What to tell the user of a start that failed after it has tried for `wait` milliseconds. It does not have the error
 * as its cause, which may repeat the password.
 */
export function startError(error: unknown, location: RedisLocation, wait = 0): StoreError {
  if (error instanceof StoreError) return error;
  const [, , , isTemporary] = faultOf(error);
  const tried = wait > 0 && isTemporary ? `; tried for ${wait / 1000} s` : '';
  return new StoreError(location.what, explanation(error, location, tried), { isTemporary });
}
