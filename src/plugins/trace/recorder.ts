/**
 * Records what each station of an application does for each request. A station is a stage, a route, or the input, the
 * handler or the reply of an operation. The recorder is an instrument: it wraps the stages, routes and handlers while
 * the application is composed. Its plugin begins and ends the recording of each request.
 */
import { type Instrument, type StageOrigin, stageLabel } from '../../core/application/application-options.ts';
import type { PluginParts } from '../../core/application/plugin.ts';
import type { Context } from '../../core/http/context.ts';
import { inPlaceOf, type Stage } from '../../core/pipeline/stage.ts';
import type { InnerHandler } from '../../core/routing/composition.ts';
import type { Route } from '../../core/routing/route.ts';
import type { RouteCollection } from '../../core/routing/route-collection.ts';
import { exchangeOf, whenSent } from '../../core/server/request-context.ts';
import { operationOf } from '../../operations/operation/controller.ts';
import type { Recording, Station, StationFacts } from './recording.ts';
import { shownQuery } from './secrets.ts';
import { bodyView, linesOf, routeFacts, routeVerdicts } from './views.ts';
import { divided, INSIDE, visited } from './visit.ts';

/** Records the requests of one application. */
export class Recorder implements Instrument {
  /** The parts of the recorder's plugin. Make it the first plugin: only the stages after its stage are recorded. */
  readonly parts: PluginParts;
  /** The recorded stages, in the order of the pipeline. */
  readonly stages: StationFacts[] = [];
  /** The routes of the application. */
  readonly routes: RouteCollection;
  readonly #name: string;
  /** The number of requests that the recorder has begun to record. */
  count = 0;

  /**
   * `name` is the name of the recorder's plugin, whose stages are not recorded. `routes` are those of the application.
   * `done` is called with the recording and the request when the reply is sent or the connection is closed. If `skips`
   * returns true, the request is not recorded.
   */
  constructor(
    name: string,
    routes: RouteCollection,
    done: (recording: Recording, context: Context) => void,
    skips: (context: Context) => boolean = () => false,
  ) {
    this.#name = name;
    this.routes = routes;
    const record: Stage = (context, next) => {
      if (skips(context)) return INSIDE.run(undefined, () => next(context));
      const stations: Station[] = [];
      const began = performance.now();
      const now = (): number => Math.round((performance.now() - began) * 1e6) / 1e3;
      const { method = '', url = '', httpVersion, rawHeaders } = context.request;
      const headers = linesOf(rawHeaders);
      const start = { number: ++this.count, method, target: shownQuery(url), at: new Date().toISOString() };
      const request = { ...start, requestId: context.requestId, httpVersion, headers };
      whenSent(context, ({ status, isWhole: complete }) => {
        // One turn of the event loop later, the recording includes what a stage started and did not await.
        setImmediate(async () => {
          const took = now();
          const bytes = await exchangeOf(context)?.wholeBody?.catch(() => undefined);
          const body = bodyView(bytes, headers);
          done({ ...request, took, status, complete, body, stations: stations.flatMap(divided) }, context);
        });
      });
      return INSIDE.run({ stations, thrown: new Set(), now }, () => next(context));
    };
    this.parts = { outerStages: [record], instrument: this };
  }

  stage(stage: Stage, origin: StageOrigin): Stage {
    const { name, plugin } = origin;
    if (plugin === this.#name) return stage;
    const facts: StationFacts = { kind: 'stage', label: stageLabel(origin), plugin };
    this.stages.push(facts);
    const isRouting = plugin === undefined && name === 'routing';
    return around(stage, (context) => (isRouting ? { ...facts, routes: routeVerdicts(this.routes, context) } : facts));
  }

  route(route: Route, plugin: string): Route {
    const { methods, template } = routeFacts(route);
    const label = `${methods} ${template}`;
    const entered: Stage = (context, next) => next(context);
    const stages = (route.stages ?? []).map((stage, at) => {
      const origin = { name: stage.name, plugin, place: `stage ${at + 1} of the route` };
      return around(stage, () => ({ kind: 'stage', label: stageLabel(origin), plugin }));
    });
    const kind = operationOf(route) === undefined ? 'handler' : 'operation';
    const facts: StationFacts = { kind, label: route.name ?? label, plugin };
    return {
      ...route,
      stages: [around(entered, () => ({ kind: 'route', label, plugin })), ...stages],
      handle: (input) => visited(facts, input.context, () => route.handle(input)),
    };
  }

  handler(handler: InnerHandler, plugin: string): InnerHandler {
    return (input) =>
      visited({ kind: 'handler', label: input.route.name!, plugin }, input.context, () => handler(input));
  }
}

/** Returns a stage that calls this stage and records it. */
const around = (stage: Stage, factsOf: (context: Context) => StationFacts): Stage =>
  inPlaceOf(stage, (context, next) => visited(factsOf(context), context, (through) => stage(context, through(next))));
