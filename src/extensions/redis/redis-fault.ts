/** Turns the errors of Redis and of its client into what a client of the service is told. */

import { HttpProblem } from '../../index.ts';
import { CollectionFull, unreachable } from '../collection/collection.ts';

/** Replies of a server that cannot do its work at the moment, or does not let us. */
const UNAVAILABLE = new Set([
  ...['LOADING', 'BUSY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'READONLY', 'MISCONF', 'NOREPLICAS', 'UNKILLABLE'],
  ...['NOAUTH', 'WRONGPASS', 'NOPERM'],
]);
/** Replies that a restart of the service does not change. */
const REFUSED = new Set(['NOAUTH', 'WRONGPASS', 'NOPERM', 'WRONGTYPE']);

/**
 * The first word of a reply that is an error: `WRONGTYPE`; undefined for an error of the connection. Before Redis 7
 * that of a command in a script stands behind its place in the script.
 */
export const replyCode = (error: unknown): string | undefined =>
  /^(?:ERR Error running script .*? -)?([A-Z]{2,})\b/.exec(messageOf(error))?.[1];

/** Is there no reply, or one that says that the server does not work for us at the moment? */
export const isUnavailable = (error: unknown): boolean => {
  const code = replyCode(error);
  return code === undefined || UNAVAILABLE.has(code);
};

/** Does the server refuse what the URL says? */
export const isRefused = (error: unknown): boolean =>
  REFUSED.has(replyCode(error) ?? '') ||
  /^ERR (?:invalid password|Client sent AUTH|DB index|SELECT is not allowed)/.test(messageOf(error));

/** A cluster names a node on a host that the user has not named. */
export class ForeignNode extends Error {}

/** Is the certificate of the server not one to trust? */
export const isUntrusted = (error: unknown): boolean =>
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT)/.test(
    String((error as NodeJS.ErrnoException).code),
  );

export function messageOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  // A host with several addresses: the message of all is empty.
  if (Array.isArray(errors) && errors.length > 0) return messageOf(errors[0]);
  return String(message || code || error).split('\n', 1)[0]!;
}

/** What to throw: 507 for a full engine, 503 for one that cannot be reached, the error itself for any other. */
export function redisFault(error: unknown): unknown {
  if (error instanceof HttpProblem) return error;
  if (replyCode(error) === 'OOM') return new CollectionFull('The memory of the store is full');
  return isUnavailable(error) ? unreachable('The store cannot be reached now', 2) : error;
}
