/** What is recorded of a request: plain data, and how stations collect it. Times are in microseconds. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { attempt } from '../../extending.ts';
import type { Context, HttpProblem, Reply } from '../../index.ts';
import type { StageEnd, Visit } from '../../instrument.ts';
import type { RouteCollection, RouteTrial } from '../../routing.ts';
import { type SecretNames, Secrets } from './secrets.ts';
import {
  type BodyView,
  bodyView,
  type ContextView,
  contextChanges,
  contextView,
  errorText,
  type HeaderLines,
  isOtherBody,
  linesOf,
  type ReplyChanges,
  type ReplyView,
  type RouteVerdict,
  replyChanges,
  replyView,
  routeVerdicts,
  type SeenReply,
  shorten,
} from './views.ts';

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
  /** How much memory it takes, about. */
  readonly bytes: number;
  /** All of it. It is made at the first call. */
  readonly whole: () => Recording;
  /** A value that was made of the request, without its secrets. */
  readonly hide: <Value>(value: Value) => Value;
}

/** The recording of one request, while it grows. */
export class RequestRecording implements Visit {
  readonly #secrets: Secrets;
  readonly #began: number;
  /** About what one context takes, and what all that is kept does. */
  readonly #contextBytes: number;
  #bytes = 0;
  readonly #draft: { -readonly [Name in keyof Recording]: Recording[Name] } & { readonly stations: Station[] };
  readonly #replies = new WeakMap<Reply, SeenReply>();
  /** What takes long is done when the recording is asked for. */
  readonly later: (() => void)[] = [];
  #outermost: StationVisit | undefined;
  #reply: SeenReply | undefined;
  /** How many events there were: their numbers are in the order in which they happen. */
  events = 0;

  /** `arrived` is when the parser had its head, as `performance.now()` tells it. */
  constructor({ request, requestId }: Context, number: number, names: SecretNames, arrived: number) {
    // The request itself would keep its body in memory.
    const { method = '', url: target = '', rawHeaders, httpVersion } = request;
    this.#secrets = new Secrets(names, rawHeaders, target);
    this.#began = arrived;
    const times = { at: new Date().toISOString(), validationTook: this.sinceBegin(), took: 0 };
    const headers = linesOf(rawHeaders);
    this.#contextBytes = bytesOf(headers) + target.length;
    this.#draft = { number, requestId, method, target, httpVersion, headers, stations: [], ...times };
  }

  /** In microseconds. */
  sinceBegin(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }

  /** The context as it is now: a stage in JavaScript may change it in place. Never throws. */
  context(context: Context): ContextView {
    this.#bytes += this.#contextBytes;
    return contextView(context, this.#secrets);
  }

  /** The reply as it is now. Undefined for what is none: a handler may return anything, and what checks it tells so. */
  reply(reply: Reply): SeenReply | undefined {
    return attempt(() => {
      const { body } = reply;
      const known = this.#replies.get(reply);
      // A text is not read again. Bytes may have changed in place.
      const isKept = typeof body === 'string' && known?.body === body;
      const seen = { view: replyView(reply, this.#secrets, isKept ? known.view.body : undefined), body };
      this.#bytes += bytesOf(seen.view.headers);
      if (!isKept) this.#shortenLater(seen.view.body);
      this.#replies.set(reply, seen);
      return seen;
    }, undefined);
  }

  error(error: unknown): string {
    return this.#secrets.text(errorText(error));
  }

  refused({ status, message }: HttpProblem): void {
    this.#draft.refused = { status, detail: message };
  }

  body(bytes: Uint8Array): void {
    this.#draft.body = bodyView(bytes, this.#draft.headers);
    this.#shortenLater(this.#draft.body);
  }

  /** A function of its own: made beside a reply, it would keep that in memory. */
  #shortenLater(body: BodyView): void {
    this.#bytes += body.text?.length ?? 0;
    this.later.push(() => shorten(body, this.#secrets));
  }

  /** The request comes to its outermost station. */
  begin(visit: StationVisit): void {
    this.#outermost ??= visit;
    this.#draft.stations.push(visit.station);
  }

  /** The outermost station left. */
  ended({ failed, reply, error }: StageEnd): void {
    this.#draft.replied = ++this.events;
    if (failed) this.#outermost?.refused(error);
    else this.#reply = this.reply(reply!);
  }

  /** The reply is sent, or the connection closed. `head` is what was written of the head of the reply. */
  finished(head: string | undefined, status: number, complete: boolean): Finished {
    const secrets = this.#secrets;
    const before = this.#reply?.view;
    this.#outermost = this.#reply = undefined;
    const { number, method, at } = this.#draft;
    const target = secrets.text(secrets.target(this.#draft.target));
    const summary = { number, method, target, at, took: this.sinceBegin(), ...(status > 0 && { status }) };
    let whole: Recording | undefined;
    const made = (): Recording => {
      for (const tell of this.later) tell();
      const headers = this.#draft.headers.map(([name, value]) => [name, secrets.header(name, value)] as const);
      const view = head === undefined ? undefined : replyView({ status, headers: headersIn(head) }, secrets);
      const sent = view && { status, headers: view.headers, changes: replyChanges(before, view, false), complete };
      return secrets.all({ ...this.#draft, ...summary, ...(sent && { sent }), headers });
    };
    const bytes = this.#bytes + this.#contextBytes;
    return { summary, bytes, whole: () => (whole ??= made()), hide: (value) => secrets.all(value) };
  }
}

/** About what these lines take, and what they belong to. */
const bytesOf = (lines: HeaderLines): number =>
  lines.reduce((sum, [name, value]) => sum + name.length + value.length, 500);

/** The header lines of the head that was written. */
const headersIn = (head: string): readonly string[] =>
  head
    .split('\r\n')
    .slice(1, -2)
    .flatMap((line) => line.split(/: (.*)/s, 2));

/** Which station calls another: a stage may call `next` twice side by side, and after it has replied. */
const INSIDE = new AsyncLocalStorage<StationVisit>();

/** One request in one station, and the stations that it comes to from there. */
export class StationVisit implements Visit {
  readonly station: Station;
  readonly #recording: RequestRecording;
  readonly #inner: StationVisit[] = [];
  /** What its calls of `next` replied, until it ends: a reply can hold much memory. */
  #replies: SeenReply[] = [];
  /** What the routes answered that it has tried. */
  readonly trials: RouteTrial[] = [];
  #thrown: { readonly error: unknown } | undefined;

  /** The station that the running code belongs to; undefined outside of all. */
  static get current(): StationVisit | undefined {
    return INSIDE.getStore();
  }

  constructor(recording: RequestRecording, facts: StationFacts, context: Context | undefined) {
    this.#recording = recording;
    const given = context && recording.context(context);
    const [entered, began] = [++recording.events, recording.sinceBegin()];
    this.station = { ...facts, entered, began, ...(given && { given }), calls: [], stations: [] };
    const outer = INSIDE.getStore();
    if (outer === undefined || outer.#recording !== recording) recording.begin(this);
    else {
      outer.#inner.push(this);
      outer.station.stations.push(this.station);
    }
  }

  within<Result>(action: () => Result): Result {
    return INSIDE.run(this, action);
  }

  passed(context: Context): void {
    const { given, calls } = this.station;
    const changes = contextChanges(given!, this.#recording.context(context));
    calls.push({ entered: ++this.#recording.events, changes });
  }

  replied(reply: Reply, call: number): void {
    if (this.station.left !== undefined) return;
    const seen = this.#recording.reply(reply);
    if (seen !== undefined) this.#replies[call] = seen;
  }

  /** The first station of the call gave a reply that is refused, unless the error is its own. */
  failed(error: unknown, call: number): void {
    const { entered } = this.station.calls[call]!;
    this.#inner.find(({ station }) => station.entered > entered)?.refused(error);
  }

  /** The reply of this station is refused with an error, unless the error is its own. */
  refused(error: unknown): void {
    if (!this.#threw(error)) this.station.error = this.#recording.error(error);
  }

  /** The station asks the routes. */
  asks(routes: RouteCollection, { method, path }: Context): void {
    const { station, trials } = this;
    this.#recording.later.push(() => (station.routes = routeVerdicts(routes, method, path, trials)));
  }

  ended({ did, waited, failed, reply, error, call }: StageEnd): void {
    const { station } = this;
    const recording = this.#recording;
    const isRead = station.kind === 'body' && !failed;
    const isReplyless = !failed && (reply === undefined || reply === null);
    station.did = isRead ? 'read' : isReplyless ? 'returned nothing' : did;
    Object.assign(station, { waited, left: ++recording.events, took: recording.sinceBegin() - station.began });
    if (failed || did === 'caught') station.error = recording.error(error);
    if (failed) {
      // A station that calls no `next`, as that of a route, passes on what the stations inside of it throw.
      if (this.#inner.some((inner) => inner.#threw(error))) station.did = 'passed on';
      this.#thrown = { error };
    }
    if (isRead) return recording.body(reply as unknown as Uint8Array);
    const before = call === undefined ? undefined : this.#replies[call];
    this.#replies = [];
    const after = recording.reply(station.kind === 'handler' ? answeredReply(reply) : reply!);
    if (after === undefined) return;
    station.reply = after.view;
    station.changes = replyChanges(before?.view, after.view, before !== undefined && isOtherBody(before, after));
  }

  #threw(error: unknown): boolean {
    return this.#thrown !== undefined && Object.is(this.#thrown.error, error);
  }
}

/** What a handler returned as a reply. The answer of an operation has a status, and its reply is made later. */
function answeredReply(returned: unknown): Reply {
  if (typeof returned !== 'object' || returned === null || !('status' in returned)) return returned as Reply;
  const { status, headers = {} } = returned as Reply;
  return Array.isArray(headers) ? (returned as Reply) : { status, headers };
}
