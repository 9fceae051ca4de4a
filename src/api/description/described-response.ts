/**
 * Lists the declared responses of an operation, with their texts and the headers that the framework adds.
 *
 * Without a comment, 200 has the text "Success" and every other status its standard phrase (D17).
 */
import { statusText } from '../../http/message/status-text.ts';
import type { ResponseDeclaration } from '../operation/answers.ts';
import type { Operation } from '../operation/operation.ts';
import { refusedMediaTypeHeaders } from '../operation-routes/refused-media-type.ts';
import type { CommentFilter } from './description-options.ts';

/** One declared response. `description` is its text in the document. */
export interface DescribedResponse extends ResponseDeclaration {
  readonly status: number;
  readonly description: string;
}

/** Returns the responses of an operation by rising status. */
export const describedResponses = (operation: Operation, comment: CommentFilter): DescribedResponse[] =>
  Object.keys(operation.responses).map((key) => {
    const status = Number(key);
    const declaration = declaredResponse(operation, status)!;
    const phrase = status === 200 ? 'Success' : (statusText(status) ?? 'Unknown');
    return { ...declaration, status, description: comment(declaration.description) ?? phrase };
  });

/**
 * Returns the declaration of a status, or undefined for an undeclared one. The 415 of an operation with a body has the
 * headers that reading the body adds to it.
 */
export function declaredResponse(operation: Operation, status: number): ResponseDeclaration | undefined {
  const declaration = operation.responses[status];
  if (declaration === undefined || status !== 415 || operation.body === undefined) return declaration;
  return { ...declaration, headers: { ...refusedMediaTypeHeaders(operation.method), ...declaration.headers } };
}
