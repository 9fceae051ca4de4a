/** Collects what the stations do with one request. */
import type { IncomingMessage } from 'node:http';
import type { Context, HttpProblem, Reply } from '../../../index.ts';
import { KeptViews } from '../views/kept-views.ts';
import { type SecretNames, Secrets } from '../views/secrets.ts';
import type { BodyView, Finished, Recording, ReplyView, RequestSummary, Station } from '../views/station.ts';
import { bodyView, headerLines, linesOf, replyChanges, replyView } from '../views/views.ts';

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
