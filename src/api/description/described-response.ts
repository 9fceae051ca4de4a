/**
 * What a description says of a declared response, in either format: its text, and the headers that the framework adds.
 *
 * Without comments 200 is "Success" and every other status its standard phrase (D17); so is one that no comment speaks of.
 */
import { statusText } from '../../http/message/status-text.ts';
import type { ResponseDeclaration } from '../operation/answers.ts';
import type { Operation } from '../operation/operation.ts';
import { refusedMediaTypeHeaders } from '../operation-routes/refused-media-type.ts';
import type { Comment } from './description-options.ts';

/** One declared response and its status. */
export interface DeclaredResponse {
  readonly status: number;
  readonly declaration: ResponseDeclaration;
}

/** The responses of an operation by rising status. */
export const responsesOf = (operation: Operation): DeclaredResponse[] =>
  Object.keys(operation.responses).map((status) => ({
    status: Number(status),
    declaration: responseOf(operation, Number(status))!,
  }));

/** What an operation declares of a status, with the headers that the body step sends; undefined for a status it does not declare. */
export function responseOf(operation: Operation, status: number): ResponseDeclaration | undefined {
  const declaration = operation.responses[status];
  if (declaration === undefined || status !== 415 || operation.body === undefined) return declaration;
  return { ...declaration, headers: { ...refusedMediaTypeHeaders(operation.method), ...declaration.headers } };
}

/** The text of a response. */
export const responseText = ({ status, declaration }: DeclaredResponse, comment: Comment): string =>
  comment(declaration.description) ?? (status === 200 ? 'Success' : (statusText(status) ?? 'Unknown'));
