/** Answers a GET whose conditions ask for no body. */

import type { Context, Reply } from '../../message/context.ts';
import { precondition } from '../../message/headers/conditional.ts';
import { problemReply } from '../../message/problem.ts';

export const isConditional = ({ headers }: Context): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

/**
 * The 304 or 412 that the conditions of a GET ask for (RFC 9110 §13.2.2, D38); undefined for the answer itself. `etag`
 * is undefined where no tag names what is here.
 */
export function conditionalReply(
  etag: string | undefined,
  context: Context,
  unchangedLines: () => string[],
): Reply | undefined {
  const status = precondition(context.headers, { etag });
  if (status === 412) return problemReply(context, 412, 'What is here is not what If-Match names; read it again');
  return status === 304 ? { status, headers: unchangedLines() } : undefined;
}
