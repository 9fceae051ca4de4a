/** Collects what the stations do with one request. */
import type { IncomingMessage } from 'node:http';
import { Context, type Reply } from '../../http/message/context.ts';
import { HttpProblem } from '../../http/message/problem.ts';
import { oneLine } from '../../log/escape-controls.ts';
import { attempt, thrownText } from '../../log/thrown-value.ts';
import type { StageEnd } from '../../pipeline/watched.ts';
import { type SecretNames, Secrets } from './secrets.ts';
import type { BodyView, ContextView, Recording, ReplyView, RequestSummary, Station, StationFacts } from './station.ts';
import { bodyView, contextChanges, contextView, linesOf, replyChanges, replyView } from './views.ts';

/** The recording of a request that is answered. */
export interface Finished {
  readonly summary: RequestSummary;
  /** All of it. It is made at the first call. */
  readonly whole: () => Recording;
}

/** No value that can be thrown. */
const NOTHING = Symbol('nothing was thrown');

/** What is shown of an object that stands for a context and is none. */
const UNREADABLE: ContextView = { method: '', path: '', basePath: '', query: '', headers: {}, slots: [] };

/** How a station ended. */
export type End = Pick<Station, 'did' | 'waited'> &
  Pick<StageEnd, 'failed'> &
  Partial<Pick<StageEnd, 'reply' | 'inner' | 'error'>>;

/** The recording of one request, while it grows. */
export class RequestRecording {
  readonly stations: Station[] = [];
  readonly secrets: Secrets;
  readonly #request: IncomingMessage;
  readonly #number: number;
  readonly #at = new Date();
  readonly #began: number;
  readonly #validationTook: number;
  /** The stations that a request is in, from the outermost. */
  #inside: readonly Station[] = [];
  readonly #requestId: string;
  #body: BodyView | undefined;
  #refused: Recording['refused'];
  #routed: Recording['routed'];
  #outermost: ReplyView | undefined;
  #thrown: unknown = NOTHING;
  /** What is compared when the whole recording is asked for. */
  readonly #comparisons: (() => void)[] = [];
  readonly #contexts = new WeakMap<Context, ContextView>();
  readonly #replies = new WeakMap<Reply, ReplyView>();

  /** `arrived` is when the parser had its head, as `performance.now()` tells it. */
  constructor(context: Context, number: number, names: SecretNames, arrived: number) {
    const { request, requestId } = context;
    this.#request = request;
    this.#requestId = requestId;
    this.#number = number;
    this.#began = arrived;
    this.#validationTook = this.#sinceBegin();
    this.secrets = new Secrets(names, request.rawHeaders, request.url!);
  }

  refused({ status, message }: HttpProblem): void {
    this.#refused = { status, detail: this.secrets.text(message) };
  }

  routed({ method, path }: Context): void {
    this.#routed = { method, path: this.secrets.text(path) };
  }

  body(bytes: Uint8Array): void {
    const isText = /json|text|xml|urlencoded/.test(this.#request.headers['content-type'] ?? '');
    this.#body = bodyView(bytes, isText, this.secrets);
  }

  /** A request comes to a station, which stands inside of the one that it has come to last. */
  enter(facts: StationFacts, context?: Context): { passed(context: Context): void; ended(end: End): void } {
    const outer = this.#inside;
    const given = context && this.#contextOf(context);
    const station: Station = { ...facts, began: this.#sinceBegin(), ...(given && { given }), stations: [] };
    (outer.at(-1)?.stations ?? this.stations).push(station);
    const inside = [...outer, station];
    this.#inside = inside;
    return {
      passed: (passed) => {
        this.#inside = inside;
        station.passed = this.#contextOf(passed);
        const { given, passed: after } = station;
        this.#comparisons.push(() => (station.passedChanges = contextChanges(given!, after!)));
      },
      ended: (end) => {
        this.#inside = outer;
        this.#ended(station, end);
      },
    };
  }

  /**
   * The request is answered, and its reply is sent or its connection closed. `head` gives what was written of it. What
   * it takes long to tell is told when it is asked for.
   */
  finished(head: () => Pick<Reply, 'status' | 'headers'> | undefined, status: number, complete: boolean): Finished {
    const request = this.#request;
    const { secrets } = this;
    const summary: RequestSummary = {
      number: this.#number,
      method: request.method!,
      target: secrets.target(request.url!),
      at: this.#at.toISOString(),
      took: this.#sinceBegin(),
      ...(status > 0 && { status }),
    };
    let whole: Recording | undefined;
    return { summary, whole: () => (whole ??= { ...summary, ...this.#whole(head(), complete) }) };
  }

  #whole(
    head: Pick<Reply, 'status' | 'headers'> | undefined,
    complete: boolean,
  ): Omit<Recording, keyof RequestSummary> {
    const request = this.#request;
    const { secrets } = this;
    for (const compare of this.#comparisons) compare();
    const headers = linesOf(request.rawHeaders).map(([name, value]) => [name, secrets.header(name, value)] as const);
    const sent = head && replyView(head, secrets);
    const changes = sent && replyChanges(this.#outermost && { ...this.#outermost, body: sent.body }, sent);
    return {
      requestId: this.#requestId,
      httpVersion: request.httpVersion,
      headers,
      ...(this.#body && { body: this.#body }),
      validationTook: this.#validationTook,
      ...(this.#refused && { refused: this.#refused }),
      ...(this.#routed && { routed: this.#routed }),
      stations: this.stations,
      ...(sent && { sent: { status: sent.status, changes: changes!, complete } }),
    };
  }

  /** The reply that leaves the outermost stage. */
  replied(reply: Reply): void {
    this.#outermost = this.#replyOf(reply);
  }

  #ended(station: Station, { reply, inner, error, failed, ...end }: End): void {
    Object.assign(station, end, { took: this.#sinceBegin() - station.began });
    if (failed || end.did === 'caught') {
      // An error that is new here was thrown by the check of what the last station further in returned.
      if (!Object.is(error, this.#thrown)) {
        const checked = end.did === 'threw' ? undefined : station.stations.at(-1);
        if (checked !== undefined) checked.error = this.#errorText(error);
      } else if (end.did === 'threw') station.did = 'passed on';
      this.#thrown = error;
      station.error = this.#errorText(error);
    } else if (end.did !== 'read' && reply === undefined) station.did = 'returned nothing';
    const after = reply && this.#replyOf(reply);
    if (after === undefined) return;
    station.reply = after;
    const before = inner && this.#replyOf(inner);
    this.#comparisons.push(() => (station.changes = replyChanges(before, after)));
  }

  /** A context and a reply are read-only, so each is read once. Slots are set later. */
  #contextOf(context: Context): ContextView {
    if (typeof context !== 'object' || context === null) return UNREADABLE;
    const known = this.#contexts.get(context);
    if (known !== undefined && known.slots.length === (Context.stateOf(context)?.slots?.size ?? 0)) return known;
    const view = attempt(() => contextView(context, this.secrets), UNREADABLE);
    this.#contexts.set(context, view);
    return view;
  }

  /** Undefined for what is no reply: a handler may return anything, and is told so by what checks it. */
  #replyOf(reply: Reply): ReplyView | undefined {
    const known = attempt(() => this.#replies.get(reply), undefined);
    if (known !== undefined) return known;
    const view = attempt(() => replyView(reply, this.secrets), undefined);
    if (view !== undefined) this.#replies.set(reply, view);
    return view;
  }

  #errorText(error: unknown): string {
    return this.secrets.text(errorText(error));
  }

  #sinceBegin(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }
}

/** A problem with its status and the places that it names; any other error with its class. */
function errorText(error: unknown): string {
  if (!(error instanceof HttpProblem)) return oneLine(thrownText(error));
  const places = error.extra.errors?.map(({ pointer, detail }) => `${pointer || 'body'}: ${detail}`).join('; ');
  return oneLine(`HttpProblem ${error.status}: ${error.message}${places ? ` (${places})` : ''}`);
}
