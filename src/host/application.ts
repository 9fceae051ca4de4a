/**
 * Composes plugins into one application and decides the order of its stages.
 *
 * The outer stages of all plugins come first, then `problems`, then the other stages of all plugins in the order of the
 * list, then the stage that routes. A request that no stage answers gets a 404.
 */
import type { OperationSettings } from '../api/operation-routes/operation-settings.ts';
import type { RefusalHandler } from '../http/listener-options.ts';
import type { Handler } from '../http/message/context.ts';
import { type ErrorLog, problemReply } from '../http/message/problem.ts';
import { pipeline } from '../pipeline/pipeline.ts';
import { problems } from '../pipeline/problems.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import { routing } from '../routing/routing.ts';
import type { Application, Plugin } from './plugin.ts';
import { lifecycleOf } from './plugin-lifecycle.ts';
import { routesOfPlugins } from './plugin-routes.ts';
import { assertPlugins } from './plugin-shape.ts';
import { nameStages, originsOf, type StageOrigin } from './stage-origin.ts';

/** The settings of all operations, and where errors and warnings go. */
export interface ApplicationOptions extends OperationSettings {
  /** Is called with the cause of every 500. Default: writes it to standard error. */
  readonly log?: ErrorLog;
  /** Is given a line for each declaration that is allowed but probably a mistake. Unless given, the line is logged. */
  readonly warn?: (line: string) => void;
}

/** An application that can be started and served. */
export interface RunnableApplication extends Application {
  /** Every stage, in the order in which a request passes them. */
  readonly stages: Pipeline;
  /** The plugin of each stage, in the same order. */
  readonly stageOrigins: readonly StageOrigin[];
  readonly handler: Handler;
  /** Answers a request that was refused before the stages: with a problem that passes the outer stages. */
  readonly refuse: RefusalHandler;
  /** Starts the plugins in order. Where one fails, stops the started ones and rejects with an error that names it. */
  start(): Promise<void>;
  /** Stops the plugins in reverse order. Rejects with an `AggregateError` after all of them, where any failed. */
  stop(): Promise<void>;
}

/**
 * Composes the plugins. Throws a `PluginError` for a value that is no plugin, for two plugins of one name and for
 * routes that cannot be added, with their mistakes as its cause; a `TypeError` for a Location that leads nowhere.
 */
export function application(plugins: readonly Plugin[], options: ApplicationOptions = {}): RunnableApplication {
  assertPlugins(plugins, options);
  const routes = routesOfPlugins(plugins, options);
  const outer = plugins.flatMap((plugin) => plugin.outerStages ?? []);
  const inner = plugins.flatMap((plugin) => plugin.stages ?? []);
  const stages = [...outer, problems(options.log), ...inner, routing(routes)];
  const stageOrigins = originsOf(plugins);
  nameStages(stages, stageOrigins);

  const { start, stop } = lifecycleOf(plugins);
  const composed: RunnableApplication = {
    routes,
    stages,
    stageOrigins,
    handler: pipeline(stages),
    refuse: refuseThrough(outer),
    start: () => start(composed),
    stop,
  };
  return composed;
}

/** Answers refused requests with a problem that passes these stages. */
export const refuseThrough =
  (outer: Pipeline): RefusalHandler =>
  (context, { status, message, extra }) =>
    pipeline(outer, (refused) => problemReply(refused, status, message, extra))(context);
