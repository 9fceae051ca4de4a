/** Records what each station of an application does for one request. */
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
  type ReplySnapshot,
  replyChanges,
  replySnapshot,
} from './views.ts';

/** Stores the current visit. A stack is not enough: a stage may call `next` after its reply, or twice concurrently. */
const INSIDE = new AsyncLocalStorage<Visit>();

/** Records a request while the application handles it. */
export class RequestRecording {
  readonly secrets: Secrets;
  /** The visit that contains the visits to all outermost stations. */
  readonly root: Visit;
  /** The errors that stations threw, and the errors that the core threw because the reply of a station was invalid. */
  readonly thrown = new Set<unknown>();
  /** The number of events so far. Events are numbered in the order in which they happen. */
  events = 0;
  body: BodyView | undefined;
  readonly headers: HeaderLines;
  readonly #request: Pick<Recording, 'number' | 'method' | 'target' | 'at' | 'requestId' | 'httpVersion'>;
  readonly #began = performance.now();

  constructor(context: Context, number: number, names: SecretNames) {
    // Only these members are stored, because the request object would keep its body in memory.
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

  /**
   * Returns the recording. Call this when the exchange has ended. The recording contains secrets; `shown` hides them.
   */
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

/** The result of a call of `next`. `isUsed` is true if the stage has read the headers or the body of the reply. */
type Ended =
  | { readonly reply: Reply; readonly snapshot: ReplySnapshot | undefined; isUsed: boolean }
  | { readonly error: unknown };

/** The original reply of each proxy. */
const REPLIES = new WeakMap<object, Reply>();

/** Returns a proxy of the reply. The proxy calls `onUse` if a stage reads the headers, the body or the value. */
function watched(reply: Reply, onUse: () => void): Reply {
  const get = (target: Reply, name: string | symbol): unknown => {
    if (name === 'headers' || name === 'body' || name === 'value') onUse();
    return Reflect.get(target, name);
  };
  const proxy = new Proxy(reply, { get });
  REPLIES.set(proxy, reply);
  return proxy;
}

/** Records the visit of one request to one station. */
export class Visit {
  readonly station: Station;
  readonly #recording: RequestRecording;
  /** The results of the calls of `next`. They are deleted when the visit ends, because replies may be large. */
  #ended: Ended[] = [];

  constructor(recording: RequestRecording, facts: StationFacts, context: Context | undefined) {
    this.#recording = recording;
    const given = context && contextView(context, recording.secrets);
    const [entered, began] = [++recording.events, recording.sinceBegin()];
    this.station = { ...facts, entered, began, ...(given && { given }), calls: [], stations: [] };
    const outer = INSIDE.getStore();
    // While the visit for `root` is being created, `root` is still undefined.
    const around: Visit | undefined = outer !== undefined && outer.#recording === recording ? outer : recording.root;
    around?.station.stations.push(this.station);
  }

  /** Runs the action of the station and records the result. `next` is undefined for a station without a next stage. */
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
        const ended = { reply, snapshot: replySnapshot(reply, secrets), isUsed: false };
        if (this.station.left === undefined) this.#ended.push(ended);
        return watched(reply, () => {
          ended.isUsed = true;
        });
      },
      (error) => {
        this.#ended.push({ error });
        // If no station threw this error, the core threw it, because the reply of the called station is invalid.
        const called = stations.find((station) => station.entered > entered);
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
    const after = replySnapshot(returned as Reply, recording.secrets);
    const before = source !== undefined && 'reply' in source ? source.snapshot : undefined;
    const views = after && { reply: after.view, changes: replyChanges(before, after) };
    if (source === undefined) return { did: this.station.calls.length > 0 ? 'ignored' : 'answered', ...views };
    return 'error' in source
      ? { did: 'caught', error: errorText(source.error), ...views }
      : { did: 'passed on', ...views };
  }
}

/**
 * Returns the result of the call of `next` from which a reply comes. This is the call that returned the same reply or
 * the same body; otherwise the last call that failed, or whose reply the stage used; otherwise undefined.
 */
function sourceOf(reply: Reply, ended: readonly Ended[]): Ended | undefined {
  // A getter of the returned object may throw.
  const body = attempt(() => reply.body, undefined);
  return (
    ended.find((call) => 'reply' in call && call.reply === reply) ??
    ended.find((call) => body !== undefined && 'reply' in call && call.reply.body === body) ??
    ended.findLast((call) => 'error' in call || call.isUsed)
  );
}
