/** What is recorded of a request, as plain data, and how it is collected. Times are in microseconds. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { attempt } from '../../core/log/thrown-value.ts';
import type { Context, Handler } from '../../core/message/context.ts';
import type { Reply } from '../../core/message/reply.ts';
import { settled } from '../../core/pipeline/observed.ts';
import { type SecretNames, type SecretSearch, Secrets } from './secrets.ts';
import {
  type BodyView,
  bodyView,
  type ContextView,
  contextChanges,
  contextView,
  errorText,
  type HeaderLines,
  linesOf,
  type ReplyChanges,
  type ReplyView,
  type RouteVerdict,
  replyChanges,
  replyView,
  type SeenReply,
  shorten,
} from './views.ts';

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

/** Which station calls another: a stage may call `next` twice side by side, and after it has replied. */
const INSIDE = new AsyncLocalStorage<Visit>();

/** The recording of one request, while it grows. */
export class RequestRecording {
  readonly secrets: Secrets;
  /** Stands around the outermost station. */
  readonly root: Visit;
  /** What stations have thrown, and what has failed between them. */
  readonly thrown = new Set<unknown>();
  readonly #request: Omit<Recording, 'took' | 'target' | 'stations' | 'complete'>;
  readonly #target: string;
  readonly #began = performance.now();
  #body: BodyView | undefined;
  /** How many events there were: their numbers are in the order in which they happen. */
  events = 0;

  constructor(context: Context, number: number, names: SecretNames) {
    // The request itself would keep its body in memory.
    const { method = '', url = '', rawHeaders, httpVersion } = context.request;
    this.secrets = new Secrets(names, rawHeaders, url);
    this.#target = this.secrets.target(url);
    const headers = linesOf(rawHeaders).map(([name, value]) => [name, this.secrets.header(name, value)] as const);
    const { requestId } = context;
    this.#request = { number, method, at: new Date().toISOString(), requestId, httpVersion, headers };
    this.root = new Visit(this, { kind: 'stage', label: '' }, context);
  }

  sinceBegin(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }

  /** The reply as it is now. Undefined for what is not a reply: a handler may return anything. */
  reply(reply: Reply): SeenReply | undefined {
    return attempt(() => ({ view: replyView(reply, this.secrets), body: reply.body }), undefined);
  }

  body(bytes: Uint8Array): void {
    this.#body = bodyView(bytes, this.#request.headers);
  }

  /** The recording, once the reply is sent or the connection closed. It has secrets in it, which `shown` hides. */
  finished(status: number | undefined, complete: boolean): Recording {
    const { stations, left } = this.root.station;
    return {
      ...this.#request,
      target: this.#target,
      took: this.sinceBegin(),
      stations,
      complete,
      ...(status !== undefined && { status }),
      ...(left !== undefined && { replied: left }),
      ...(this.#body && { body: this.#body }),
    };
  }
}

/** The recording without its secrets, with the beginnings of its bodies. */
export function shown(recording: Recording, secrets: Secrets): Recording {
  const search = secrets.search();
  shortenIn(recording.stations, search);
  if (recording.body !== undefined) shorten(recording.body, search);
  return search.all(recording);
}

/** Shortens the bodies of all replies. */
function shortenIn(stations: readonly Station[], search: SecretSearch): void {
  for (const { reply, stations: inner } of stations) {
    if (reply !== undefined) shorten(reply.body, search);
    shortenIn(inner, search);
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
    const isInside = outer !== undefined && outer.#recording === recording;
    // The root is made before the recording has it.
    const around: Visit | undefined = isInside ? outer : recording.root;
    around?.station.stations.push(this.station);
  }

  /** Does what the station does, and notes how it ended. `next` is undefined for a station that calls none. */
  follow<Result>(action: (onwards: Handler) => Result | Promise<Result>, next?: Handler): Result | Promise<Result> {
    let waited = false;
    return settled<Result>(
      () => {
        const returned = INSIDE.run(this, () => action((passed) => this.#call(passed, next!)));
        waited = returned instanceof Promise;
        return returned;
      },
      (returned) => {
        const result = (REPLIES.get(returned as object) ?? returned) as Result;
        this.#left(waited);
        this.#replied(result as Reply);
        return result;
      },
      (error) => {
        this.#left(waited);
        const { station } = this;
        station.did = this.#recording.thrown.has(error) ? 'passed on' : 'threw';
        station.error = errorText(error);
        this.#recording.thrown.add(error);
        throw error;
      },
    );
  }

  #call(passed: Context, next: Handler): Reply | Promise<Reply> {
    const { calls, given, stations } = this.station;
    const changes = contextChanges(given!, contextView(passed, this.#recording.secrets));
    const entered = ++this.#recording.events;
    calls.push({ entered, changes });
    return settled(
      () => next(passed),
      (reply) => {
        const one = { reply, seen: this.#recording.reply(reply), isUsed: false };
        if (this.station.left === undefined) this.#ended.push(one);
        return watched(reply, () => {
          one.isUsed = true;
        });
      },
      (error) => {
        this.#ended.push({ error });
        // An error that no station threw: the reply of the first of the call is refused.
        const called = stations.find((one) => one.entered > entered);
        if (called !== undefined && !this.#recording.thrown.has(error)) called.refused = errorText(error);
        this.#recording.thrown.add(error);
        throw error;
      },
    );
  }

  #left(waited: boolean): void {
    const recording = this.#recording;
    const took = recording.sinceBegin() - this.station.began;
    Object.assign(this.station, { waited, left: ++recording.events, took });
  }

  #replied(reply: Reply): void {
    const { station } = this;
    const recording = this.#recording;
    if (station.kind === 'body') {
      station.did = 'read';
      return recording.body(reply as unknown as Uint8Array);
    }
    const made = reply === undefined || reply === null ? undefined : madeOf(reply, this.#ended);
    this.#ended = [];
    if (reply === undefined || reply === null) station.did = 'returned nothing';
    else if (made === undefined) station.did = station.calls.length > 0 ? 'ignored' : 'answered';
    else if ('error' in made) {
      station.did = 'caught';
      station.error = errorText(made.error);
    } else station.did = 'passed on';
    const after = recording.reply(reply);
    if (after === undefined) return;
    station.reply = after.view;
    station.changes = replyChanges(made && 'reply' in made ? made.seen : undefined, after);
  }
}

/**
 * What the reply was made of: the reply of `next` that it is or whose body it has, else how `next` ended last. Undefined
 * where that is a reply that was not used.
 */
function madeOf(reply: Reply, ended: readonly Ended[]): Ended | undefined {
  // What a stage returns may be unreadable.
  const body = attempt(() => reply.body, undefined);
  return (
    ended.find((one) => 'reply' in one && one.reply === reply) ??
    ended.find((one) => body !== undefined && 'reply' in one && one.reply.body === body) ??
    ended.findLast((one) => 'error' in one || one.isUsed)
  );
}
