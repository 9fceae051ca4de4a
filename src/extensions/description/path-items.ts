/**
 * Writes the `paths` member of both formats, and the members of an operation that both formats have.
 *
 * Paths stand in the order of their first operation; the methods of a path stand in a fixed order (A.6).
 */
import { statusText } from '../../http.ts';
import type { Operation, ResponseDeclaration } from '../../index.ts';
import { type RoutedOperation, responsesOf } from '../../operations.ts';
import type { DescribedOperation } from './described-operation.ts';
import type { CommentFilter } from './description-options.ts';
import { type DescribedSecurity, securityOf } from './security-members.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The operations of a path by lower-case method. */
export type PathItem<Members> = { readonly [Method in (typeof METHODS)[number]]?: Members };

/** The members of an operation that both formats have. */
export interface OperationMembers<Response> {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly deprecated: boolean;
  readonly security?: DescribedSecurity;
}

/** One declared response. `description` is its text in the document. */
interface DescribedResponse extends ResponseDeclaration {
  readonly status: number;
  readonly description: string;
}

/** Groups the operations by path and writes each. `input` writes the members between `operationId` and `responses`;
 * `hasRoles` says whether the format has roles in `security`. */
export function pathItems<Input extends object, Response>(
  hasRoles: boolean,
  operations: readonly DescribedOperation[],
  comment: CommentFilter,
  input: (operation: DescribedOperation) => Input,
  response: (response: DescribedResponse, operation: Operation) => Response,
): Record<string, PathItem<OperationMembers<Response> & Input>> {
  const membersOf = (described: DescribedOperation): OperationMembers<Response> & Input => {
    const { controller, operation, id } = described;
    const summary = comment(operation.summary);
    const description = comment(operation.remarks);
    const responses = describedResponses(described, comment);
    const security = securityOf(described, hasRoles);
    return {
      tags: [controller.name],
      ...(summary && { summary }),
      ...(description && { description }),
      operationId: id,
      ...input(described),
      responses: Object.fromEntries(responses.map((one) => [one.status, response(one, operation)])),
      deprecated: operation.deprecated === true,
      ...(security && { security }),
    };
  };
  const byPath = new Map<string, Map<string, DescribedOperation>>();
  for (const described of operations) {
    const { path, operation } = described;
    byPath.set(path, (byPath.get(path) ?? new Map()).set(operation.method.toLowerCase(), described));
  }
  return Object.fromEntries(
    Array.from(byPath, ([path, byMethod]) => {
      const methods = METHODS.filter((method) => byMethod.has(method));
      return [path, Object.fromEntries(methods.map((method) => [method, membersOf(byMethod.get(method)!)]))];
    }),
  );
}

/** By rising status. Without a comment, 200 has the text "Success" and every other its standard phrase (D17). */
function describedResponses(routed: RoutedOperation, comment: CommentFilter): DescribedResponse[] {
  return Object.entries(responsesOf(routed)).map(([key, declaration]) => {
    const status = Number(key);
    const phrase = status === 200 ? 'Success' : (statusText(status) ?? 'Unknown');
    return { ...declaration, status, description: comment(declaration.description) ?? phrase };
  });
}
