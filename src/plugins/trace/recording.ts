/** Declares the recording of a request as plain data. The page reads it as JSON. Times are in microseconds. */
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

/** The changes that a station made to the reply that `next` returned. */
export interface ReplyChanges {
  /** The names of the added headers. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The previous status; undefined if the station did not change it. */
  readonly statusBefore?: number;
  readonly body: boolean;
  /** All changes as text that begins with a colon: `: was 200; + Date`. Empty if the station changed nothing. */
  readonly text: string;
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

/** The facts about a station that are the same for every request. */
export interface StationFacts {
  /** A stage, a route, the handler of a route, or the reading of the body. */
  readonly kind: 'stage' | 'route' | 'body' | 'handler';
  readonly label: string;
  /** The name of the plugin that the station belongs to; undefined for the stages that every application has. */
  readonly plugin?: string | undefined;
  /** The file and the line, such as `src/plugin.ts:20`, or the position in the plugin, such as `stage 2`. */
  place?: string | undefined;
}

/** One call of `next` by a stage. */
export interface NextCall {
  /** The number of the event. It is greater than the `left` of the stage if the stage called `next` after its reply. */
  readonly entered: number;
  /** The changes that the stage made to the context, as texts. */
  readonly changes: readonly string[];
}

/** What a station did for one request, and its inner stations. */
export interface Station extends StationFacts {
  /** The number of the event in which the request entered the station. The events of a recording count from 1. */
  readonly entered: number;
  /** The number of the event in which the request left the station; undefined while the station is waiting. */
  left?: number;
  /** The microseconds from the beginning of the request until it entered the station. */
  readonly began: number;
  /** The microseconds from entering to leaving, including inner stations; undefined while the station is waiting. */
  took?: number;
  /**
   * `passed on`: the station returned the reply of `next`, changed or unchanged, or threw the error that `next` threw.
   * `ignored`: the station called `next`, but returned a reply without reading the headers or the body of the reply of
   * `next`. `caught`: the station returned a reply after `next` threw.
   */
  did?: 'answered' | 'passed on' | 'ignored' | 'caught' | 'threw' | 'read' | 'returned nothing';
  waited?: boolean;
  readonly given?: ContextView;
  readonly calls: NextCall[];
  routes?: readonly RouteVerdict[];
  reply?: ReplyView;
  changes?: ReplyChanges;
  /** The error that the station threw, caught or passed on. */
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
  readonly status?: number;
}

/** One request from the first stage to the last byte of its reply. */
export interface Recording extends RequestSummary {
  readonly requestId: string;
  readonly httpVersion: string;
  readonly headers: HeaderLines;
  readonly body?: BodyView;
  readonly stations: readonly Station[];
  /** The number of the event in which the request left the outermost station; undefined if it did not leave. */
  readonly replied?: number;
  /** True if the reply was sent completely. */
  readonly complete: boolean;
}
