/**
 * Collects what one station does with one request.
 *
 * Which station calls another is kept by `AsyncLocalStorage`: a stage may call `next` twice side by side, and after it
 * has replied.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Reply } from '../../../index.ts';
import type { StageEnd, Visit } from '../../../instrument.ts';
import type { RouteCollection, RouteTrial } from '../../../routing.ts';
import { errorText } from '../views/error-text.ts';
import type { Station, StationFacts } from '../views/station.ts';
import { contextChanges, isOtherBody, replyChanges, type SeenReply } from '../views/views.ts';
import type { RequestRecording } from './request-recording.ts';
import { routeVerdicts } from './route-verdicts.ts';

/** How a station ended. */
export type End = Pick<Station, 'did' | 'waited'> &
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
