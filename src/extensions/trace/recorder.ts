/**
 * Records what each station of an application does with each request. It is put around stages, routes and handlers
 * while they are composed: an application without a recorder has nothing of it in the way of a request.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { AnyOperation, Context, Handler, Pipeline, Reply, Route, RouteHandler, Stage } from '../../index.ts';
import {
  type Answering,
  type ComposedApplication,
  Exchange,
  followed,
  headSent,
  type Instrument,
  type StageOrigin,
  serverOf,
  sourceOf,
  stageLabel,
  type Visit,
  watched,
} from '../../instrument.ts';
import { operationOf, type RoutedOperation } from '../../operations.ts';
import type { RouteCollection, RouteTrial } from '../../routing.ts';
import { type Finished, RequestRecording, type StationFacts, StationVisit } from './recording.ts';
import { addKeysOf, secretNames } from './secrets.ts';
import { type AnyFunction, sourcePlaces } from './source-places.ts';
import { routeFacts } from './views.ts';

/** Records the requests of one application, which is composed with it as `instrument`. */
export class Recorder implements Instrument {
  /** Is called with each recording once its reply is sent, or its connection closed. */
  done: (recording: Finished) => void;
  readonly #names = secretNames();
  /** Stations whose place is not looked for yet. */
  readonly #unplaced: (readonly [StationFacts, AnyFunction])[] = [];
  readonly #recordings = new WeakMap<IncomingMessage, RequestRecording>();
  readonly #arrivals = new WeakMap<IncomingMessage, number>();
  readonly #servers = new WeakSet<Server>();
  #routes: RouteCollection | undefined;
  /** How many requests it has seen. */
  count = 0;

  constructor(done: (recording: Finished) => void = () => {}) {
    this.done = done;
  }

  route(route: Route, plugin: string): Route {
    const { methods, template } = routeFacts(route);
    const label = `${methods} ${template}`;
    const facts: StationFacts = { kind: 'route', label, plugin };
    const { handle, stages = [] } = route;
    const entered: Stage = (context, next) => this.#follow(facts, context, () => next(context));
    if (operationOf(route) !== undefined) return { ...route, stages: [entered, ...stages] };
    return {
      ...route,
      stages: [entered, ...this.#stages(stages, plugin, 'stage of the route')],
      handle: this.#handler(handle.bind(route) as RouteHandler, route.name ?? label, plugin, handle),
    };
  }

  stage(stage: Stage, origin: StageOrigin): Stage {
    const { name, plugin, place } = origin;
    const facts: StationFacts = { kind: 'stage', label: stageLabel(origin), plugin, place };
    if (plugin !== undefined || name !== 'routing') return this.#stage(stage, facts);
    return this.#stage(stage, facts, (visit, context) => visit.asks(this.#routes!, context));
  }

  tried(trial: RouteTrial): void {
    StationVisit.current?.trials.push(trial);
  }

  operation(routed: RoutedOperation, plugin: string): RoutedOperation {
    addKeysOf(routed, this.#names);
    const { controller } = routed;
    const operation = routed.operation as AnyOperation;
    const handle = this.#handler(operation.handle, routed.id, plugin) as RoutedOperation['operation']['handle'];
    const stagesOf = ({ stages }: { readonly stages?: Pipeline | undefined }, place: string): object =>
      stages === undefined ? {} : { stages: this.#stages(stages, plugin, place) };
    return {
      ...routed,
      operation: { ...operation, ...stagesOf(operation, 'stage of the operation'), handle },
      controller: { ...controller, ...stagesOf(controller, 'stage of the controller') },
    };
  }

  /** The application, recorded. `order` is that of its stages, by their number; their own unless given. */
  servable<Recorded extends ComposedApplication>(
    application: Recorded,
    order: readonly number[] = [...application.stages.keys()],
  ): Recorded & Answering {
    const { stages, stageOrigins, routes } = application;
    this.#routes = routes;
    const ordered = order.map((at) => stages[at]!);
    // A refusal passes the stages in front of `problems`, the first that belongs to no plugin.
    const own = order.findIndex((at) => stageOrigins[at]!.plugin === undefined);
    const { handler, refuse } = application.answering(ordered, own, (kind, answer, source) => {
      const facts: StationFacts = { kind: 'end', label: kind === 'end' ? 'nothing answers' : 'refusal' };
      if (kind === 'end') this.#unplaced.push([facts, source]);
      return (context) => this.#follow(facts, context, () => answer(context));
    });
    const unplaced = this.#unplaced.splice(0);
    const places = sourcePlaces(unplaced.map(([, source]) => source));
    for (const [at, [facts]] of unplaced.entries()) facts.place = places[at] ?? facts.place;
    return {
      ...application,
      handler: (context) => this.#recorded(context, handler),
      refuse: (context, problem) =>
        this.#recorded(context, (refused) => {
          this.#recordings.get(refused.request)?.refused(problem);
          return refuse(refused, problem);
        }),
    };
  }

  /** Notes when the parser has the head of a request. A server that is not watched is from its first request on. */
  watch(server: Server): void {
    this.#servers.add(server);
    const arrived = (request: IncomingMessage): void => void this.#arrivals.set(request, performance.now());
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, arrived);
  }

  #recorded(context: Context, handler: Handler): Reply | Promise<Reply> {
    const { request } = context;
    const server = serverOf(request);
    if (server !== undefined && !this.#servers.has(server)) this.watch(server);
    const arrived = this.#arrivals.get(request) ?? performance.now();
    const recording = new RequestRecording(context, ++this.count, this.#names, arrived);
    this.#recordings.set(request, recording);
    if (context instanceof Exchange) {
      watchBody(context, recording);
      const { response } = context;
      response.once('close', () => {
        const { headersSent, statusCode, writableEnded } = response;
        this.done(recording.finished(headSent(response), headersSent ? statusCode : 0, writableEnded));
      });
    }
    return followed(recording, () => handler(context));
  }

  /** The request comes to a station; undefined for one that is not recorded. */
  #visit(facts: StationFacts, context: Context | undefined): StationVisit | undefined {
    const recording = this.#recordings.get(context?.request as IncomingMessage);
    return recording && new StationVisit(recording, facts, context);
  }

  #stage(stage: Stage, facts: StationFacts, entered?: (visit: StationVisit, context: Context) => void): Stage {
    this.#unplaced.push([facts, sourceOf(stage)]);
    return watched(stage, (context) => {
      const visit = this.#visit(facts, context);
      if (visit !== undefined) entered?.(visit, context);
      return visit ?? UNWATCHED;
    });
  }

  /** Does what a station without a `next` does. */
  #follow<Made>(facts: StationFacts, context: Context, action: () => Made): Made {
    const visit = this.#visit(facts, context);
    return visit === undefined ? action() : (followed(visit, action as () => Reply) as Made);
  }

  #stages(stages: Pipeline, plugin: string, place: string): Pipeline {
    return stages.map((stage, at) => {
      const label = `${plugin}: ${sourceOf(stage).name || `${place} ${at + 1}`}`;
      return this.#stage(stage, { kind: 'stage', label, plugin, place });
    });
  }

  #handler<Input extends { readonly context: Context }, Result>(
    handle: (input: Input) => Result,
    label: string,
    plugin: string,
    source: AnyFunction = handle,
  ): (input: Input) => Result {
    const facts: StationFacts = { kind: 'handler', label, plugin };
    this.#unplaced.push([facts, source]);
    return (input) => this.#follow(facts, input.context, () => handle(input));
  }
}

/** For a request that is not recorded. */
const UNWATCHED: Visit = { ended: () => {} };

/** From now on the reading of this body is a station. A streamed upload is read by its handler, and is none. */
function watchBody(exchange: Exchange, recording: RequestRecording): void {
  const read = (): Promise<Uint8Array> => {
    if (exchange.wholeBody !== undefined) return exchange.wholeBody;
    const visit = new StationVisit(recording, { kind: 'body', label: 'body' }, undefined);
    return followed(visit, () => Exchange.prototype.body.call(exchange) as never) as Promise<never>;
  };
  Object.defineProperty(exchange, 'body', { value: read });
}
