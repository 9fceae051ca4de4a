/** The routes by themselves: `todo-item-service/routing`. A collection, its stage, and why a route matched or not. */

export { type LinkTrial, methodsText, type RouteTrial, trialText } from './core/routing/explain.ts';
export type { LinkValues, RouteMatch } from './core/routing/route.ts';
export { RouteCollection, type RouteCollectionOptions } from './core/routing/route-collection.ts';
export { routing } from './core/routing/routing.ts';
export type { ShadowedRoute } from './core/routing/shadowed.ts';
export { type RouteTemplate, type Segment, TemplateError } from './core/routing/template.ts';
