/** What is recorded of a request, as plain data: the JSON that the page reads. Times are in microseconds. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** A request as one station got it. Secrets are hidden. */
export interface ContextView {
  readonly method: string;
  readonly path: string;
  readonly basePath: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the slots that have a value. */
  readonly slots: readonly string[];
}

/** A reply as one station made it or returned it. Secrets are hidden. */
export interface ReplyView {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: BodyView;
}

/** A body: its length where it is known, and its beginning where it is text. */
export interface BodyView {
  readonly kind: 'none' | 'text' | 'bytes' | 'stream';
  readonly bytes?: number;
  readonly text?: string;
  readonly isCut?: boolean;
}

/** How a reply differs from the one that it was made of. */
export interface ReplyChanges {
  /** Names of header lines. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The status before; undefined where it is the same. */
  readonly statusBefore?: number;
  readonly body: boolean;
  /** All of it in words, behind a colon: `: was 200; + Date`. Empty where nothing is other. */
  readonly text: string;
}

/** What one route answers, or why it is not asked. */
export interface RouteVerdict {
  readonly methods: string;
  readonly template: string;
  readonly name?: string;
  /** Does the index propose it? No other is tried. */
  readonly proposed: boolean;
  /** `taken`: the first that matches. `rejected`: it was tried, and does not match. */
  readonly verdict: 'taken' | 'rejected' | 'untried';
  /** Its values as JSON, or why it was not taken. */
  readonly text: string;
}

/** What a station is, for every request. */
export interface StationFacts {
  /** A stage, a route, the handler of a route, or the body that was read. */
  readonly kind: 'stage' | 'route' | 'body' | 'handler';
  readonly label: string;
  /** The plugin that it belongs to; undefined for what every application has. */
  readonly plugin?: string | undefined;
  /** File and line, or the place in the plugin: `stage 2`. */
  place?: string | undefined;
}

/** One call of `next` by a stage. */
export interface NextCall {
  /** The number of the event; it is greater than the `left` of a stage that has replied before. */
  readonly entered: number;
  /** What the stage changed on the way in, in words. */
  readonly changes: readonly string[];
}

/** What a station did with one request, and the stations inside of it. */
export interface Station extends StationFacts {
  /** The numbers of the events in which a request came to it and left it: all of a recording are counted from 1. */
  readonly entered: number;
  /** Undefined while it waits. A station can leave after the one around it has. */
  left?: number;
  /** From the beginning of the request. */
  readonly began: number;
  /** Until it ended, later stations included; undefined while it waits. */
  took?: number;
  /**
   * `passed on`: it ended as `next` did, with a changed reply or not. `ignored`: it called `next`, and replied without
   * reading the headers or the body of that reply. `caught`: `next` failed, and it replied.
   */
  did?: 'answered' | 'passed on' | 'ignored' | 'caught' | 'threw' | 'read' | 'returned nothing';
  waited?: boolean;
  readonly given?: ContextView;
  readonly calls: NextCall[];
  routes?: readonly RouteVerdict[];
  reply?: ReplyView;
  changes?: ReplyChanges;
  /** What it threw or caught. */
  error?: string;
  /** What is wrong with its reply. */
  refused?: string;
  readonly stations: Station[];
}

/** What a list shows of a request. */
export interface RequestSummary {
  readonly number: number;
  readonly method: string;
  readonly target: string;
  readonly at: string;
  readonly took: number;
  /** Of the reply; undefined where none was sent. */
  readonly status?: number;
}

/** One request from the first stage to the last byte of its reply. */
export interface Recording extends RequestSummary {
  readonly requestId: string;
  readonly httpVersion: string;
  readonly headers: HeaderLines;
  readonly body?: BodyView;
  readonly stations: readonly Station[];
  /** The number of the event in which the outermost station left; undefined while it waits. */
  readonly replied?: number;
  /** Was the reply sent to its end? */
  readonly complete: boolean;
}
