/**
 * The 415 of a body: the problem, and the header lines that both documents declare for it (RFC 9110 §15.5.16).
 *
 * `application/merge-patch+json` is refused for PATCH: it promises RFC 7396, where a member that is left out stays as
 * it is. The body step fills in what is left out, so no PATCH here does that (D39).
 */
import { HttpProblem } from '../../http/message/problem.ts';
import type { ResponseHeaders } from '../operation/answers.ts';

const JSON_TYPE = 'application/json';
const ACCEPT = { Accept: JSON_TYPE } as const;
/** RFC 5789 §3.1. */
const ACCEPT_WITH_PATCH = { ...ACCEPT, 'Accept-Patch': JSON_TYPE } as const;

/** The problem for a media type or a charset that is not read. `method` is that of the request. */
export const refusedMediaType = (method: string, detail: string): HttpProblem =>
  new HttpProblem(415, detail, { headers: method === 'PATCH' ? ACCEPT_WITH_PATCH : ACCEPT });

const acceptDeclared = {
  Accept: { type: 'string', description: 'Media type that is read; sent when that of the body is not' },
} as const;
const acceptPatchDeclared = {
  'Accept-Patch': { type: 'string', description: 'Media type of a patch that is read' },
} as const;
const acceptEncodingDeclared = {
  'Accept-Encoding': {
    type: 'string',
    description: 'Content codings that are undone; sent when that of the body is none of them',
  },
} as const;

/** What the 415 of an operation with a body may carry. `http/body.ts` sends `Accept-Encoding`. */
export const refusedMediaTypeHeaders = (method: string): ResponseHeaders => ({
  ...acceptDeclared,
  ...(method === 'PATCH' && acceptPatchDeclared),
  ...acceptEncodingDeclared,
});
