/** Tells what the errors of Redis and its client mean: for who asks for items, and for who starts a service. */
import { HttpProblem } from '../../index.ts';
import { CollectionFull, StoreError, unreachable } from '../collection/collection.ts';

/** A cluster names a node on a host that the user has not named. */
export class ForeignNode extends Error {}

/** The sentinels can be asked, and none knows the name of the server. */
export class UnknownMaster extends Error {}

/** Replies of a server that cannot do its work at the moment, or does not let us. */
const UNAVAILABLE = new Set([
  ...['LOADING', 'BUSY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'READONLY', 'MISCONF', 'NOREPLICAS', 'UNKILLABLE'],
  ...['NOAUTH', 'WRONGPASS', 'NOPERM'],
]);
/** Messages of a server that refuses what the URL says. */
const REFUSED =
  /^(?:NOAUTH|WRONGPASS|NOPERM|WRONGTYPE|ERR (?:invalid password|Client sent AUTH|DB index|SELECT is not allowed))/;
/** Codes for a certificate that is not trusted. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/** The first line of what an error says. */
export function messageOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  // A host with several addresses: the message of all is empty.
  if (Array.isArray(errors) && errors.length > 0) return messageOf(errors[0]);
  return String(message || code || error).split('\n', 1)[0]!;
}

/**
 * The first word of a reply that is an error: `WRONGTYPE`; undefined for an error of the connection. Before Redis 7
 * that of a command in a script stands behind its place in the script.
 */
export const replyCode = (error: unknown): string | undefined =>
  /^(?:ERR Error running script .*? -)?([A-Z]{2,})\b/.exec(messageOf(error))?.[1];

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

/** What to tell the user of a start that failed, with exit code 2 where another try cannot help. */
export function startError(error: unknown, what: string, wait = 0): StoreError {
  if (error instanceof StoreError) return error;
  const [cause, exitCode] = startCause(error, wait === 0 ? '' : ` within ${wait / 1000} s`);
  return new StoreError(what, cause, exitCode, error);
}

function startCause(error: unknown, waited: string): readonly [cause: string, exitCode: 1 | 2] {
  const message = messageOf(error);
  const code = replyCode(error);
  if (REFUSED.test(message)) return [`the server refuses (${message}); correct the URL, or what the user may do`, 2];
  if (UNTRUSTED.test(String((error as NodeJS.ErrnoException).code))) {
    const remedy = 'name the authority that has signed it in NODE_EXTRA_CA_CERTS';
    return [`the certificate of the server is not trusted (${message}); ${remedy}`, 2];
  }
  const { code: systemCode, path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'open') return [`the file "${path}" cannot be read (${systemCode}); correct ?cert=FILE&key=FILE`, 2];
  if (/^ERR_OSSL_/.test(String(systemCode)))
    return [`the certificate or its key is none (${message}); correct the files of ?cert=FILE&key=FILE`, 2];
  if (/ALERT_(?:CERTIFICATE_REQUIRED|UNKNOWN_CA|BAD_CERTIFICATE)$/.test(String(systemCode)))
    return [`the server does not take the certificate of this client (${message}); give ?cert=FILE&key=FILE`, 2];
  if (error instanceof UnknownMaster) return [`${message}; give its name, ?master=NAME`, 2];
  if (error instanceof ForeignNode) return [`${message}; list the hosts of its nodes in the URL, ?nodes=HOST,HOST`, 2];
  if (code === 'OOM') return [`the memory of the server is full (${message}); make room`, 1];
  if (code !== 'READONLY') return [`the server cannot be reached${waited} (${message}); start it`, 1];
  const remedy = 'name the primary, or make this one the primary';
  return [`the server is a replica and takes no changes (${message}); ${remedy}`, 1];
}
