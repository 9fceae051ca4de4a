/** The routes by themselves: `todo-item-service/routing`. A collection, its stage, and why a route matched or not. */

export type { Spending } from './core/routing/constraints/expression-cost.ts';
export type { LinkTrial, RouteTrial } from './core/routing/explain-request.ts';
export type { LinkValues } from './core/routing/route/link-values.ts';
export type { RouteMatch } from './core/routing/route/route.ts';
export { RouteCollection, type RouteCollectionOptions } from './core/routing/route-collection.ts';
export { routing } from './core/routing/routing.ts';
export type { ShadowedRoute } from './core/routing/shadowed.ts';
export type { RouteTemplate, Segment } from './core/routing/template/template.ts';
export { TemplateError } from './core/routing/template/template-error.ts';
export { methodsText, trialText } from './core/routing/trial-text.ts';
