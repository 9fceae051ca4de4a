/**
 * Declares what one route answers to a request, and makes the object that holds the values.
 *
 * The object inherits nothing: a parameter may be named `constructor` (D34). Its prototype is an empty frozen object
 * without a prototype. Measured: `Object.create(null)` makes a hash table and takes 258 ns for a match instead of 145.
 */
import type { HttpProblem } from '../../message/problem.ts';
import type { RouteValues } from '../route/route.ts';

/** The values of a route that matches, or why it does not match. */
export type MatchResult = { readonly values: RouteValues } | Readonly<Rejection>;

/** Why a route does not match. A `problem` is the answer to the request: no later route is tried. */
export interface Rejection {
  reason: string;
  problem?: HttpProblem;
}

class Values {
  [name: string]: string;
}
Object.setPrototypeOf(Values.prototype, null);
delete (Values.prototype as { constructor?: unknown }).constructor;
Object.freeze(Values.prototype);

export const newValues = (): Record<string, string> => new Values();
