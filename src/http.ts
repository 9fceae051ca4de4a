/**
 * Routes by themselves, and what HTTP has beside requests and replies: `todo-item-service/http`. Headers, conditions,
 * ranges, proxies, limits.
 */

export {
  contentTag,
  entityTag,
  httpDate,
  matches,
  noneMatch,
  precondition,
  rangeHolds,
  type Validators,
  type Version,
  versionOfProcess,
} from './core/message/headers/conditional.ts';
export {
  type ContentType,
  contentTypeOf,
  isJsonType,
  parseContentType,
} from './core/message/headers/content-type.ts';
export { withDefaults } from './core/message/headers/header-lines.ts';
export { type Coding, preferredCoding } from './core/message/headers/negotiation.ts';
export { API_POLICY, statusText } from './core/message/headers/reply-headers.ts';
export { decoded, pathBelow } from './core/message/path.ts';
export { type LinkTrial, methodsText, type RouteTrial, trialText } from './core/routing/explain.ts';
export type { LinkValues, RouteMatch } from './core/routing/route.ts';
export { RouteCollection, type RouteCollectionOptions } from './core/routing/route-collection.ts';
export { routing } from './core/routing/routing.ts';
export type { ShadowedRoute } from './core/routing/shadowed.ts';
export { type RouteTemplate, type Segment, TemplateError } from './core/routing/template.ts';
export { limitedBody, longestBody, streamedBody } from './core/wire/body/body-stream.ts';
export { noBody } from './core/wire/body/read-body.ts';
export { LIMITS, MAX_TIMER, memoryFor } from './core/wire/connection/limits.ts';
export { fallsThrough } from './core/wire/mounted-listener.ts';
export {
  type Forwarded,
  forwarded,
  isEncrypted,
  networkOf,
  type TrustedProxies,
  trustedProxies,
} from './core/wire/trusted-proxy.ts';
