/** Collects what the stations do with one request. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Context, HttpProblem, Reply } from '../../index.ts';
import type { StageEnd, Visit } from '../../instrument.ts';
import type { RouteCollection, RouteTrial } from '../../routing.ts';
import type { BodyView, Finished, Recording, ReplyView, RequestSummary, Station, StationFacts } from './recording.ts';
import { type SecretNames, Secrets } from './secrets.ts';
import {
  bodyView,
  contextChanges,
  errorText,
  headerLines,
  isOtherBody,
  KeptViews,
  linesOf,
  replyChanges,
  replyView,
  routeVerdicts,
  type SeenReply,
} from './views.ts';

/** The station that a request comes to first. */
interface Outermost {
  readonly station: Station;
  /** The server refuses its reply with this error, or it has thrown it itself. */
  refused(error: unknown): void;
}

/** The recording of one request, while it grows. */
export class RequestRecording {
  readonly secrets: Secrets;
  readonly views: KeptViews;
  /** Not the request itself, which would keep its body in memory. */
  readonly #head: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'httpVersion'>;
  readonly #contentType: string;
  readonly #number: number;
  readonly #at = new Date();
  readonly #began: number;
  readonly #validationTook: number;
  readonly #requestId: string;
  readonly #stations: Station[] = [];
  #outermost: Outermost | undefined;
  #events = 0;
  #body: BodyView | undefined;
  #refused: Recording['refused'];
  #reply: ReplyView | undefined;
  #replied: number | undefined;

  /** `arrived` is when the parser had its head, as `performance.now()` tells it. */
  constructor(context: Context, number: number, names: SecretNames, arrived: number) {
    const { request, requestId } = context;
    const { method, url, rawHeaders, httpVersion } = request;
    this.#head = { method, url, rawHeaders, httpVersion };
    this.#contentType = request.headers['content-type'] ?? '';
    this.#requestId = requestId;
    this.#number = number;
    this.#began = arrived;
    this.#validationTook = this.sinceBegin();
    this.secrets = new Secrets(names, rawHeaders, url!);
    this.views = new KeptViews(this.secrets);
  }

  /** The number of an event, in the order in which they happen. */
  nextEvent(): number {
    return ++this.#events;
  }

  /** In microseconds. */
  sinceBegin(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }

  refused({ status, message }: HttpProblem): void {
    this.#refused = { status, detail: message };
  }

  body(bytes: Uint8Array): void {
    const body = bodyView(bytes, /json|text|xml|urlencoded/.test(this.#contentType));
    this.views.shorten(body);
    this.#body = body;
  }

  /** The request comes to its outermost station. */
  begin(visit: Outermost): void {
    this.#outermost ??= visit;
    this.#stations.push(visit.station);
  }

  /** The reply that leaves the outermost station. */
  replied(reply: Reply): void {
    this.#replied = this.nextEvent();
    this.#reply = this.views.reply(reply)?.view;
  }

  failed(error: unknown): void {
    this.#replied = this.nextEvent();
    this.#outermost?.refused(error);
  }

  /**
   * The request is answered, and its reply is sent or its connection closed. `head` is what was written of its head.
   * What it takes long to tell is told when it is asked for.
   */
  finished(head: string | undefined, status: number, complete: boolean): Finished {
    this.#outermost = undefined;
    const { method, url } = this.#head;
    const { secrets } = this;
    const summary: RequestSummary = {
      number: this.#number,
      method: method!,
      target: secrets.text(secrets.target(url!)),
      at: this.#at.toISOString(),
      took: this.sinceBegin(),
      ...(status > 0 && { status }),
    };
    let whole: Recording | undefined;
    return {
      summary,
      whole: () => (whole ??= secrets.all({ ...summary, ...this.#whole(head, status, complete) })),
      hide: (value) => secrets.all(value),
    };
  }

  #whole(head: string | undefined, status: number, complete: boolean): Omit<Recording, keyof RequestSummary> {
    const { rawHeaders, httpVersion } = this.#head;
    const { secrets } = this;
    this.views.complete();
    const headers = linesOf(rawHeaders).map(([name, value]) => [name, secrets.header(name, value)] as const);
    const sent = head === undefined ? undefined : replyView({ status, headers: headerLines(head) }, secrets);
    return {
      requestId: this.#requestId,
      httpVersion,
      headers,
      ...(this.#body && { body: this.#body }),
      validationTook: this.#validationTook,
      ...(this.#refused && { refused: this.#refused }),
      stations: this.#stations,
      ...(this.#replied !== undefined && { replied: this.#replied }),
      ...(sent && {
        sent: { status, headers: sent.headers, changes: replyChanges(this.#reply, sent, false), complete },
      }),
    };
  }
}

/** How a station ended. */
type End = Pick<Station, 'did' | 'waited'> &
  Pick<StageEnd, 'failed'> &
  Partial<Pick<StageEnd, 'reply' | 'error' | 'call'>>;

const INSIDE = new AsyncLocalStorage<StationVisit>();

/** One request in one station, and the stations that it comes to from there. */
export class StationVisit implements Visit {
  readonly station: Station;
  readonly recording: RequestRecording;
  readonly #children: StationVisit[] = [];
  /** How many stations it had come to before each call of `next`. */
  readonly #before: number[] = [];
  /** What its calls of `next` replied, until it ends: a reply can hold much memory. */
  #replies: SeenReply[] | undefined = [];
  #trials: RouteTrial[] | undefined;
  #thrown: { readonly error: unknown } | undefined;

  /** The station that the running code belongs to; undefined outside of all. */
  static get current(): StationVisit | undefined {
    return INSIDE.getStore();
  }

  constructor(recording: RequestRecording, facts: StationFacts, context: Context | undefined) {
    this.recording = recording;
    const given = context && recording.views.context(context);
    const [entered, began] = [recording.nextEvent(), recording.sinceBegin()];
    this.station = { ...facts, entered, began, ...(given && { given }), calls: [], stations: [] };
    const outer = INSIDE.getStore();
    if (outer?.recording !== recording) recording.begin(this);
    else {
      outer.#children.push(this);
      outer.station.stations.push(this.station);
    }
  }

  within<Result>(action: () => Result): Result {
    return INSIDE.run(this, action);
  }

  passed(context: Context): void {
    this.#before.push(this.#children.length);
    const { given, calls } = this.station;
    const passed = this.recording.views.context(context);
    calls.push({ entered: this.recording.nextEvent(), passed, changes: contextChanges(given!, passed) });
  }

  replied(reply: Reply, call: number): void {
    if (this.#replies === undefined) return;
    const seen = this.recording.views.reply(reply);
    if (seen !== undefined) this.#replies[call] = seen;
  }

  failed(error: unknown, call: number): void {
    this.#children[this.#before[call]!]?.refused(error);
  }

  /** The reply of this station is refused with an error, unless the error is its own. */
  refused(error: unknown): void {
    if (this.#thrown === undefined || !Object.is(this.#thrown.error, error)) this.#tellError(error);
  }

  /** The station asks the routes. */
  asks(routes: RouteCollection, { method, path }: Context): void {
    const { station } = this;
    const trials: RouteTrial[] = [];
    this.#trials = trials;
    this.recording.views.later(() => (station.routes = routeVerdicts(routes, method, path, trials)));
  }

  tried(trial: RouteTrial): void {
    this.#trials?.push(trial);
  }

  ended({ did, waited, failed, reply, error, call }: End): void {
    const { station, recording } = this;
    const isReplyless = !failed && did !== 'read' && (reply === undefined || reply === null);
    Object.assign(station, { did: isReplyless ? 'returned nothing' : did, waited });
    Object.assign(station, { left: recording.nextEvent(), took: recording.sinceBegin() - station.began });
    if (failed || did === 'caught') this.#tellError(error);
    if (failed) {
      // A station that calls no `next`, as that of a route, passes on what the stations inside of it throw.
      const isPassed = this.#children.some((child) => child.#thrown && Object.is(child.#thrown.error, error));
      if (isPassed) station.did = 'passed on';
      this.#thrown = { error };
    }
    const before = call === undefined ? undefined : this.#replies?.[call];
    this.#replies = undefined;
    const after = reply && recording.views.reply(reply);
    if (after !== undefined) this.#tellReply(before, after);
  }

  #tellError(error: unknown): void {
    this.station.error = this.recording.secrets.text(errorText(error));
  }

  #tellReply(before: SeenReply | undefined, after: SeenReply): void {
    const { station } = this;
    station.reply = after.view;
    station.changes = replyChanges(before?.view, after.view, before !== undefined && isOtherBody(before, after));
  }
}
