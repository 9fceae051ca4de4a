/** Makes the problems that operations return, which are written as the operation declares them. */

import { unwrittenReply } from '../../core/message/made-reply.ts';
import { assertErrorStatus } from '../../core/message/problem.ts';
import type { ProblemExtra, Reply, Violation } from '../../core/message/reply.ts';

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** The status itself where it is one of an error. */
type ErrorStatus<Status extends number> = `${Status}` extends `${4 | 5}${Digit}${Digit}` ? Status : never;

/**
 * A problem of any error status. `extra` has headers, `errors`, and further members, which may replace its `type` and
 * `title` (RFC 9457 §3.2). Throws a `RangeError` for a status that is not 400 to 599.
 *
 *     problem(409, 'The name is taken', { type: 'https://example.com/taken', headers: { 'Retry-After': '5' } })
 */
export function problem<const Status extends number>(
  status: Status & ErrorStatus<Status>,
  detail: string,
  extra?: ProblemExtra,
): Reply<Status, never> {
  assertErrorStatus(status);
  if (extra === undefined) return unwrittenReply(status, { problem: detail }) as Reply<Status, never>;
  const { headers, ...members } = extra;
  return unwrittenReply(status, { problem: detail, extra: members }, headers) as Reply<Status, never>;
}

/** 400 with the reason and, where a body is at fault, what is wrong in it. */
export const badRequest = (detail: string, errors?: readonly Violation[]): Reply<400, never> =>
  problem(400, detail, errors && { errors });

/**
 * 404 with the reason.
 *
 *     const answer = (name?: string) => (name === undefined ? notFound('There is no such task') : ok({ name }));
 */
export const notFound = (detail: string): Reply<404, never> => problem(404, detail);
