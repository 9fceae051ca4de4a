/** Declares what one route answers when it is matched with a request. */
import type { HttpProblem } from '../../http/message/problem.ts';
import type { RouteValues } from '../route/route.ts';

/** The values of a route that matches, or why it does not match. */
export type MatchResult = { readonly values: RouteValues } | Readonly<Rejection>;

/** Why a route does not match. A `problem` is the answer to the request: no later route is tried. */
export interface Rejection {
  reason: string;
  problem?: HttpProblem;
}
