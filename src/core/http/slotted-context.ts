/**
 * Declares the context that the server makes for a request: a value without a socket. The members of a context never
 * change. All copies share the slots of plugins and the slots of this library.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Context } from './context.ts';
import { cookiesOf } from './headers/cookies.ts';

/** The symbol is global, so that another copy of this library, bundled with a plugin, finds the values too. */
const VALUES: unique symbol = Symbol.for('todo-item-service values');

/** The values of one request. The function `slot` uses symbols as keys; `librarySlot` uses names. */
export type SlotValues = Record<PropertyKey, unknown>;

/** What a context asks at the first access. The server gives one source to each request. */
export interface RequestSource {
  query(): URLSearchParams;
  body(): Promise<Uint8Array>;
  /** Sets the limit of a body that is read after this call. Its value takes `copies` times its length. */
  limitBody(maxBytes: number | undefined, copies: number): void;
  /** Takes memory for the value of a body. Throws an `HttpProblem`, 503, if the memory of all bodies is full. */
  takeMemory(bytes: number): void;
  /** Returns the body as a stream; undefined if `body` has been called. Throws an `HttpProblem`: 400, 413, 415 or 503. */
  bodyStream(maxBytes: number | undefined): Readable | undefined;
  remoteAddress(): string | undefined;
  signal(): AbortSignal;
  /** Returns the time limit of the handler in milliseconds. */
  timeLimit(): number;
  /** Returns what the request waits for. `body` if it has waited for its body, or read it, since the last call. */
  awaits(): 'handler' | 'body' | 'nothing';
  /** True if the reply is sent or cannot be sent, and no handler runs that has taken too long. */
  isOver(): boolean;
  /** Called when the handler has taken too long. Aborts the signal with this reason. */
  giveUp(reason: Error): void;
}

/** The members of a context that are known when it is made. */
export interface ContextMembers
  extends Pick<Context, 'method' | 'path' | 'basePath' | 'segments' | 'requestId' | 'request' | 'stopping'> {
  readonly headers: IncomingHttpHeaders;
}

/** What `contextWith` replaces in a copy. */
interface Replaced {
  readonly query?: URLSearchParams | undefined;
  readonly body?: (() => Promise<Uint8Array>) | undefined;
}

const NOTHING: Replaced = {};

/** An object spread of such a context is not an instance of this class. */
export class SlottedContext extends Context {
  readonly method: string;
  readonly path: string;
  readonly basePath: string;
  readonly segments: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly stopping: AbortSignal;
  readonly source: RequestSource;
  readonly values: SlotValues;
  readonly replaced: Replaced;

  /** A copy passes the `values` of its original. */
  constructor(members: ContextMembers, source: RequestSource, values: SlotValues = {}, replaced = NOTHING) {
    super();
    this.method = members.method;
    this.path = members.path;
    this.basePath = members.basePath;
    this.segments = members.segments;
    this.headers = members.headers;
    this.requestId = members.requestId;
    this.request = members.request;
    this.stopping = members.stopping;
    this.source = source;
    this.values = values;
    this.replaced = replaced;
  }

  get query(): URLSearchParams {
    return this.replaced.query ?? this.source.query();
  }
  get cookies(): ReadonlyMap<string, string> {
    return cookiesOf(this.headers.cookie);
  }
  get remoteAddress(): string | undefined {
    return this.source.remoteAddress();
  }
  get signal(): AbortSignal {
    return this.source.signal();
  }
  body(): Promise<Uint8Array> {
    return this.replaced.body === undefined ? this.source.body() : this.replaced.body();
  }
  get [VALUES](): SlotValues {
    return this.values;
  }
}

/** Returns the values that all copies of a context share; undefined for a value that is not a context. */
export const slotValuesOf = (context: Context | undefined): SlotValues | undefined =>
  context instanceof SlottedContext ? context.values : (context as SlottedContext | undefined)?.[VALUES];

/**
 * Creates a slot for this library. Several copies of the library share the slots that have the same name. `find`
 * returns undefined for an empty slot, and for an object that is not a context of this library.
 */
export function librarySlot<Value>(name: string) {
  const key = `todo-item-service ${name}`;
  return {
    set(context: Context, value: Value | undefined): void {
      const values = context instanceof SlottedContext ? context.values : slotValuesOf(context);
      if (values !== undefined) values[key] = value;
    },
    find(context: Context): Value | undefined {
      const values = context instanceof SlottedContext ? context.values : slotValuesOf(context);
      return values?.[key] as Value | undefined;
    },
  };
}
