/**
 * Serves `/swagger/v1/swagger.json` in Swagger 2.0 (§4.2) and `/swagger/v1/openapi.json` in OpenAPI 3.1.
 * Each is made once, from the routes of all plugins, and written for each path in front of the application, which a
 * host or a proxy tells with the request (D16). The documents are no operations and do not describe themselves.
 */

import type { Application, Plugin } from '../../core/application/plugin.ts';
import { precondition } from '../../core/message/headers/conditional.ts';
import { API_POLICY } from '../../core/message/headers/header-lines.ts';
import { problemReply } from '../../core/message/problem.ts';
import { makeReply } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { contentTag } from '../../core/message/representation.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import { type RouteInput, route } from '../../core/routing/route.ts';
import { describeOpenApi } from './describe-openapi.ts';
import { describe } from './describe-swagger.ts';
import type { DescriptionOptions } from './document.ts';

export { describeOpenApi, type OpenApiDocument } from './describe-openapi.ts';
export { describe, type SwaggerDocument } from './describe-swagger.ts';

/** The options of the documents, and when they are made. Those of the application need not be given again. */
interface DescriptionPluginOptions extends DescriptionOptions {
  /** Makes each document at its first request and not at the start; for routes that can certainly be described. */
  readonly lazy?: boolean | undefined;
}

/** Serves both documents to GET and HEAD. Unless `lazy`, `start` throws for a route that cannot be described. */
export function description(given: DescriptionPluginOptions): Plugin {
  assertOptions('describe the operations', given, OPTIONS);
  const { lazy = false, ...options } = given;
  if (typeof options.title !== 'string')
    throw new TypeError("Cannot describe the operations: there is no title, a text; give { title: '…' }");
  const { basePath } = options;
  let described: Application | undefined;
  const served = (
    path: string,
    describeRoutes: (...given: Parameters<typeof describe>) => object,
    placedAt: (prefix: string) => object,
  ) => {
    let document: object | undefined;
    const make = (): object => {
      if (described === undefined) throw new Error(`Cannot answer "${path}": the application has not been started`);
      return (document ??= describeRoutes(described.routes, options));
    };
    let last: { readonly prefix: string; readonly replies: ReturnType<typeof preparedReplies> } | undefined;
    const repliesBelow = (prefix: string) => {
      if (last?.prefix === prefix) return last.replies;
      const body = JSON.stringify({ ...make(), ...placedAt(prefix || '/') });
      const vary = basePath === undefined && described?.forwarding.prefixOf ? ['Vary', 'X-Forwarded-Prefix'] : [];
      const replies = preparedReplies(body, vary);
      last = { prefix, replies };
      return replies;
    };
    const handle = ({ context, linkBase }: RouteInput): Reply => {
      const { etag, ok, notModified } = repliesBelow(basePath ?? linkBase);
      const status = precondition(context.headers, { etag });
      if (status === 412)
        return problemReply(context, 412, 'The document is not the one that If-Match names; read it again');
      return status === 304 ? notModified : ok;
    };
    return { route: route({ method: ['GET', 'HEAD'], path, public: true, handle }), make };
  };
  const documents = [
    served('swagger/v1/swagger.json', describe, (prefix) => ({ basePath: prefix })),
    served('swagger/v1/openapi.json', describeOpenApi, (url) => ({ servers: [{ url }] })),
  ];
  return {
    name: 'description',
    routes: documents.map((document) => document.route),
    start(application) {
      described = application;
      if (!lazy) for (const { make } of documents) make();
    },
  };
}

const OPTIONS = [
  ...(['title', 'version', 'description', 'termsOfService', 'contact', 'license'] as const),
  ...(['basePath', 'comments', 'lazy'] as const),
] as const;

function preparedReplies(body: string, vary: readonly string[]) {
  const etag = contentTag(body);
  const validators = ['ETag', etag, 'Cache-Control', 'no-cache', ...vary, ...API_POLICY];
  const length = String(Buffer.byteLength(body));
  const headers = ['Content-Type', 'application/json', 'Content-Length', length, ...validators];
  // Node sends a string body in one write with the head, and bytes in a second write.
  return { etag, ok: makeReply(200, headers, body), notModified: makeReply(304, validators) };
}
