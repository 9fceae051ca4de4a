/**
 * Serves the description at `/swagger/v1/swagger.json` in Swagger 2.0 (§4.2) and at `/swagger/v1/openapi.json` in
 * OpenAPI 3.1.
 *
 * Each document is created once, from the routes of all plugins. It contains the path prefix that a framework or a
 * proxy puts in front of the application. If the prefix of a request differs from the previous one, the document is
 * serialized again, because only the text for the last prefix is cached (D16). The description does not list its two
 * routes, because they are not operations.
 */

import type { Application, Plugin } from '../../core/application/plugin.ts';
import { precondition } from '../../core/http/headers/conditional.ts';
import { API_POLICY } from '../../core/http/headers/header-lines.ts';
import { prefixSegments } from '../../core/http/path.ts';
import { problemReply } from '../../core/http/problem.ts';
import { makeReply } from '../../core/http/replies.ts';
import type { Reply } from '../../core/http/reply.ts';
import { contentTag } from '../../core/http/representation.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import { type Route, type RouteInput, route } from '../../core/routing/route.ts';
import { describeOpenApi } from './describe-openapi.ts';
import { describe } from './describe-swagger.ts';
import { describedOperations } from './described-operations.ts';
import type { DescriptionOptions } from './document.ts';

export { describeOpenApi, type OpenApiDocument } from './describe-openapi.ts';
export { describe, type SwaggerDocument } from './describe-swagger.ts';

/** The options of `description`. */
interface DescriptionPluginOptions extends DescriptionOptions {
  /**
   * If true, each document is created at its first request, not at the start. An error in a route is then thrown at
   * that request. Default: false.
   */
  readonly lazy?: boolean | undefined;
  /**
   * The path prefix of the described operations, such as `v1`. The empty text describes the operations that are not
   * mounted. Default: the prefix below which the plugin is mounted, or all operations if it is not mounted.
   */
  readonly of?: string | undefined;
}

/**
 * Returns a plugin that serves both documents to GET and HEAD. Throws a `TypeError` without a title. Its `start` throws
 * the errors of `describe` and `describeOpenApi`, unless `lazy` is true. A mounted description describes only what is
 * mounted below its prefix:
 *
 *     application([mounted('v1', todo()), mounted('v1', description({ title: 'To-do items' }))]);
 */
export function description(pluginOptions: DescriptionPluginOptions): Plugin {
  assertOptions('describe the operations', pluginOptions, OPTIONS);
  const { lazy = false, of, ...options } = pluginOptions;
  if (typeof options.title !== 'string')
    throw new TypeError("Cannot describe the operations: the title is not a string; give { title: '…' }");
  if (of !== undefined && typeof of !== 'string')
    throw new TypeError('Cannot describe the operations: the option "of" is not a path; give a prefix such as v1');
  return {
    name: 'description',
    parts(application) {
      const documents = documentsOf(application, of ?? application.prefix, options);
      return {
        routes: documents.map((document) => document.route),
        start() {
          if (!lazy) for (const { create } of documents) create();
        },
      };
    },
  };
}

const OPTIONS = [
  ...(['title', 'version', 'description', 'termsOfService', 'contact', 'license'] as const),
  ...(['basePath', 'comments', 'lazy', 'of'] as const),
] as const;

/**
 * Returns the routes of both documents, each with the function that creates its document at the first call. This function
 * throws an `Error` if no operation is below `prefix`.
 */
function documentsOf(application: Application, prefix: string | undefined, options: DescriptionOptions) {
  const { routes, forwarding, prefix: mount = '' } = application;
  const scopeOf = (path: string): string => `${prefixSegments(path).join('/')}/`;
  const scope = prefix === undefined || prefix === '' ? '' : scopeOf(prefix);
  // The paths of a mounted description begin at its mount, because the page makes its calls where it is.
  const depth = prefixSegments(mount).length;
  if (depth > 0 && !scope.startsWith(scopeOf(mount)))
    throw new TypeError(
      `Cannot describe the operations of "${prefix}" below "${mount}"; mount the description elsewhere`,
    );
  const relative = (route: Route): Route => {
    const { template } = route;
    return { ...route, template: { ...template, segments: template.segments.slice(depth) } };
  };
  const described = (): readonly Route[] => {
    const isDescribed = ({ scope: place = '' }: Route): boolean =>
      prefix === '' ? place === '' : place.startsWith(scope);
    const below = [...routes].filter(isDescribed);
    if (scope === '' || describedOperations(below).length > 0) return below.map(relative);
    throw new Error(`Cannot describe the operations of "${prefix}": no operation is mounted there; correct the prefix`);
  };
  const { basePath } = options;
  const vary = basePath === undefined && forwarding.prefixOf ? ['Vary', 'X-Forwarded-Prefix'] : [];
  const served = (
    path: string,
    describeRoutes: typeof describe | typeof describeOpenApi,
    prefixMembers: (prefix: string) => object,
  ) => {
    let document: object | undefined;
    const create = (): object => (document ??= describeRoutes(described(), options));
    let last: { readonly prefix: string; readonly replies: ReturnType<typeof preparedReplies> } | undefined;
    const repliesBelow = (prefix: string) => {
      if (last?.prefix === prefix) return last.replies;
      const body = JSON.stringify({ ...create(), ...prefixMembers(prefix || '/') });
      const replies = preparedReplies(body, vary);
      last = { prefix, replies };
      return replies;
    };
    const handle = ({ context }: RouteInput): Reply => {
      const { etag, ok, notModified } = repliesBelow(basePath ?? context.basePath + mount);
      const status = precondition(context.headers, { etag });
      if (status === 412)
        return problemReply(context, 412, 'The document does not have the ETag in If-Match; read it again');
      return status === 304 ? notModified : ok;
    };
    return { route: route({ method: ['GET', 'HEAD'], path, public: true, handle }), create };
  };
  return [
    served('swagger/v1/swagger.json', describe, (prefix) => ({ basePath: prefix })),
    served('swagger/v1/openapi.json', describeOpenApi, (url) => ({ servers: [{ url }] })),
  ];
}

function preparedReplies(body: string, vary: readonly string[]) {
  const etag = contentTag(body);
  const validators = ['ETag', etag, 'Cache-Control', 'no-cache', ...vary, ...API_POLICY];
  const length = String(Buffer.byteLength(body));
  const headers = ['Content-Type', 'application/json', 'Content-Length', length, ...validators];
  // The body is a string, because Node sends a string in one write with the head, but bytes in a second write.
  return { etag, ok: makeReply(200, headers, body), notModified: makeReply(304, validators) };
}
