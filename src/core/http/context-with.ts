/**
 * Copies a context with another path, method or header.
 *
 * Members that depend on a changed member change too: `contextWith(context, { path: '/a/b' })` has the segments of the
 * new path. All copies share the slots of the request, so later stages find the values that an earlier stage has set
 * (D46).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { assertOptions } from '../options/assert-options.ts';
import type { Context } from './context.ts';
import { splitPath } from './path.ts';
import type { ErrorSubject } from './reply.ts';
import { type ContextMembers, SlottedContext, slotValuesOf } from './slotted-context.ts';
import { decoded } from './text.ts';

/** The members that a copy may change. The other members stay the same. */
export interface ContextChanges {
  readonly method?: string | undefined;
  /** Percent-encoded; begins with `/`; without a query. */
  readonly path?: string | undefined;
  /** The prefix of every link; empty if there is no base path. */
  readonly basePath?: string | undefined;
  readonly query?: URLSearchParams | undefined;
  /** Replaces all headers. Names are in lower case. */
  readonly headers?: IncomingHttpHeaders | undefined;
  readonly requestId?: string | undefined;
  /** Reads the whole body. */
  readonly body?: (() => Promise<Uint8Array>) | undefined;
}

/**
 * Returns a copy with these changes. Throws a `TypeError` for a member that cannot be changed and for an invalid path.
 *
 *     const unversioned: Stage = (context, next) =>
 *       next(contextWith(context, { path: context.path.replace(/^\/v1(?=\/)/, '') }));
 */
export function contextWith(context: Context, changes: ContextChanges): Context {
  assertContext(context, () => 'copy a context');
  assertOptions('copy a context', changes, ['method', 'path', 'basePath', 'query', 'headers', 'requestId', 'body']);
  const { method, basePath, segments, headers, requestId, request, stopping } = context;
  const { path = context.path, query, body } = changes;
  const members: ContextMembers = {
    method: changes.method ?? method,
    path,
    basePath: changes.basePath ?? basePath,
    segments: path === context.path ? segments : segmentsOf(path, context),
    headers: changes.headers ?? headers,
    requestId: changes.requestId ?? requestId,
    request,
    stopping,
  };
  const replaced = { query: query ?? context.replaced.query, body: body ?? context.replaced.body };
  return new SlottedContext(members, context.source, context.values, replaced);
}

/** Throws a `TypeError` for an object spread of a context. `action` follows "Cannot" in the message. */
function assertContext(context: Context, action: () => string): asserts context is SlottedContext {
  if (slotValuesOf(context) !== undefined) return;
  throw new TypeError(
    `Cannot ${action()}: the context is a spread, or another object that lacks headers, query and body; ` +
      'copy a context with contextWith(context, { … })',
  );
}

/** Throws a `TypeError` if `next` was called without a context or with a spread. `name` returns the next stage. */
export function assertPassed(context: Context, name: ErrorSubject): void {
  const subject = name().replace(/^./, (letter) => letter.toLowerCase());
  if (typeof context !== 'object' || context === null)
    throw new TypeError(
      `Cannot ask ${subject}: the stage before it called next() without a context; call next(context)`,
    );
  assertContext(context, () => `ask ${subject}`);
}

function segmentsOf(path: string, original: Context): readonly string[] {
  const invalidPath = (cause: string): TypeError =>
    new TypeError(`Cannot change the path of a context to ${JSON.stringify(path)}: ${cause}`);
  if (!path.startsWith('/')) throw invalidPath('it does not begin with a slash; give a path such as "/api/todo"');
  if (/[?#]/.test(path)) throw invalidPath('it has a query or a fragment; leave it out, and give the query as "query"');
  // A context has a malformed path if the request is refused for this path. A copy may then have such a path too.
  if (decoded(path) === undefined && decoded(original.path) !== undefined) {
    const cause = 'it has a percent escape that is malformed or not UTF-8';
    throw invalidPath(`${cause}; encode each segment with encodeURIComponent`);
  }
  return splitPath(path);
}
