/** Collects what the stations do with one request. */
import type { IncomingMessage } from 'node:http';
import type { Context, Reply } from '../../http/message/context.ts';
import type { HttpProblem } from '../../http/message/problem.ts';
import type { StageEnd } from '../../pipeline/watched.ts';
import { errorText } from '../views/error-text.ts';
import { KeptViews } from '../views/kept-views.ts';
import { type SecretNames, Secrets } from '../views/secrets.ts';
import type {
  BodyView,
  ContextView,
  Finished,
  Recording,
  ReplyView,
  RequestSummary,
  Station,
  StationFacts,
} from '../views/station.ts';
import { bodyView, contextChanges, headerLines, linesOf, replyChanges, replyView } from '../views/views.ts';

/** No value that can be thrown. */
const NOTHING = Symbol('nothing was thrown');

/** How a station ended. */
export type End = Pick<Station, 'did' | 'waited'> &
  Pick<StageEnd, 'failed'> &
  Partial<Pick<StageEnd, 'reply' | 'inner' | 'error'>>;

/** The recording of one request, while it grows. */
export class RequestRecording {
  readonly stations: Station[] = [];
  readonly #secrets: Secrets;
  /** Not the request itself, which would keep its body in memory. */
  readonly #head: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'httpVersion'>;
  readonly #contentType: string;
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
  readonly #views: KeptViews;

  /** `arrived` is when the parser had its head, as `performance.now()` tells it. */
  constructor(context: Context, number: number, names: SecretNames, arrived: number) {
    const { request, requestId } = context;
    const { method, url, rawHeaders, httpVersion } = request;
    this.#head = { method, url, rawHeaders, httpVersion };
    this.#contentType = request.headers['content-type'] ?? '';
    this.#requestId = requestId;
    this.#number = number;
    this.#began = arrived;
    this.#validationTook = this.#sinceBegin();
    this.#secrets = new Secrets(names, rawHeaders, url!);
    this.#views = new KeptViews(this.#secrets);
  }

  refused({ status, message }: HttpProblem): void {
    this.#refused = { status, detail: message };
  }

  routed({ method, path }: Context): void {
    this.#routed = { method, path };
  }

  body(bytes: Uint8Array): void {
    const body = bodyView(bytes, /json|text|xml|urlencoded/.test(this.#contentType));
    this.#views.shorten(body);
    this.#body = body;
  }

  /** A request comes to a station, which stands inside of the one that it has come to last. */
  enter(facts: StationFacts, context?: Context): { passed(context: Context): void; ended(end: End): void } {
    const outer = this.#inside;
    const given = context && this.#views.context(context);
    const station: Station = { ...facts, began: this.#sinceBegin(), ...(given && { given }), stations: [] };
    (outer.at(-1)?.stations ?? this.stations).push(station);
    const inside = [...outer, station];
    this.#inside = inside;
    return {
      passed: (passed) => {
        this.#inside = inside;
        station.passed = this.#views.context(passed);
        const { given, passed: after } = station;
        this.#views.later(() => (station.passedChanges = contextChanges(given!, after!)));
      },
      ended: (end) => {
        this.#inside = outer;
        this.#ended(station, end);
      },
    };
  }

  /**
   * The request is answered, and its reply is sent or its connection closed. `head` is what was written of its head.
   * What it takes long to tell is told when it is asked for.
   */
  finished(head: string | undefined, status: number, complete: boolean): Finished {
    const { method, url } = this.#head;
    const secrets = this.#secrets;
    const summary: RequestSummary = {
      number: this.#number,
      method: method!,
      target: secrets.text(secrets.target(url!)),
      at: this.#at.toISOString(),
      took: this.#sinceBegin(),
      ...(status > 0 && { status }),
    };
    let whole: Recording | undefined;
    return {
      summary,
      whole: () => (whole ??= secrets.all({ ...summary, ...this.#whole(head, status, complete) })),
      asked: this.#refused === undefined ? (this.#routed ?? this.#innermost()) : undefined,
      hide: (value) => secrets.all(value),
    };
  }

  /** The request as the last stage that it came to had it. */
  #innermost(): ContextView | undefined {
    let last = this.stations[0];
    while (last?.stations[0]?.given !== undefined) last = last.stations[0];
    return last?.passed ?? last?.given;
  }

  #whole(head: string | undefined, status: number, complete: boolean): Omit<Recording, keyof RequestSummary> {
    const { rawHeaders, httpVersion } = this.#head;
    const secrets = this.#secrets;
    this.#views.complete();
    const headers = linesOf(rawHeaders).map(([name, value]) => [name, secrets.header(name, value)] as const);
    const sent = head === undefined ? undefined : replyView({ status, headers: headerLines(head) }, secrets);
    const changes = sent && replyChanges(this.#outermost && { ...this.#outermost, body: sent.body }, sent);
    return {
      requestId: this.#requestId,
      httpVersion,
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
    this.#outermost = this.#views.reply(reply);
  }

  #ended(station: Station, { reply, inner, error, failed, ...end }: End): void {
    Object.assign(station, end, { took: this.#sinceBegin() - station.began });
    if (failed || end.did === 'caught') {
      // An error that is new here was thrown by the check of what the last station further in returned.
      if (!Object.is(error, this.#thrown)) {
        const checked = end.did === 'threw' ? undefined : station.stations.at(-1);
        if (checked !== undefined) checked.error = this.#secrets.text(errorText(error));
      } else if (end.did === 'threw') station.did = 'passed on';
      this.#thrown = error;
      station.error = this.#secrets.text(errorText(error));
    } else if (end.did !== 'read' && reply === undefined) station.did = 'returned nothing';
    const after = reply && this.#views.reply(reply);
    if (after === undefined) return;
    station.reply = after;
    const before = inner && this.#views.reply(inner);
    this.#views.later(() => (station.changes = replyChanges(before, after)));
  }

  #sinceBegin(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }
}
