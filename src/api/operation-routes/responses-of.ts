/**
 * Lists every response of an operation: those that it declares, and those that follow from its declaration (D14, D69).
 *
 * Where a body is declared, reading it can be answered with 400, 413 or 415. A declared response of such a status
 * adds its text and headers.
 */
import type { ResponseDeclaration, Responses } from '../operation/answers.ts';
import type { Operation } from '../operation/operation.ts';
import { refusedMediaTypeHeaders } from './refused-media-type.ts';

/** The responses by status. */
export function responsesOf({ method, body, responses }: Operation): Responses {
  if (body === undefined) return responses;
  const derived: Responses = {
    400: {},
    413: { description: 'If the body is larger than the limit' },
    415: { description: 'If the body is not JSON in UTF-8', headers: refusedMediaTypeHeaders(method) },
  };
  const merged: Record<number, ResponseDeclaration> = { ...responses };
  for (const [status, response] of Object.entries(derived) as Iterable<[string, ResponseDeclaration]>) {
    const declared = responses[Number(status)];
    const headers = { ...response.headers, ...declared?.headers };
    merged[Number(status)] = { ...response, ...declared, ...(Object.keys(headers).length > 0 && { headers }) };
  }
  return merged;
}
