/** Declares what is recorded of a request: plain data, which a page and a terminal show. Times are in microseconds. */

type HeaderLines = readonly (readonly [name: string, value: string])[];

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

/** What a station is, for every request. */
export interface StationFacts {
  /** A stage, a route, the handler of a route, the body that was read, or the end that no route reaches. */
  readonly kind: 'stage' | 'route' | 'body' | 'handler' | 'end';
  readonly label: string;
  /** The plugin that it belongs to; undefined for what every application has. */
  readonly plugin?: string | undefined;
  /** File and line, or the place in the plugin: `stage 2`. */
  place?: string | undefined;
}

/** What one route answered, or why it was not asked. */
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
  did?: 'answered' | 'passed on' | 'caught' | 'threw' | 'read' | 'returned nothing';
  waited?: boolean;
  readonly given?: ContextView;
  readonly calls: NextCall[];
  routes?: readonly RouteVerdict[];
  reply?: ReplyView;
  changes?: ReplyChanges;
  /** What it threw or caught, or what is wrong with its reply. */
  error?: string;
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

/** One request from the parser to the last byte of its reply. */
export interface Recording extends RequestSummary {
  readonly requestId: string;
  readonly httpVersion: string;
  readonly headers: HeaderLines;
  readonly body?: BodyView;
  readonly validationTook: number;
  /** Why it was refused before the stages. */
  readonly refused?: { readonly status: number; readonly detail: string };
  readonly stations: readonly Station[];
  /** The number of the event in which the outermost station left; undefined while it waits. */
  readonly replied?: number;
  /** What was sent; undefined where nothing was. */
  readonly sent?: {
    readonly status: number;
    readonly headers: HeaderLines;
    readonly changes: ReplyChanges;
    readonly complete: boolean;
  };
}

/** The recording of a request that is answered. */
export interface Finished {
  readonly summary: RequestSummary;
  /** All of it. It is made at the first call. */
  readonly whole: () => Recording;
  /** A value that was made of the request, without its secrets. */
  readonly hide: <Value>(value: Value) => Value;
}
