/**
 * Makes the 415 for a body, and declares its headers (RFC 9110 §15.5.16).
 *
 * `application/merge-patch+json` is refused for PATCH: it promises RFC 7396, where a member that is left out stays as
 * it is. The body step fills in what is left out, so no PATCH here does that (D39).
 */
import type { Context } from '../../core/message/context.ts';
import { HttpProblem } from '../../core/message/problem.ts';

/** The problem for a media type or a charset that is not read. `method` is that of the request. */
export function refusedMediaType(method: string, detail: string, accepted = 'application/json'): HttpProblem {
  // RFC 5789 §3.1.
  const ofPatch = method === 'PATCH' && { 'Accept-Patch': accepted };
  return new HttpProblem(415, detail, { headers: { Accept: accepted, ...ofPatch } });
}

const declared = (description: string) => ({ type: 'string', description }) as const;
const patchHeaders = { 'Accept-Patch': declared('The media types of a patch that the operation reads') };

/** What the 415 of an operation with a body may carry. The reading of the body sends `Accept-Encoding`. */
export const refusedMediaTypeHeaders = (method: string) => ({
  Accept: declared('The media types that the operation reads; present if the body has another'),
  ...(method === 'PATCH' && patchHeaders),
  'Accept-Encoding': declared('The content codings that the service reads; present if the body has another'),
});

/** A request without `Content-Length` and `Transfer-Encoding` has no body (RFC 9112 §6.3), whatever it expects. */
export const announcesBody = ({ headers }: Context): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
