/** Tells what the errors of Redis and its client mean: for who asks for items, and for who starts a service. */
import { HttpProblem } from '../../index.ts';
import { CollectionFull, StoreError, unreachable } from '../collection/collection.ts';

/** Replies of a server that cannot do its work at the moment, or does not let us. */
const UNAVAILABLE = new Set([
  ...['LOADING', 'BUSY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'READONLY', 'MISCONF', 'NOREPLICAS', 'UNKILLABLE'],
  ...['NOAUTH', 'WRONGPASS', 'NOPERM', 'MOVED'],
]);

const REFUSED =
  /^(?:NOAUTH|WRONGPASS|NOPERM|WRONGTYPE|ERR (?:invalid password|Client sent AUTH|DB index|SELECT is not allowed))/;
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;
const UNCERTIFIED = /^\w+_ALERT_(?:CERTIFICATE_REQUIRED|UNKNOWN_CA|BAD_CERTIFICATE) /;
const FILES = '?cert=FILE&key=FILE';

/** What the errors of a start mean, by their code and message. With exit code 2 another try cannot help. */
const CAUSES: readonly (readonly [error: RegExp, cause: string, remedy: string, exitCode: 1 | 2])[] = [
  [REFUSED, 'the server refuses', 'correct the URL, or what the user may do', 2],
  [/^MOVED/, 'the server is a node of a cluster', 'give redis-cluster://, or rediss-cluster:// for TLS', 2],
  [/^ERR No such master/, 'the sentinels do not know the server', 'give its name, ?master=NAME', 2],
  [UNTRUSTED, 'the certificate of the server is not trusted', 'name its authority in NODE_EXTRA_CA_CERTS', 2],
  [UNCERTIFIED, 'the server does not take the certificate of this client', `give ${FILES}`, 2],
  [/^ERR_OSSL_/, 'the certificate or its key is invalid', `correct the files of ${FILES}`, 2],
  [/, open '/, 'the certificate or its key cannot be read', `correct ${FILES}`, 2],
  [/^OOM/, 'the memory of the server is full', 'make room', 1],
  [/^READONLY/, 'the server is a replica and takes no changes', 'name the primary, or make it the primary', 1],
  [/^/, 'the server cannot be reached', 'start it', 1],
];

/** The first line of what an error says. Before Redis 7 the error of a command in a script stands behind its place. */
export function messageOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  // A host with several addresses: the message of all is empty.
  if (Array.isArray(errors) && errors.length > 0) return messageOf(errors[0]);
  const [line = ''] = String(message || code || error).split('\n', 1);
  return line.replace(/^ERR Error running script .*? -/, '');
}

/** The first word of a reply that is an error: `WRONGTYPE`; undefined for an error of the connection. */
export const replyCode = (error: unknown): string | undefined => /^[A-Z]{2,}\b/.exec(messageOf(error))?.[0];

/** Is there no reply, or one that says that the server does not work for us at the moment? */
export function isUnavailable(error: unknown): boolean {
  const code = replyCode(error);
  return code === undefined || UNAVAILABLE.has(code);
}

/** What to throw: 507 for a full engine, 503 for one that cannot be reached, the error itself for any other. */
export function redisFault(error: unknown): unknown {
  if (error instanceof HttpProblem) return error;
  if (replyCode(error) === 'OOM') return new CollectionFull('The memory of the store is full');
  return isUnavailable(error) ? unreachable('The store cannot be reached now', 2) : error;
}

/** What to tell the user of a start that failed after it has tried for `wait` milliseconds. */
export function startError(error: unknown, what: string, wait = 0): StoreError {
  if (error instanceof StoreError) return error;
  const message = messageOf(error);
  const { code } = error as NodeJS.ErrnoException;
  const text = code === undefined ? message : `${code} ${message}`;
  const [, cause, remedy, exitCode] = CAUSES.find(([pattern]) => pattern.test(text))!;
  const tried = wait > 0 && exitCode === 1 ? `; tried for ${wait / 1000} s` : '';
  return new StoreError(what, `${cause} (${message}${tried}); ${remedy}`, exitCode, error);
}
