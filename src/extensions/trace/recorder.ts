/**
 * Records what each station of an application does with each request.
 *
 * It is put around stages, routes and handlers while they are composed. So an application without a recorder has
 * nothing of it in the way of a request, and one with it does the same as without it.
 */
import type { IncomingMessage, Server } from 'node:http';
import { settled } from '../../extending.ts';
import {
  type AnyOperation,
  type Context,
  type Handler,
  type Pipeline,
  pipeline,
  problemReply,
  type Reply,
  type Route,
  type RouteHandler,
  type RunnableApplication,
  type Stage,
  unanswered,
} from '../../index.ts';
import {
  Exchange,
  followed,
  headSent,
  type Instrument,
  type RefusalHandler,
  type Servable,
  stageLabel,
  type Visit,
  watched,
  withMountedChanged,
  withPartsChanged,
} from '../../instrument.ts';
import { operationOf, type RoutedOperation } from '../../operations.ts';
import { routing } from '../../routing.ts';
import type { Finished, StationFacts } from './recording.ts';
import { RequestRecording, StationVisit } from './request-recording.ts';
import { addKeysOf, secretNames } from './secrets.ts';
import { type AnyFunction, sourcePlaces } from './source-places.ts';
import { routeFacts } from './views.ts';

type Facts = { -readonly [Name in keyof StationFacts]: StationFacts[Name] };

/** Records the requests of one application, which is composed with it as `instrument`. */
export class Recorder implements Instrument {
  /** Is called with each recording once its reply is sent, or its connection closed. */
  done: (recording: Finished) => void;
  readonly #names = secretNames();
  /** Stations whose place is not looked for yet. */
  readonly #unplaced: (readonly [Facts, AnyFunction])[] = [];
  readonly #recordings = new WeakMap<IncomingMessage, RequestRecording>();
  readonly #arrivals = new WeakMap<IncomingMessage, number>();
  /** The number of the copy that it records; undefined for the service itself. */
  readonly copy: number | undefined;
  /** How many requests it has seen. */
  count = 0;

  constructor(done: (recording: Finished) => void = () => {}, copy?: number) {
    this.done = done;
    this.copy = copy;
  }

  route(route: Route, plugin: string): Route {
    const { methods, template } = routeFacts(route);
    const label = `${methods} ${template}`;
    const facts: Facts = { kind: 'route', label, plugin, place: undefined };
    const recorded = (): RouteHandler =>
      withPartsChanged(
        route.handle,
        (stages) => this.#stages(stages, plugin, 'stage of the route'),
        (handle) =>
          this.#handler(handle === route.handle ? handle.bind(route) : handle, route.name ?? label, plugin, handle),
      );
    const inner = operationOf(route) === undefined ? recorded() : route.handle;
    return { ...route, handle: (input) => this.#follow(facts, input.context, () => inner(input)) };
  }

  operation(routed: RoutedOperation, plugin: string): RoutedOperation {
    addKeysOf(routed, this.#names);
    const { controller } = routed;
    const operation = routed.operation as AnyOperation;
    const handle = this.#handler(operation.handle, routed.id, plugin) as RoutedOperation['operation']['handle'];
    const stagesOf = ({ stages }: { readonly stages?: Pipeline }, place: string): object =>
      stages === undefined ? {} : { stages: this.#stages(stages, plugin, place) };
    return {
      ...routed,
      operation: { ...operation, ...stagesOf(operation, 'stage of the operation'), handle },
      controller: { ...controller, ...stagesOf(controller, 'stage of the controller') },
    };
  }

  /** The application, recorded. `order` is that of its stages, by their number; their own unless given. */
  servable(application: RunnableApplication, order: readonly number[] = [...application.stages.keys()]): Servable {
    const { stages, stageOrigins, routes } = application;
    const recorded = stages.map((stage, at) => {
      const { plugin, place } = stageOrigins[at]!;
      const facts: Facts = { kind: 'stage', label: stageLabel(stageOrigins[at]!), place, ...(plugin && { plugin }) };
      if (at < stages.length - 1) return withMountedChanged(stage, (inner) => this.#stage(inner, facts));
      // The last is the one that routes.
      const told = routing(routes, (trial) => StationVisit.current?.tried(trial));
      return this.#stage(told, facts, (visit, context) => visit.asks(routes, context));
    });
    const ordered = order.map((at) => recorded[at]!);
    // The stages in front of `problems`, the first that belongs to no plugin.
    const outer = ordered.slice(
      0,
      order.findIndex((at) => stageOrigins[at]!.plugin === undefined),
    );
    const end: Facts = { kind: 'end', label: 'nothing answers', place: undefined };
    this.#unplaced.push([end, unanswered]);
    this.#findPlaces();
    const handler = pipeline(ordered, (context) => this.#follow(end, context, () => unanswered(context)));
    const refusal: Facts = { kind: 'end', label: 'refusal', place: undefined };
    const refuse: RefusalHandler = (context, problem) => {
      this.#recordings.get(context.request)?.refused(problem);
      const { status, message, extra } = problem;
      const answer: Handler = (refused) =>
        this.#follow(refusal, refused, () => problemReply(refused, status, message, extra));
      return pipeline(outer, answer)(context);
    };
    return {
      ...application,
      handler: (context) => this.#recorded(context, handler),
      refuse: (context, problem) => this.#recorded(context, (refused) => refuse(refused, problem)),
    };
  }

  /** Notes when the parser has the head of a request. */
  watch(server: Server): void {
    const arrived = (request: IncomingMessage): void => void this.#arrivals.set(request, performance.now());
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, arrived);
  }

  #recorded(context: Context, handler: Handler): Reply | Promise<Reply> {
    const { request } = context;
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
    return settled(
      () => handler(context),
      (reply) => {
        recording.replied(reply);
        return reply;
      },
      (error) => {
        recording.failed(error);
        throw error;
      },
    );
  }

  /** The request comes to a station; undefined for one that is not recorded. */
  #visit(facts: StationFacts, context: Context | undefined): StationVisit | undefined {
    const recording = this.#recordings.get(context?.request as IncomingMessage);
    return recording && new StationVisit(recording, facts, context);
  }

  #stage(stage: Stage, facts: Facts, entered?: (visit: StationVisit, context: Context) => void): Stage {
    this.#unplaced.push([facts, stage]);
    return watched(stage, (context) => {
      const visit = this.#visit(facts, context);
      if (visit !== undefined) entered?.(visit, context);
      return visit ?? UNWATCHED;
    });
  }

  /** Does what a station without a `next` does. `replyOf` makes a reply of what it returns, to be told. */
  #follow<Made>(
    facts: Facts,
    context: Context,
    action: () => Made | Promise<Made>,
    replyOf = (made: unknown) => made as Reply | undefined,
  ): Made | Promise<Made> {
    const visit = this.#visit(facts, context);
    if (visit === undefined) return action();
    const told: Visit = {
      within: (act) => visit.within(act),
      ended: ({ reply, ...end }) => visit.ended({ ...end, reply: replyOf(reply) }),
    };
    return followed(told, action as () => Reply) as Made | Promise<Made>;
  }

  #stages(stages: Pipeline, plugin: string, place: string): Pipeline {
    return stages.map((stage, at) => {
      const label = `${plugin}: ${stage.name || `${place} ${at + 1}`}`;
      return this.#stage(stage, { kind: 'stage', label, plugin, place });
    });
  }

  #handler<Input extends { readonly context: Context }, Result>(
    handle: (input: Input) => Result | Promise<Result>,
    label: string,
    plugin: string,
    source: AnyFunction = handle,
  ): (input: Input) => Result | Promise<Result> {
    const facts: Facts = { kind: 'handler', label, plugin, place: undefined };
    this.#unplaced.push([facts, source]);
    return (input) => this.#follow(facts, input.context, () => handle(input), answeredReply);
  }

  #findPlaces(): void {
    const unplaced = this.#unplaced.splice(0);
    const places = sourcePlaces(unplaced.map(([, source]) => source));
    for (const [at, [facts]] of unplaced.entries()) facts.place = places[at] ?? facts.place;
  }
}

/** For a request that is not recorded. */
const UNWATCHED: Visit = { ended: () => {} };

/** What a handler returned as a reply. The answer of an operation has a status, and its reply is made later. */
const answeredReply = (returned: unknown): Reply | undefined => {
  if (typeof returned !== 'object' || returned === null || !('status' in returned)) return returned as Reply;
  const { status, headers } = returned as Reply;
  return Array.isArray(headers) ? (returned as Reply) : { status, headers: headers ?? {} };
};

/** From now on the reading of this body is a station. A streamed upload is read by its handler, and is none. */
function watchBody(exchange: Exchange, recording: RequestRecording): void {
  const read = (): Promise<Uint8Array> => {
    if (exchange.wholeBody !== undefined) return exchange.wholeBody;
    const visit = new StationVisit(recording, { kind: 'body', label: 'body', place: undefined }, undefined);
    const body = Exchange.prototype.body.call(exchange);
    const done = (bytes: Uint8Array): void => {
      recording.body(bytes);
      visit.ended({ did: 'read', failed: false, waited: true });
    };
    body.then(done, (error: unknown) => visit.ended({ did: 'threw', failed: true, waited: true, error }));
    return body;
  };
  Object.defineProperty(exchange, 'body', { value: read });
}
