/**
 * Records what each station of an application does for each request. A station is a stage, a route, a handler, or the
 * reading of the body. The recorder wraps the stages and routes while the application is composed. Its plugin begins
 * and ends the recording of each request.
 */
import type { IncomingMessage } from 'node:http';
import type { InspectorNotification, Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Instrument, type StageOrigin, stageLabel } from '../../core/application/application-options.ts';
import type { Plugin } from '../../core/application/plugin.ts';
import { attempt } from '../../core/log/thrown-value.ts';
import type { Context } from '../../core/message/context.ts';
import { inPlaceOf, type Stage, sourceOf } from '../../core/pipeline/stage.ts';
import type { Route } from '../../core/routing/route.ts';
import type { RouteCollection } from '../../core/routing/route-collection.ts';
import { type SentReply, whenSent } from '../../core/wire/connection/exchange.ts';
import { operationOf } from '../../operations/operation/controller.ts';
import type { Recording, StationFacts } from './recording.ts';
import { addKeysOf, type Secrets, secretNames } from './secrets.ts';
import { routeFacts, routeVerdicts } from './views.ts';
import { RequestRecording, Visit } from './visit.ts';

/** Records the requests of one application. */
export class Recorder implements Instrument {
  /** Make this the first plugin of the application: the recorder records only the stages after this plugin's stage. */
  readonly plugin: Plugin;
  /** The recorded stages, in the order of the pipeline. */
  readonly stages: StationFacts[] = [];
  /** The routes of the application; undefined until the application is started. */
  routes: RouteCollection | undefined;
  /** The number of recorded requests. */
  count = 0;
  readonly #secretNames = secretNames();
  /** The functions of the stations. When the application starts, the recorder finds their places in the sources. */
  readonly #functions = new Map<StationFacts, AnyFunction>();
  readonly #recordings = new WeakMap<IncomingMessage, RequestRecording>();

  /**
   * `name` is the name of the recorder's plugin, whose stages are not recorded. `done` is called when the reply is sent
   * or the connection is closed; the recording that it gets still contains the secrets. If `skips` returns true, the
   * request is not recorded.
   */
  constructor(
    name: string,
    done: (recording: Recording, secrets: Secrets) => void,
    skips: (context: Context) => boolean = () => false,
  ) {
    const recorded: Stage = (context, next) => {
      if (skips(context)) return next(context);
      const recording = new RequestRecording(context, ++this.count, this.#secretNames);
      this.#recordings.set(context.request, recording);
      watchBody(context, recording);
      const finish = ({ status, isWhole }: SentReply): void =>
        done(recording.finished(status, isWhole), recording.secrets);
      // The recording ends one turn of the event loop later. It then includes what a stage started and did not await.
      whenSent(context, (sent) => setImmediate(finish, sent));
      return recording.root.follow((onwards) => onwards(context), next);
    };
    const start: Plugin['start'] = ({ routes }) => {
      this.routes = routes;
      const places = sourcePlaces([...this.#functions.values()]);
      for (const [at, facts] of [...this.#functions.keys()].entries()) facts.place = places[at] ?? facts.place;
      this.#functions.clear();
    };
    this.plugin = { name, outerStages: [recorded], instrument: this, start };
  }

  stage(stage: Stage, origin: StageOrigin): Stage {
    const { name, plugin, place } = origin;
    if (plugin === this.plugin.name) return stage;
    const facts: StationFacts = { kind: 'stage', label: stageLabel(origin), plugin, place };
    this.stages.push(facts);
    const isRouting = plugin === undefined && name === 'routing';
    return this.#around(stage, facts, ({ station }, { method, path }) => {
      if (isRouting && this.routes !== undefined) station.routes = routeVerdicts(this.routes, method, path);
    });
  }

  route(route: Route, plugin: string): Route {
    const routed = operationOf(route);
    if (routed !== undefined) addKeysOf(routed, this.#secretNames);
    const { methods, template } = routeFacts(route);
    const label = `${methods} ${template}`;
    const facts: StationFacts = { kind: 'handler', label: route.name ?? label, plugin };
    this.#functions.set(facts, routed?.operation.handle ?? route.handle);
    const entered: Stage = (context, next) => next(context);
    const stages = (route.stages ?? []).map((stage, at) => {
      const place = `stage ${at + 1} of the route`;
      return this.#around(stage, {
        kind: 'stage',
        label: `${plugin}: ${sourceOf(stage).name || place}`,
        plugin,
        place,
      });
    });
    return {
      ...route,
      stages: [this.#around(entered, { kind: 'route', label, plugin }), ...stages],
      handle: (input) => {
        const visit = this.#visit(facts, input.context);
        return visit === undefined ? route.handle(input) : visit.follow(() => route.handle(input));
      },
    };
  }

  #around(stage: Stage, facts: StationFacts, entered?: (visit: Visit, context: Context) => void): Stage {
    if (facts.kind === 'stage') this.#functions.set(facts, sourceOf(stage));
    return inPlaceOf(stage, (context, next) => {
      const visit = this.#visit(facts, context);
      if (visit === undefined) return stage(context, next);
      entered?.(visit, context);
      return visit.follow((onwards) => stage(context, onwards), next);
    });
  }

  /** Begins the visit of a request to a station. Returns undefined if the request is not recorded. */
  #visit(facts: StationFacts, context: Context | undefined): Visit | undefined {
    const recording = this.#recordings.get(context?.request as IncomingMessage);
    return recording && new Visit(recording, facts, context);
  }
}

/**
 * Makes `context.body()` record the reading of the body as a station. A body that is read as a stream has no station.
 */
function watchBody(context: Context, recording: RequestRecording): void {
  const { body } = context;
  let read: Promise<Uint8Array> | undefined;
  const watched = (): Promise<Uint8Array> => {
    const visit = (): Visit => new Visit(recording, { kind: 'body', label: 'body' }, undefined);
    return (read ??= visit().follow(() => body.call(context)) as Promise<Uint8Array>);
  };
  // Configurable, because a second recorder may watch the same body.
  Object.defineProperty(context, 'body', { value: watched, configurable: true });
}

/** A function with any parameters. */
type AnyFunction = (...input: never[]) => unknown;

/** The key of a global property. The inspector cannot access local variables, so it gets a function from there. */
const LOOKUP = 'todo-item-service:function to locate';

/**
 * Asks Node's inspector for the place of each function in its source, such as `src/core/pipeline/problems.ts:20`.
 * Returns undefined for a function that is bundled with this module, and for every function if there is no inspector.
 * Never throws.
 */
const sourcePlaces = (functions: readonly AnyFunction[]): readonly (string | undefined)[] =>
  attempt(
    () => placesOf(functions),
    functions.map(() => undefined),
  );

function placesOf(functions: readonly AnyFunction[]): readonly (string | undefined)[] {
  const { Session: Inspector } = process.getBuiltinModule('node:inspector') as { Session: new () => Session };
  const { findSourceMap } = process.getBuiltinModule('node:module');
  const session = new Inspector();
  session.connect();
  try {
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }: InspectorNotification<{ scriptId: string; url: string }>) =>
      urls.set(params.scriptId, params.url),
    );
    session.post('Debugger.enable');
    // In a bundled program, this module and the core may be in different files.
    const [ownUrl, coreUrl] = [sourcePlaces, attempt].map((sample) =>
      urls.get(locationOf(session, sample)?.scriptId ?? ''),
    );
    const isBundled = ownUrl !== undefined && !/recorder\.\w+$/.test(ownUrl);
    return functions.map((target) => {
      const { scriptId = '', lineNumber = 0, columnNumber = 0 } = locationOf(session, target) ?? {};
      const url = urls.get(scriptId);
      if (url === undefined || (isBundled && (url === ownUrl || url === coreUrl))) return undefined;
      // Code that was compiled, for example by `tsx`, has a source map, which contains the place in the source.
      const entry = findSourceMap(url)?.findEntry(lineNumber, columnNumber);
      const [file, line] =
        entry !== undefined && 'originalSource' in entry
          ? [entry.originalSource, entry.originalLine]
          : [url, lineNumber];
      return file.startsWith('file:') ? `${relative(process.cwd(), fileURLToPath(file))}:${line + 1}` : undefined;
    });
  } finally {
    session.disconnect();
    Reflect.deleteProperty(globalThis, Symbol.for(LOOKUP));
  }
}

/** The location of a function in a script. The first line and the first column have the number 0. */
interface FunctionLocation {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Returns the location of a function. The inspector runs in the same thread, so `post` calls its callback at once. */
function locationOf(session: Session, target: AnyFunction): FunctionLocation | undefined {
  Object.assign(globalThis, { [Symbol.for(LOOKUP)]: target });
  let location: FunctionLocation | undefined;
  const expression = `globalThis[Symbol.for(${JSON.stringify(LOOKUP)})]`;
  session.post('Runtime.evaluate', { expression }, (_, evaluated) => {
    const objectId = evaluated?.result.objectId;
    if (objectId === undefined) return;
    session.post('Runtime.getProperties', { objectId, ownProperties: true }, (__, members) => {
      const found = members?.internalProperties?.find(({ name }) => name === '[[FunctionLocation]]');
      location = found?.value?.value as FunctionLocation | undefined;
    });
  });
  return location;
}
