/**
 * Declares the recording of a request as plain data, which the page reads as JSON. Every time is in microseconds since
 * the request has reached the recorder.
 */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** The context that a station received, with secrets hidden. */
export interface ContextView {
  readonly method: string;
  readonly path: string;
  readonly basePath: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the slots that have a value. */
  readonly slots: readonly string[];
}

/** The reply that a station returned, with secrets hidden. */
export interface ReplyView {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: BodyView;
}

/** A body. `bytes` is its length, if the length is known. `text` is its beginning, if the body is text. */
export interface BodyView {
  readonly kind: 'none' | 'text' | 'bytes' | 'stream';
  readonly bytes?: number;
  readonly text?: string;
  readonly isCut?: boolean;
}

/** The result of trying a route, or the reason why it was not tried. */
export interface RouteVerdict {
  readonly methods: string;
  readonly template: string;
  readonly name?: string;
  /** True if the index of routes proposes the route for the path. Only proposed routes are tried. */
  readonly proposed: boolean;
  /**
   * `taken`: the route is the first that matches. `rejected`: the route was tried and does not match. `untried`: the
   * route was not tried.
   */
  readonly verdict: 'taken' | 'rejected' | 'untried';
  /** The route values as JSON if the route was taken, otherwise the reason why it was not taken. */
  readonly text: string;
}

/** The facts about a station that are known before it runs. */
export interface StationFacts {
  /**
   * A stage, a route, its handler, or in an operation the input before the handler and the reply after it. `operation`
   * is only in unfinished recordings.
   */
  readonly kind: 'stage' | 'route' | 'operation' | 'input' | 'handler' | 'reply';
  readonly label: string;
  /** The name of the plugin that the station belongs to; undefined for the stages that every application has. */
  readonly plugin?: string | undefined;
  /** The verdict on each route for this request, if the station is the stage that finds the route. */
  readonly routes?: readonly RouteVerdict[];
}

/** One call of `next` by a stage. */
export interface NextCall {
  /** The time of the call. It is later than the `left` of the stage if the stage called `next` after its reply. */
  readonly at: number;
  /** The changes that the stage made to the context, as texts. */
  readonly changes: readonly string[];
}

/** What a station did for one request, and its inner stations. */
export interface Station extends StationFacts {
  readonly entered: number;
  /** Undefined while the station is waiting. */
  left?: number;
  /**
   * `passed on`: the station returned the reply of `next` or of a route, changed or unchanged. `accepted`, `refused`:
   * the input of an operation matches its declaration, or does not. Undefined while the station is waiting.
   */
  did?:
    | 'answered'
    | 'passed on'
    | 'caught it, answered'
    | 'threw'
    | 'passed the error on'
    | 'returned nothing'
    | 'accepted'
    | 'refused';
  /** True if the station returned a promise. Undefined for the input and the reply. */
  waited?: boolean | undefined;
  /** Undefined if the station received a value that is not a context. */
  readonly given?: ContextView | undefined;
  readonly calls: NextCall[];
  /** The reply; for the handler of an operation, its result without the value. */
  reply?: ReplyView;
  /** The changes to the reply of `next` or the result of the handler: `was 200`, `+ X-New`, `~ X-Changed`, `- X-Old`. */
  changes?: readonly string[];
  /** The error that the station threw, caught or passed on, or the fault in the input. */
  error?: string;
  /** The reason why the service does not send the reply of the station. */
  refused?: string;
  readonly stations: Station[];
}

/** The summary of a request for the list. */
export interface RequestSummary {
  readonly number: number;
  readonly method: string;
  readonly target: string;
  readonly at: string;
  readonly took: number;
  /** The status of the reply; undefined if no reply was sent. */
  readonly status?: number | undefined;
}

/** One request from the first stage to the last byte of its reply. */
export interface Recording extends RequestSummary {
  readonly requestId: string;
  readonly httpVersion: string;
  readonly headers: HeaderLines;
  /** The body of the request, if it was read as a whole. */
  readonly body: BodyView;
  readonly stations: readonly Station[];
  /** True if the reply was sent completely. */
  readonly complete: boolean;
}
