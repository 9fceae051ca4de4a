/** Declares what the server keeps about one request beside its context. All copies of the context share it. */
import type { Readable } from 'node:stream';

/** The value of `RequestState.checked` before a reply has been checked. */
export const UNCHECKED: unique symbol = Symbol('unchecked');

/** The text of a problem. */
export interface WrittenProblem {
  readonly mediaType: string;
  readonly body: string;
}

/** What a host has mounted behind a listener (D78). */
export interface FallThrough {
  /** Gives the request to it. */
  readonly next: () => void;
  /** The body of the reply that says that nothing answers; undefined before it is made. */
  unansweredBody: unknown;
}

/** The state of one request. */
export interface RequestState {
  /** The reply that was checked last. The next four members say what it consisted of at that time. */
  checked: unknown;
  checkedStatus: number;
  checkedHeaders: unknown;
  checkedLines: number;
  checkedBody: unknown;
  /** A promise of a reply that is checked once it is fulfilled. */
  pending: unknown;
  /** The checked reply has no `Content-Length`: the server adds it. */
  lacksLength: boolean;
  /** The stage or handler that made the checked reply, in words; undefined unless the body is a stream. */
  maker: string | undefined;
  /** The route that matched; undefined before routing. */
  route: { readonly template: { readonly text: string } } | undefined;
  /** How long the reply may take, in milliseconds; undefined for the limit of the server. */
  timeLimit: number | undefined;
  /** The streams of all replies that were checked; undefined before the first. */
  streams: Readable[] | undefined;
  /** The values of the slots that stages have set; undefined before the first. */
  slots: Map<object, unknown> | undefined;
  /** Takes a request that nothing answers; undefined where no host does. */
  fallThrough: FallThrough | undefined;
  /** Writes a `Problem` of a `Context`, a `ProblemWriter`; undefined for RFC 9457. */
  writeProblem: ((problem: never, context: never) => WrittenProblem | undefined) | undefined;
  /** The steps that expressions have taken for its values (D37). */
  spentSteps: number;
  /** Stops waiting for the reply and answers with this error; set while a stage waits. */
  giveUp: ((error: Error) => void) | undefined;
}
