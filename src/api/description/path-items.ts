/**
 * Writes the `paths` member of both formats, and the members of an operation that both formats have.
 *
 * Paths stand in the order of their first operation; the methods of a path stand in a fixed order (A.6).
 */

import type { DescribedOperation } from './described-operation.ts';
import { type DescribedResponse, describedResponses } from './described-response.ts';
import type { CommentFilter } from './description-options.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The operations of a path by lower-case method. */
export type PathItem<Operation> = { readonly [Method in (typeof METHODS)[number]]?: Operation };

/** The members of an operation that both formats have. */
export interface OperationMembers<Response> {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly deprecated: false;
}

/** The parts of an operation that each format writes in its own way. */
export interface OperationFormat<Input, Response> {
  /** Writes the members between `operationId` and `responses`. */
  readonly input: (operation: DescribedOperation) => Input;
  readonly response: (response: DescribedResponse, operation: DescribedOperation) => Response;
}

/** Groups the operations by path and writes each. */
export function pathItems<Input extends object, Response>(
  operations: readonly DescribedOperation[],
  comment: CommentFilter,
  format: OperationFormat<Input, Response>,
): Record<string, PathItem<OperationMembers<Response> & Input>> {
  const byPath = new Map<string, Map<string, DescribedOperation>>();
  for (const described of operations) {
    const { path, operation } = described;
    byPath.set(path, (byPath.get(path) ?? new Map()).set(operation.method.toLowerCase(), described));
  }
  return Object.fromEntries(
    Array.from(byPath, ([path, byMethod]) => {
      const methods = METHODS.filter((method) => byMethod.has(method));
      const members = methods.map((method) => [method, operationMembers(byMethod.get(method)!, comment, format)]);
      return [path, Object.fromEntries(members)];
    }),
  );
}

function operationMembers<Input extends object, Response>(
  described: DescribedOperation,
  comment: CommentFilter,
  format: OperationFormat<Input, Response>,
): OperationMembers<Response> & Input {
  const { controller, operation, id } = described;
  const summary = comment(operation.summary);
  const description = comment(operation.remarks);
  return {
    tags: [controller.name],
    ...(summary && { summary }),
    ...(description && { description }),
    operationId: id,
    ...format.input(described),
    responses: Object.fromEntries(
      describedResponses(operation, comment).map((response) => [response.status, format.response(response, described)]),
    ),
    deprecated: false,
  };
}
