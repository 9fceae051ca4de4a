/** Decides whether a constraint accepts a value of a path, which includes that the value is not too long (D37). */
import { excessOf, type RouteConstraint } from '../constraints/constraint.ts';

/** An undefined value is absent. */
export const acceptsValue = (constraint: RouteConstraint, value: string | undefined): boolean =>
  excessOf(constraint, '', value) === undefined && constraint.accepts(value, 'match');
