/** Collects what the stations do with one request. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { attempt } from '../../extending.ts';
import type { Context, HttpProblem, Reply } from '../../index.ts';
import type { StageEnd, Visit } from '../../instrument.ts';
import type { RouteCollection, RouteTrial } from '../../routing.ts';
import type { BodyView, ContextView, Finished, Recording, Station, StationFacts } from './recording.ts';
import { type SecretNames, Secrets } from './secrets.ts';
import {
  bodyView,
  contextChanges,
  contextView,
  errorText,
  isOtherBody,
  linesOf,
  NO_CONTEXT,
  replyChanges,
  replyView,
  routeVerdicts,
  type SeenReply,
  shorten,
} from './views.ts';

/** The recording of one request, while it grows. */
export class RequestRecording implements Visit {
  readonly #secrets: Secrets;
  readonly #began: number;
  readonly #draft: { -readonly [Name in keyof Recording]: Recording[Name] } & { readonly stations: Station[] };
  readonly #hasText: boolean;
  readonly #replies = new WeakMap<Reply, SeenReply>();
  /** What takes long is done when the recording is asked for. */
  readonly #later: (() => void)[] = [];
  #outermost: StationVisit | undefined;
  #reply: SeenReply | undefined;
  #events = 0;

  /** `arrived` is when the parser had its head, as `performance.now()` tells it. */
  constructor({ request, requestId }: Context, number: number, names: SecretNames, arrived: number) {
    // The request itself would keep its body in memory.
    const { method = '', url: target = '', rawHeaders, httpVersion, headers } = request;
    this.#secrets = new Secrets(names, rawHeaders, target);
    this.#began = arrived;
    this.#hasText = /json|text|xml|urlencoded/.test(headers['content-type'] ?? '');
    const times = { at: new Date().toISOString(), validationTook: this.sinceBegin(), took: 0 };
    const lines = linesOf(rawHeaders);
    this.#draft = { number, requestId, method, target, httpVersion, headers: lines, stations: [], ...times };
  }

  /** The number of an event, in the order in which they happen. */
  nextEvent(): number {
    return ++this.#events;
  }

  /** In microseconds. */
  sinceBegin(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }

  /** The context as it is now: a stage in JavaScript may change it in place. Never throws. */
  context(context: Context): ContextView {
    if (typeof context !== 'object' || context === null) return NO_CONTEXT;
    return attempt(() => contextView(context, this.#secrets), NO_CONTEXT);
  }

  /** The reply as it is now. Undefined for what is none: a handler may return anything, and what checks it tells so. */
  reply(reply: Reply): SeenReply | undefined {
    return attempt(() => {
      const { body } = reply;
      const known = this.#replies.get(reply);
      // A text is not read again. Bytes may have changed in place.
      const isKept = typeof body === 'string' && known?.body === body;
      const seen = { view: replyView(reply, this.#secrets, isKept ? known.view.body : undefined), body };
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
    this.#draft.body = bodyView(bytes, this.#hasText);
    this.#shortenLater(this.#draft.body);
  }

  /** A function of its own: made beside a reply, it would keep that in memory. */
  #shortenLater(body: BodyView): void {
    this.#later.push(() => shorten(body, this.#secrets));
  }

  /** A station asks the routes; `trials` is what they answer. */
  asked(station: Station, routes: RouteCollection, { method, path }: Context, trials: readonly RouteTrial[]): void {
    this.#later.push(() => (station.routes = routeVerdicts(routes, method, path, trials)));
  }

  /** The request comes to its outermost station. */
  begin(visit: StationVisit): void {
    this.#outermost ??= visit;
    this.#draft.stations.push(visit.station);
  }

  /** The outermost station left. */
  ended({ failed, reply, error }: StageEnd): void {
    this.#draft.replied = this.nextEvent();
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
      for (const tell of this.#later) tell();
      const headers = this.#draft.headers.map(([name, value]) => [name, secrets.header(name, value)] as const);
      const view = head === undefined ? undefined : replyView({ status, headers: headersIn(head) }, secrets);
      const sent = view && { status, headers: view.headers, changes: replyChanges(before, view, false), complete };
      return secrets.all({ ...this.#draft, ...summary, ...(sent && { sent }), headers });
    };
    return { summary, whole: () => (whole ??= made()), hide: (value) => secrets.all(value) };
  }
}

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
  #trials: RouteTrial[] | undefined;
  #thrown: { readonly error: unknown } | undefined;

  /** The station that the running code belongs to; undefined outside of all. */
  static get current(): StationVisit | undefined {
    return INSIDE.getStore();
  }

  constructor(recording: RequestRecording, facts: StationFacts, context: Context | undefined) {
    this.#recording = recording;
    const given = context && recording.context(context);
    const [entered, began] = [recording.nextEvent(), recording.sinceBegin()];
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
    calls.push({ entered: this.#recording.nextEvent(), changes });
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
  asks(routes: RouteCollection, context: Context): void {
    this.#trials = [];
    this.#recording.asked(this.station, routes, context, this.#trials);
  }

  tried(trial: RouteTrial): void {
    this.#trials?.push(trial);
  }

  ended({ did, waited, failed, reply, error, call }: StageEnd): void {
    const { station } = this;
    const recording = this.#recording;
    const isRead = station.kind === 'body' && !failed;
    const isReplyless = !failed && (reply === undefined || reply === null);
    Object.assign(station, { did: isRead ? 'read' : isReplyless ? 'returned nothing' : did, waited });
    Object.assign(station, { left: recording.nextEvent(), took: recording.sinceBegin() - station.began });
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
