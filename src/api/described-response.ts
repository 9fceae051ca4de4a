/**
 * What a description says of a declared response, in either format: its text.
 *
 * Without comments 200 is "Success" and every other status its standard phrase (D17); so is one that no comment speaks of.
 */
import { statusText } from '../http/status-text.ts';
import type { ResponseDeclaration } from './answers.ts';
import type { Comment } from './description-options.ts';
import type { Operation } from './operation.ts';

/** One declared response and its status. */
export interface DeclaredResponse {
  readonly status: number;
  readonly declaration: ResponseDeclaration;
}

/** The headers of a response that a client uses. */
export type ResponseHeaders = NonNullable<ResponseDeclaration['headers']>;

/** The responses of an operation by rising status. */
export const responsesOf = (operation: Operation): DeclaredResponse[] =>
  Object.entries(operation.responses).map(([status, declaration]) => ({ status: Number(status), declaration }));

/** The text of a response. */
export const responseText = ({ status, declaration }: DeclaredResponse, comment: Comment): string =>
  comment(declaration.description) ?? (status === 200 ? 'Success' : statusText(status) ?? 'Unknown');
