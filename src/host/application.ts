/**
 * Plugins made into one application: the one place where a list of them becomes a pipeline.
 *
 * Outer stages first, then `problems`, then every plugin's stages in the order of the list, then one routing stage over every
 * plugin's routes in the same order, then nobody: a 404. Order in the array is order in the pipeline.
 */
import { assertLocations } from '../api/operation/declared-locations.ts';
import { type OperationSettings, operationRoutes } from '../api/operation/operation-routes.ts';
import type { RefusalHandler } from '../http/listener-options.ts';
import type { Handler } from '../http/message/context.ts';
import { type ErrorLog, logToConsole, problemReply } from '../http/message/problem.ts';
import { logWarning } from '../log/log-line.ts';
import { thrownMessage } from '../log/thrown-value.ts';
import { type Pipeline, pipeline } from '../pipeline/pipeline.ts';
import { problems } from '../pipeline/problems.ts';
import { nameStage } from '../pipeline/stage-name.ts';
import { doubtfulTemplates } from '../routing/doubtful-templates.ts';
import { RouteCollection } from '../routing/route-collection.ts';
import { routing } from '../routing/routing.ts';
import type { TemplateError } from '../routing/template/template-error.ts';
import type { Application, Plugin } from './plugin.ts';
import { PluginError } from './plugin-error.ts';
import { faultOf } from './plugin-shape.ts';
import { type StageOrigin, stageOrigins, stageSubject } from './stage-origin.ts';

/** What holds for every operation, and who is told of errors. */
export interface ApplicationOptions extends OperationSettings {
  readonly log?: ErrorLog;
  /** Told in one line, while composing, of what is allowed and probably a mistake. A line of the log unless given. */
  readonly warn?: (line: string) => void;
}

/** A started or startable application. */
export interface RunnableApplication extends Application {
  readonly routes: RouteCollection;
  /** Every stage in the order a request meets them. */
  readonly stages: Pipeline;
  /** Where each of the stages is from, in the same order. */
  readonly stageOrigins: readonly StageOrigin[];
  readonly handler: Handler;
  /** Answers what is refused at the door: through the outer stages, like any other request. */
  readonly refuse: RefusalHandler;
  /** Starts the plugins in order; one that fails stops those already started and is named in the error. */
  start(): Promise<void>;
  /** Stops them in reverse order. Rejects with an `AggregateError` when one fails, after the others have stopped. */
  stop(): Promise<void>;
}

/**
 * Composes plugins. Throws a `PluginError` for a value that is no plugin, two plugins of one name, and routes that cannot be added, whose
 * mistakes are its cause; a `TypeError` for a Location that leads nowhere.
 */
export function application(plugins: readonly Plugin[], options: ApplicationOptions = {}): RunnableApplication {
  if (!Array.isArray(plugins))
    throw new TypeError(`Cannot compose "${String(plugins)}": it is no list of plugins; give [plugin, …]`);
  for (const [at, plugin] of plugins.entries()) refuseMisshapen(plugin, at);
  refuseSameNames(plugins);
  const constraints = Object.assign({}, ...plugins.map((plugin) => plugin.constraints));
  const routes = new RouteCollection({ constraints });
  for (const plugin of plugins) addRoutes(routes, plugin, options);
  assertLocations(routes);
  for (const line of doubtfulTemplates(routes)) (options.warn ?? logWarning)(line);
  const outer = plugins.flatMap((plugin) => plugin.outerStages ?? []);
  const inner = plugins.flatMap((plugin) => plugin.stages ?? []);
  const stages: Pipeline = [...outer, problems(options.log ?? logToConsole), ...inner, routing(routes)];
  const origins: readonly StageOrigin[] = [
    ...plugins.flatMap((plugin) => stageOrigins(plugin, 'outerStages')),
    { name: 'problems' },
    ...plugins.flatMap((plugin) => stageOrigins(plugin, 'stages')),
    { name: 'routing' },
  ];
  for (const [at, stage] of stages.entries()) nameStage(stage, stageSubject(origins[at]!));
  const started: Plugin[] = [];

  const self: RunnableApplication = {
    routes,
    stages,
    stageOrigins: origins,
    handler: pipeline(stages),
    refuse: (context, { status, message, extra }) =>
      pipeline(outer, (asked) => problemReply(asked, status, message, extra))(context),
    async start() {
      for (const plugin of plugins) {
        try {
          await plugin.start?.(self);
        } catch (error) {
          await self.stop().catch(() => {});
          throw new Error(`Cannot start the plugin "${plugin.name}": ${thrownMessage(error)}`, { cause: error });
        }
        started.push(plugin);
      }
    },
    async stop() {
      const errors: unknown[] = [];
      for (const plugin of started.splice(0).reverse()) {
        try {
          await plugin.stop?.();
        } catch (error) {
          errors.push(
            new Error(`Cannot stop the plugin "${plugin.name}" cleanly: ${thrownMessage(error)}`, { cause: error }),
          );
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
    },
  };
  return self;
}

function addRoutes(
  routes: RouteCollection,
  { name, controllers = [], routes: further = [] }: Plugin,
  settings: OperationSettings,
): void {
  try {
    routes.add(...operationRoutes(controllers, settings), ...further);
  } catch (error) {
    const mistakes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw new PluginError('Cannot add the routes of the plugin', name, mistakes.map(mistakeOf).join('. '), {
      cause: error,
    });
  }
}

/** Without the picture of the template, which takes three lines. */
function mistakeOf(mistake: unknown): string {
  const { template, problem, remedy } = mistake as Partial<TemplateError>;
  return problem === undefined ? thrownMessage(mistake) : `the route "${template}": ${problem}; ${remedy}`;
}

function refuseMisshapen(plugin: unknown, at: number): void {
  const fault = faultOf(plugin);
  if (fault === undefined) return;
  const { name } = (plugin ?? {}) as { readonly name?: unknown };
  throw new PluginError(
    'Cannot add the plugin',
    typeof name === 'string' && name !== '' ? name : `number ${at + 1} of the list`,
    fault,
  );
}

function refuseSameNames(plugins: readonly Plugin[]): void {
  const seen = new Set<string>();
  for (const { name } of plugins) {
    if (seen.has(name)) {
      throw new PluginError(
        'Cannot add the plugin',
        name,
        `two plugins are named "${name}"; rename one or leave it out`,
      );
    }
    seen.add(name);
  }
}
