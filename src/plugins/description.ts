/**
 * Serves `/swagger/v1/swagger.json` in Swagger 2.0 (§4.2) and `/swagger/v1/openapi.json` in OpenAPI 3.1.
 *
 * Each document is made once, from all routes of the application, including those of other plugins. It is made at the
 * start, so that a route that cannot be described stops the start, or with `lazy` at its first request, so that the
 * start is faster. The documents are no operations and do not describe themselves.
 */
import { describeOpenApi } from '../api/description/describe-openapi.ts';
import { describe } from '../api/description/describe-swagger.ts';
import type { DescriptionOptions } from '../api/description/description-options.ts';
import type { Plugin } from '../host/plugin.ts';
import type { Application } from '../host/runnable-application.ts';
import { precondition } from '../http/headers/conditional.ts';
import { contentTag } from '../http/headers/entity-tag.ts';
import { API_POLICY } from '../http/headers/security-headers.ts';
import { trustReply } from '../http/message/check-reply.ts';
import type { Reply } from '../http/message/context.ts';
import { problemReply } from '../http/message/problem.ts';
import { assertOptions } from '../http/options/assert-options.ts';
import { type Route, type RouteInput, route } from '../routing/route/route.ts';

/** The options of the documents, and when they are made. Those of the application need not be given again. */
export interface DescriptionPluginOptions extends DescriptionOptions {
  /** Makes each document at its first request and not at the start; for routes that can certainly be described. */
  readonly lazy?: boolean;
}

/**
 * Describes the operations: serves both documents to GET and HEAD. Unless `lazy`, `start` throws for a route that
 * cannot be described.
 */
export function description(given: DescriptionPluginOptions): Plugin {
  assertOptions('describe the operations', given, OPTIONS);
  const { lazy = false, ...options } = given;
  if (typeof options.title !== 'string')
    throw new TypeError("Cannot describe the operations: there is no title, a text; give { title: '…' }");
  let described: Application | undefined;
  const makers = { 'swagger/v1/swagger.json': describe, 'swagger/v1/openapi.json': describeOpenApi };
  const documents = Object.entries(makers).map(([template, make]) =>
    servedDocument(template, () => {
      if (described === undefined) throw new Error(`Cannot answer "${template}": the application has not been started`);
      const { routes, basePath, naming, problems } = described;
      return make(routes, { basePath, naming, problems, ...options });
    }),
  );
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
  ...(['basePath', 'comments', 'naming', 'problems', 'lazy'] as const),
] as const;

type PreparedReplies = Readonly<{ etag: string; ok: Reply; notModified: Reply }>;

function servedDocument(template: string, describeRoutes: () => unknown): { route: Route; make: () => void } {
  let replies: PreparedReplies | undefined;
  const make = (): PreparedReplies => (replies ??= preparedReplies(JSON.stringify(describeRoutes())));
  const answer = ({ context }: RouteInput): Reply => {
    const { etag, ok, notModified } = make();
    const status = precondition(context.headers, { etag });
    if (status === 412)
      return problemReply(context, 412, 'The document is not the one that If-Match names; read it again');
    return trustReply(status === 304 ? notModified : ok, context);
  };
  return { route: route({ method: ['GET', 'HEAD'], path: template, handle: answer }), make };
}

function preparedReplies(body: string): PreparedReplies {
  const etag = contentTag(body);
  const validators = ['ETag', etag, 'Cache-Control', 'no-cache', ...API_POLICY];
  const length = String(Buffer.byteLength(body));
  const headers = ['Content-Type', 'application/json', 'Content-Length', length, ...validators];
  // Node sends a string body in one write with the head, and bytes in a second write.
  const shared = (reply: Reply): Reply => Object.freeze({ ...reply, headers: Object.freeze(reply.headers) });
  return {
    etag,
    ok: shared({ status: 200, headers, body }),
    notModified: shared({ status: 304, headers: validators }),
  };
}
