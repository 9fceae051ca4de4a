/**
 * Makes copies of a context: the same request with another path, method or header.
 *
 * Members that depend on a changed member change with it: `contextWith(context, { path: '/a/b' })` has the segments of
 * the new path. A copy shares the slots of its request: what one stage sets is there for later ones (D46).
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { unknownName } from '../options/assert-options.ts';
import type { Context } from './context.ts';
import { decoded } from './normal-path.ts';
import { pathBelow, prefixSegments, type SentPath, splitPath } from './path.ts';
import type { NameOfMaker } from './reply-fault.ts';
import { SlottedContext, slotValuesOf } from './slotted-context.ts';

/** The members that a copy may change. The others stay as they are. */
export interface ContextChanges {
  readonly method?: string | undefined;
  /** Percent-encoded, beginning with `/`, without a query. */
  readonly path?: string | undefined;
  /** Written in front of every link; empty for none. */
  readonly basePath?: string | undefined;
  readonly query?: URLSearchParams | undefined;
  /** All headers, not only the changed ones; names in lower case. */
  readonly headers?: IncomingHttpHeaders | undefined;
  readonly requestId?: string | undefined;
  /** Reads the body. */
  readonly body?: (() => Promise<Uint8Array>) | undefined;
}

const CHANGEABLE: readonly string[] = ['method', 'path', 'basePath', 'query', 'headers', 'requestId', 'body'];

/**
 * A copy with these changes. Throws a `TypeError` for a member that cannot be changed and for an invalid path.
 *
 *     const unversioned: Stage = (context, next) =>
 *       next(contextWith(context, { path: context.path.replace(/^\/v1(?=\/)/, '') }));
 */
export function contextWith(context: Context, changes: ContextChanges): Context {
  assertContext(context, () => 'copy a context');
  const fixed = unknownName(changes, CHANGEABLE);
  if (fixed !== undefined) {
    const remedy =
      fixed === 'segments' ? 'it follows from the path; change the path' : `change one of ${CHANGEABLE.join(', ')}`;
    throw new TypeError(`Cannot change "${fixed}" of a context: ${remedy}`);
  }
  return new ChangedContext(context, changes);
}

/** Throws a `TypeError` for a spread of a context, which lacks computed members. `attempt` follows "Cannot". */
export function assertContext(context: Context, attempt: () => string): void {
  if (slotValuesOf(context) !== undefined || !('request' in context)) return;
  if (['headers', 'query'].every((name) => name in context)) return;
  throw new TypeError(
    `Cannot ${attempt()}: what it was given is a spread of a context, without headers, query and body; ` +
      'copy a context with contextWith(context, { … })',
  );
}

/** Throws a `TypeError` if a stage has passed no context, or a spread of one, on to the stage of this name. */
export function assertPassed(passed: Context, name: NameOfMaker): void {
  const subject = name().replace(/^./, (letter) => letter.toLowerCase());
  if (typeof passed !== 'object' || passed === null)
    throw new TypeError(
      `Cannot ask ${subject}: the stage before it called next() without a context; call next(context)`,
    );
  assertContext(passed, () => `ask ${subject}`);
}

/** What reads the body of this copy, or of one that it was made of, in place of the server; undefined for none. */
export const bodyOfCopy = (context: Context): ContextChanges['body'] =>
  context instanceof ChangedContext ? context.changedBody : undefined;

/**
 * The context below a prefix such as `/tools`, which its base path then ends with. Undefined if the path is not below
 * the prefix.
 */
export function contextBelow(context: Context, prefix: string, segments = prefixSegments(prefix)): Context | undefined {
  assertContext(context, () => 'copy a context');
  const below = pathBelow(context, segments);
  if (below === undefined) return undefined;
  return contextAt(context, { path: below.path || '/', segments: below.segments }, context.basePath + prefix);
}

/** The context at another path, whose segments are known. */
export const contextAt = (context: Context, { path, segments }: SentPath, basePath: string): Context =>
  new ChangedContext(context, { path, basePath }, segments);

/** The context that the server made, of which this one is a copy, or itself. */
export const originalOf = (context: Context): Context =>
  context instanceof ChangedContext ? originalOf(context.original) : context;

class ChangedContext extends SlottedContext {
  readonly method: string;
  readonly path: string;
  readonly basePath: string;
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly original: Context;
  readonly #changes: ContextChanges;
  readonly segments: readonly string[];

  constructor(original: Context, changes: ContextChanges, segments?: readonly string[]) {
    super(slotValuesOf(original));
    this.original = original;
    this.#changes = changes;
    this.method = changes.method ?? original.method;
    this.path = changes.path ?? original.path;
    this.basePath = changes.basePath ?? original.basePath;
    this.requestId = changes.requestId ?? original.requestId;
    this.request = original.request;
    this.segments = segments ?? (this.path === original.path ? original.segments : segmentsOf(this.path, original));
  }

  get query(): URLSearchParams {
    return this.#changes.query ?? this.original.query;
  }
  get headers(): IncomingHttpHeaders {
    return this.#changes.headers ?? this.original.headers;
  }
  get remoteAddress(): string | undefined {
    return this.original.remoteAddress;
  }
  get signal(): AbortSignal {
    return this.original.signal;
  }
  get stopping(): AbortSignal {
    return this.original.stopping;
  }
  get changedBody(): ContextChanges['body'] {
    return this.#changes.body ?? bodyOfCopy(this.original);
  }
  body(): Promise<Uint8Array> {
    return this.#changes.body === undefined ? this.original.body() : this.#changes.body();
  }
}

function segmentsOf(path: string, original: Context): readonly string[] {
  const refusal = (cause: string): TypeError =>
    new TypeError(`Cannot change the path of a context to ${JSON.stringify(path)}: ${cause}`);
  if (!path.startsWith('/')) throw refusal('it does not begin with a slash; give a path such as "/api/todo"');
  if (/[?#]/.test(path)) throw refusal('it has a query or a fragment; leave it out, and give the query as "query"');
  // The context of a request that is refused for its path keeps the path as it was sent.
  if (decoded(path) === undefined && decoded(original.path) !== undefined) {
    const cause = 'it has a percent escape that is malformed or not UTF-8';
    throw refusal(`${cause}; encode each segment with encodeURIComponent`);
  }
  return splitPath(path);
}
