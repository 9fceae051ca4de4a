/**
 * Lists every response of an operation: those that it declares, and those that follow from its declaration (D14, D69).
 *
 * Where a body is declared, reading it can be answered with 400, 413 or 415; where parameters are, 400;
 * where security is, 401, and 403 for roles. A declared response of such a status adds its text and headers.
 */

import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration, Responses } from '../operation/response.ts';
import { requirementsOf } from '../security/security-scheme.ts';
import { refusedMediaTypeHeaders } from '../uploads/refused-media-type.ts';
import { isUpload } from '../uploads/upload.ts';

const UNAUTHORIZED = {
  headers: { 'WWW-Authenticate': { type: 'string', description: 'How to show who you are', always: true } },
} as const;

const OTHER_TYPE = 'If the body is of another media type';

/** The responses by status. */
export function responsesOf({ operation, security = [] }: RoutedOperation): Responses {
  const { method, body, responses, parameters = {}, query, headers } = operation;
  const isValidated =
    query !== undefined || headers !== undefined || Object.values(parameters).some((one) => typeof one === 'object');
  if (body === undefined && !isValidated && security.length === 0) return responses;
  const derived: Responses = {
    ...((body !== undefined || isValidated) && { 400: {} }),
    ...(security.length > 0 && { 401: UNAUTHORIZED }),
    ...(requirementsOf(security).some(({ roles }) => roles.length > 0) && { 403: {} }),
    ...(body !== undefined && {
      413: { description: 'If the body is larger than the limit' },
      415: {
        description: isUpload(body) ? OTHER_TYPE : 'If the body is not JSON in UTF-8',
        headers: refusedMediaTypeHeaders(method),
      },
    }),
  };
  const merged: Record<number, ResponseDeclaration> = { ...responses };
  for (const [status, response] of Object.entries(derived) as Iterable<[string, ResponseDeclaration]>) {
    const declared = responses[Number(status)];
    const lines = { ...response.headers, ...declared?.headers };
    merged[Number(status)] = { ...response, ...declared, ...(Object.keys(lines).length > 0 && { headers: lines }) };
  }
  return merged;
}
