/**
 * Records what each station of an application does with each request: an instrument that is put around its stages and
 * routes, and a plugin that begins and ends the recording of each request.
 */
import type { IncomingMessage } from 'node:http';
import { type Instrument, type StageOrigin, stageLabel } from '../../core/application/instrument.ts';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context } from '../../core/message/context.ts';
import type { Pipeline, Stage } from '../../core/pipeline/stage.ts';
import { inPlaceOf, sourceOf } from '../../core/pipeline/stage.ts';
import type { Route } from '../../core/routing/route.ts';
import type { RouteCollection } from '../../core/routing/route-collection.ts';
import { type SentReply, whenSent } from '../../core/wire/reply/when-sent.ts';
import { operationOf } from '../../operations/operation/controller.ts';
import { type Recording, RequestRecording, type StationFacts, Visit } from './recording.ts';
import { addKeysOf, type Secrets, secretNames } from './secrets.ts';
import { type AnyFunction, sourcePlaces } from './source-places.ts';
import { routeFacts, routeVerdicts } from './views.ts';

/** Records the requests of one application. */
export class Recorder implements Instrument {
  /** Has to be the first of the application: only stages behind its own are recorded. */
  readonly plugin: Plugin;
  /** The stages that are recorded, in their order. */
  readonly stages: StationFacts[] = [];
  /** Those of the application, once it is started. */
  routes: RouteCollection | undefined;
  readonly #name: string;
  readonly #names = secretNames();
  /** Stations whose place is not looked for yet. */
  readonly #unplaced: (readonly [StationFacts, AnyFunction])[] = [];
  readonly #recordings = new WeakMap<IncomingMessage, RequestRecording>();
  /** How many requests it has seen. */
  count = 0;

  /**
   * `name` is that of its plugin, whose stages are not recorded. `done` is called once the reply is sent or the
   * connection closed, with a recording from which the secrets of its request are not removed yet. A request that is
   * skipped is not recorded.
   */
  constructor(
    name: string,
    done: (recording: Recording, secrets: Secrets) => void,
    skips: (context: Context) => boolean = () => false,
  ) {
    const recorded: Stage = (context, next) => {
      if (skips(context)) return next(context);
      const recording = new RequestRecording(context, ++this.count, this.#names);
      this.#recordings.set(context.request, recording);
      this.#watchBody(context, recording);
      const finish = ({ status, isWhole }: SentReply): void =>
        done(recording.finished(status, isWhole), recording.secrets);
      // A turn later, for what a stage has begun and does not wait for.
      whenSent(context, (sent) => setImmediate(finish, sent));
      return recording.root.follow((onwards) => onwards(context), next);
    };
    this.#name = name;
    this.plugin = {
      name,
      outerStages: [recorded],
      instrument: this,
      start: ({ routes }) => {
        this.routes = routes;
        this.#findPlaces();
      },
    };
  }

  stage(stage: Stage, origin: StageOrigin): Stage {
    const { name, plugin, place } = origin;
    if (plugin === this.#name) return stage;
    const facts: StationFacts = { kind: 'stage', label: stageLabel(origin), plugin, place };
    this.stages.push(facts);
    const isRouting = plugin === undefined && name === 'routing';
    return this.#stage(stage, facts, (visit, { method, path }) => {
      if (isRouting && this.routes !== undefined) visit.station.routes = routeVerdicts(this.routes, method, path);
    });
  }

  route(route: Route, plugin: string): Route {
    const routed = operationOf(route);
    if (routed !== undefined) addKeysOf(routed, this.#names);
    const { methods, template } = routeFacts(route);
    const label = `${methods} ${template}`;
    const entered: Stage = (context, next) => next(context);
    const facts: StationFacts = { kind: 'handler', label: route.name ?? label, plugin };
    this.#unplaced.push([facts, routed?.operation.handle ?? route.handle]);
    const stages = this.#stages(route.stages ?? [], plugin);
    return {
      ...route,
      stages: [this.#stage(entered, { kind: 'route', label, plugin }), ...stages],
      handle: (input) => {
        const visit = this.#visit(facts, input.context);
        return visit === undefined ? route.handle(input) : visit.follow(() => route.handle(input));
      },
    };
  }

  #stages(stages: Pipeline, plugin: string): Pipeline {
    return stages.map((stage, at) => {
      const place = `stage ${at + 1} of the route`;
      return this.#stage(stage, { kind: 'stage', label: `${plugin}: ${sourceOf(stage).name || place}`, plugin, place });
    });
  }

  #stage(stage: Stage, facts: StationFacts, entered?: (visit: Visit, context: Context) => void): Stage {
    if (facts.kind === 'stage') this.#unplaced.push([facts, sourceOf(stage)]);
    return inPlaceOf(stage, (context, next) => {
      const visit = this.#visit(facts, context);
      if (visit === undefined) return stage(context, next);
      entered?.(visit, context);
      return visit.follow((onwards) => stage(context, onwards), next);
    });
  }

  /** The request comes to a station; undefined for a request that is not recorded. */
  #visit(facts: StationFacts, context: Context | undefined): Visit | undefined {
    const recording = this.#recordings.get(context?.request as IncomingMessage);
    return recording && new Visit(recording, facts, context);
  }

  /** From now on the reading of this body is a station. A body that its handler reads as a stream is not. */
  #watchBody(context: Context, recording: RequestRecording): void {
    const { body } = context;
    let read: Promise<Uint8Array> | undefined;
    const watched = (): Promise<Uint8Array> => {
      const visit = (): Visit => new Visit(recording, { kind: 'body', label: 'body' }, undefined);
      return (read ??= visit().follow(() => body.call(context)) as Promise<Uint8Array>);
    };
    // A second recorder watches the same body.
    Object.defineProperty(context, 'body', { value: watched, configurable: true });
  }

  #findPlaces(): void {
    const unplaced = this.#unplaced.splice(0);
    const places = sourcePlaces(unplaced.map(([, source]) => source));
    for (const [at, [facts]] of unplaced.entries()) facts.place = places[at] ?? facts.place;
  }
}
