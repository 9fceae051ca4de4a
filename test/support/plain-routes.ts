/** Routes and operations that answer at once, for tests of other code. */
import type { Plugin } from '../../src/core/application/plugin.ts';
import { text } from '../../src/core/http/replies.ts';
import { type RouteHandler, route } from '../../src/core/routing/route.ts';
import { noContent } from '../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../src/operations/routes/operation-routes.ts';

/** A route that answers with its path as a text. */
export const plain = (path: string, more: object = {}) => route({ path, handle: () => text(path), ...more });

/** A plugin with one route. Its name is the path. */
export const routed = (path: string, handle: RouteHandler): Plugin => ({
  name: path || 'root',
  routes: [route({ path, handle })],
});

/** An operation that answers GET with 204. */
export const read = (path: string, more: object = {}) =>
  operation({ method: 'GET', path, responses: { 204: {} }, handle: () => noContent(), ...more });

/** A plugin with one controller. */
export const controlled = (name: string, path: string, ...operations: readonly ReturnType<typeof read>[]): Plugin => ({
  name,
  routes: routesOf({ name, path, operations }),
});
