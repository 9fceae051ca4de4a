/** Collects what the stations of an application do with one request. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { attempt } from '../../core/log/thrown-value.ts';
import type { Context, Handler } from '../../core/message/context.ts';
import type { Reply } from '../../core/message/reply.ts';
import { settled } from '../../core/pipeline/stage.ts';
import type { BodyView, HeaderLines, Recording, Station, StationFacts } from './recording.ts';
import { type SecretNames, Secrets } from './secrets.ts';
import {
  bodyView,
  contextChanges,
  contextView,
  errorText,
  linesOf,
  replyChanges,
  type SeenReply,
  seenReply,
} from './views.ts';

/** Which station calls another: a stage may call `next` twice side by side, and after it has replied. */
const INSIDE = new AsyncLocalStorage<Visit>();

/** The recording of one request, while it grows. */
export class RequestRecording {
  readonly secrets: Secrets;
  /** Stands around the outermost station. */
  readonly root: Visit;
  /** What stations have thrown, and what has failed between them. */
  readonly thrown = new Set<unknown>();
  /** How many events there were: their numbers are in the order in which they happen. */
  events = 0;
  body: BodyView | undefined;
  readonly headers: HeaderLines;
  readonly #request: Pick<Recording, 'number' | 'method' | 'target' | 'at' | 'requestId' | 'httpVersion'>;
  readonly #began = performance.now();

  constructor(context: Context, number: number, names: SecretNames) {
    // The request itself would keep its body in memory.
    const { method = '', url = '', rawHeaders, httpVersion } = context.request;
    this.secrets = new Secrets(names, rawHeaders, url);
    this.headers = linesOf(rawHeaders, this.secrets);
    const [target, at] = [this.secrets.target(url), new Date().toISOString()];
    this.#request = { number, method, target, at, requestId: context.requestId, httpVersion };
    this.root = new Visit(this, { kind: 'stage', label: '' }, context);
  }

  sinceBegin(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }

  /** The recording, once the reply is sent or the connection closed. It has secrets in it, which `shown` hides. */
  finished(status: number | undefined, complete: boolean): Recording {
    const { stations, left } = this.root.station;
    return {
      ...this.#request,
      headers: this.headers,
      took: this.sinceBegin(),
      stations,
      complete,
      ...(status !== undefined && { status }),
      ...(left !== undefined && { replied: left }),
      ...(this.body && { body: this.body }),
    };
  }
}

/** How a call of `next` ended. A reply is used once a stage has read its headers or its body. */
type Ended =
  | { readonly reply: Reply; readonly seen: SeenReply | undefined; isUsed: boolean }
  | { readonly error: unknown };

/** The replies by their proxies. */
const REPLIES = new WeakMap<object, Reply>();

/** A proxy of the reply for a stage. It calls `used` if the stage reads the headers, the body or the value. */
function watched(reply: Reply, used: () => void): Reply {
  const get = (of: Reply, name: string | symbol): unknown => {
    if (name === 'headers' || name === 'body' || name === 'value') used();
    return Reflect.get(of, name);
  };
  const proxy = new Proxy(reply, { get });
  REPLIES.set(proxy, reply);
  return proxy;
}

/** One request in one station, and what comes of it. */
export class Visit {
  readonly station: Station;
  readonly #recording: RequestRecording;
  /** Until the station ends: a reply can hold much memory. */
  #ended: Ended[] = [];

  constructor(recording: RequestRecording, facts: StationFacts, context: Context | undefined) {
    this.#recording = recording;
    const given = context && contextView(context, recording.secrets);
    const [entered, began] = [++recording.events, recording.sinceBegin()];
    this.station = { ...facts, entered, began, ...(given && { given }), calls: [], stations: [] };
    const outer = INSIDE.getStore();
    // The root is made before the recording has it.
    const around: Visit | undefined = outer !== undefined && outer.#recording === recording ? outer : recording.root;
    around?.station.stations.push(this.station);
  }

  /** Does what the station does, and notes how it ended. `next` is undefined for a station that calls none. */
  follow<Result>(action: (onwards: Handler) => Result | Promise<Result>, next?: Handler): Result | Promise<Result> {
    const recording = this.#recording;
    let waited = false;
    const leave = (outcome: () => Partial<Station>): void => {
      const took = recording.sinceBegin() - this.station.began;
      Object.assign(this.station, { waited, left: ++recording.events, took, ...outcome() });
      this.#ended = [];
    };
    return settled<Result>(
      () => {
        const returned = INSIDE.run(this, () => action((passed) => this.#call(passed, next!)));
        waited = returned instanceof Promise;
        return returned;
      },
      (returned) => {
        const result = (REPLIES.get(returned as object) ?? returned) as Result;
        leave(() => this.#outcomeOf(result));
        return result;
      },
      (error) => {
        leave(() => ({ did: recording.thrown.has(error) ? 'passed on' : 'threw', error: errorText(error) }));
        recording.thrown.add(error);
        throw error;
      },
    );
  }

  #call(passed: Context, next: Handler): Reply | Promise<Reply> {
    const { calls, given, stations } = this.station;
    const { secrets, thrown } = this.#recording;
    const entered = ++this.#recording.events;
    calls.push({ entered, changes: contextChanges(given!, contextView(passed, secrets)) });
    return settled(
      () => next(passed),
      (reply) => {
        const ended = { reply, seen: seenReply(reply, secrets), isUsed: false };
        if (this.station.left === undefined) this.#ended.push(ended);
        return watched(reply, () => {
          ended.isUsed = true;
        });
      },
      (error) => {
        this.#ended.push({ error });
        // An error that no station threw: the reply of the first of the call is refused.
        const called = stations.find((one) => one.entered > entered);
        if (called !== undefined && !thrown.has(error)) called.refused = errorText(error);
        thrown.add(error);
        throw error;
      },
    );
  }

  #outcomeOf(returned: unknown): Partial<Station> {
    const recording = this.#recording;
    if (this.station.kind === 'body') {
      recording.body = bodyView(returned as Uint8Array, recording.headers);
      return { did: 'read' };
    }
    if (returned === undefined || returned === null) return { did: 'returned nothing' };
    const source = sourceOf(returned as Reply, this.#ended);
    const after = seenReply(returned as Reply, recording.secrets);
    const before = source !== undefined && 'reply' in source ? source.seen : undefined;
    const seen = after && { reply: after.view, changes: replyChanges(before, after) };
    if (source === undefined) return { did: this.station.calls.length > 0 ? 'ignored' : 'answered', ...seen };
    return 'error' in source
      ? { did: 'caught', error: errorText(source.error), ...seen }
      : { did: 'passed on', ...seen };
  }
}

/**
 * The call of `next` that a reply comes from: the one with this reply or with its body, else the last that failed or
 * whose reply was used. Undefined for none.
 */
function sourceOf(reply: Reply, ended: readonly Ended[]): Ended | undefined {
  // What a stage returns may be unreadable.
  const body = attempt(() => reply.body, undefined);
  return (
    ended.find((one) => 'reply' in one && one.reply === reply) ??
    ended.find((one) => body !== undefined && 'reply' in one && one.reply.body === body) ??
    ended.findLast((one) => 'error' in one || one.isUsed)
  );
}
