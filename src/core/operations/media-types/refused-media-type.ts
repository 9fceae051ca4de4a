/**
 * Makes the 415 for a body, and declares its headers (RFC 9110 §15.5.16).
 *
 * `application/merge-patch+json` is refused for PATCH: it promises RFC 7396, where a member that is left out stays as
 * it is. The body step fills in what is left out, so no PATCH here does that (D39).
 */
import type { Context } from '../../message/context.ts';
import { HttpProblem } from '../../message/problem.ts';

/** The problem for a media type or a charset that is not read. `method` is that of the request. */
export function refusedMediaType(method: string, detail: string, accepted = 'application/json'): HttpProblem {
  // RFC 5789 §3.1.
  const ofPatch = method === 'PATCH' && { 'Accept-Patch': accepted };
  return new HttpProblem(415, detail, { headers: { Accept: accepted, ...ofPatch } });
}

const declared = (description: string) => ({ type: 'string', description }) as const;
const patchHeaders = { 'Accept-Patch': declared('Media type of a patch that is read') };

/** What the 415 of an operation with a body may carry. The reading of the body sends `Accept-Encoding`. */
export const refusedMediaTypeHeaders = (method: string) => ({
  Accept: declared('Media type that is read; sent when that of the body is not'),
  ...(method === 'PATCH' && patchHeaders),
  'Accept-Encoding': declared('Content codings that are undone; sent when that of the body is none of them'),
});

/** A request without `Content-Length` and `Transfer-Encoding` has no body (RFC 9112 §6.3), whatever it expects. */
export const announcesBody = ({ headers }: Context): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
