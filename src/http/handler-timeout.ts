/** Words what the client and the log are told of a handler that takes too long (D48). */
import type { Exchange } from './connection/exchange.ts';
import { HttpProblem } from './message/problem.ts';
import { UNCHECKED } from './message/request-state.ts';

/** The reply to the client. */
export const handlerTimeoutProblem = (): HttpProblem =>
  new HttpProblem(503, 'The service took too long to answer this request', { headers: { 'Retry-After': '10' } });

/**
 * The error for the log; `limit` is in milliseconds. Once a reply has been checked, its route is done and a stage is
 * not.
 */
export function handlerTimeoutError({ method, path, route, checked }: Exchange, limit: number): Error {
  const who = route === undefined || checked !== UNCHECKED ? 'a stage' : `the route "${method} ${route.template.text}"`;
  return new Error(
    `Cannot wait longer for ${method} ${path}: ${who} has not answered within ${limit / 1000} s; answer sooner, or ` +
      'allow more time as handlerTimeout',
  );
}
