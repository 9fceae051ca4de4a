/** What the routes of a collection say when they are asked one by one, for those who want to know why. */
import type { Route, RouteValues } from './route.ts';

/** What one route says of a request. */
export type RouteTrial = { readonly route: Route } & (
  { readonly accepted: true; readonly values: RouteValues } | { readonly accepted: false; readonly reason: string }
);

/** What one route says of a link. */
export type LinkTrial = { readonly route: Route } & (
  { readonly accepted: true; readonly path: string } | { readonly accepted: false; readonly reason: string }
);
