/**
 * The documents: `/swagger/v1/swagger.json` in format version 2.0 (§4.2) and `/swagger/v1/openapi.json` in OpenAPI 3.1.
 *
 * Made once, from every route of the finished application – so what another plugin adds is described without a word: when it
 * starts, so that what cannot be described stops the start, or when it is first asked for, so that the start need not wait
 * for it. A client that has a document already is answered 304. They are no operations, so their 304 and 412 are not described.
 */
import { createHash } from 'node:crypto';
import { describeOpenApi } from '../api/description/describe-openapi.ts';
import { describe } from '../api/description/describe-swagger.ts';
import type { DescriptionOptions } from '../api/description/description-options.ts';
import type { Plugin } from '../host/plugin.ts';
import { precondition } from '../http/headers/conditional.ts';
import { trustReply } from '../http/message/check-reply.ts';
import type { Context, Reply } from '../http/message/context.ts';
import { problemReply } from '../http/message/problem.ts';
import { API_POLICY } from '../http/message/security-headers.ts';
import { type Route, route } from '../routing/route/route.ts';

/** What may be told beside what the documents say. */
export interface DescriptionPluginOptions extends DescriptionOptions {
  /** Make the documents when they are first asked for rather than at the start; for routes that are known to be describable. */
  readonly whenAsked?: boolean;
}

/** Serves both documents to GET and HEAD. Its start throws what describing throws, unless they are made when asked for. */
export function description({ whenAsked = false, ...options }: DescriptionPluginOptions): Plugin {
  let routes: Iterable<Route> | undefined;
  const served = (
    template: string,
    make: (routes: Iterable<Route>, options: DescriptionOptions) => unknown,
  ): ServedDocument =>
    servedDocument(template, () => {
      if (routes === undefined) throw new Error(`Cannot answer "${template}": the application has not been started`);
      return make(routes, options);
    });
  const documents = [served('swagger/v1/swagger.json', describe), served('swagger/v1/openapi.json', describeOpenApi)];
  return {
    name: 'description',
    routes: documents.map((document) => document.route),
    start(application) {
      routes = application.routes;
      if (!whenAsked) for (const { make } of documents) make();
    },
  };
}

interface ServedDocument {
  readonly route: Route;
  readonly make: () => void;
}

interface PreparedReplies {
  readonly etag: string;
  readonly whole: Reply;
  readonly unchanged: Reply;
}

function servedDocument(template: string, describing: () => unknown): ServedDocument {
  let made: PreparedReplies | undefined;
  const make = (): PreparedReplies => (made ??= preparedReplies(JSON.stringify(describing())));
  const answer = (context: Context): Reply => {
    const { etag, whole, unchanged } = make();
    const status = precondition(context.headers, { etag });
    if (status === 412)
      return problemReply(context, 412, 'The document is not the one that If-Match names; read it again');
    return trustReply(status === 304 ? unchanged : whole, context);
  };
  return { route: route(template, answer, { methods: ['GET', 'HEAD'] }), make };
}

function preparedReplies(body: string): PreparedReplies {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const validators = ['ETag', etag, 'Cache-Control', 'no-cache', ...API_POLICY];
  const headers = [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    ...validators,
  ];
  // A text leaves in one write with its head; the same bytes would take two.
  return { etag, whole: { status: 200, headers, body }, unchanged: { status: 304, headers: validators } };
}
