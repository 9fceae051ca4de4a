/**
 * The exports of `todo-item-service/http`: functions for conditional requests and cookies, limits, and routing without
 * an application.
 */

export { precondition } from './core/http/headers/conditional.ts';
export { cookie } from './core/http/headers/cookies.ts';
export { LIMITS, type Limits } from './core/http/limits.ts';
export { entityTag, type Version, versionOfProcess } from './core/http/representation.ts';
export type { ConstraintFactory, ConstraintPredicate, RouteConstraint } from './core/routing/constraints/constraint.ts';
export type { RouteMatch } from './core/routing/route.ts';
export { RouteCollection } from './core/routing/route-collection.ts';
export { routing } from './core/routing/routing.ts';
