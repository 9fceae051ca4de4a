/**
 * A plugin under a prefix: its routes begin with it, its controllers too, and its stages see only requests below it, with the
 * prefix taken off – what a stage passes on goes on with the path that came in.
 */
import type { Context } from '../http/message/context.ts';
import { contextWith } from '../http/message/context-with.ts';
import { withoutBasePath } from '../http/message/path.ts';
import type { Stage } from '../pipeline/stage.ts';
import { type Route, route } from '../routing/route/route.ts';
import type { Plugin } from './plugin.ts';

/** The plugin, mounted. `prefix` is a literal path such as `tools/clock`; matched ignoring case. Throws a `SyntaxError` for any other. */
export function mounted(prefix: string, plugin: Plugin): Plugin {
  const path = prefix.replace(/^\/+|\/+$/g, '');
  if (path === '' || /[{}?#%]|\/\//.test(path)) {
    throw new SyntaxError(
      `Cannot mount the plugin "${plugin.name}" at "${prefix}": it is no literal path; give one such as tools/clock`,
    );
  }
  const below = (template: string): string => (template === '' ? path : `${path}/${template}`);
  const { stages, outerStages, controllers, routes } = plugin;
  return {
    ...plugin,
    ...(stages && { stages: stages.map((stage) => mountedStage(`/${path}`, stage)) }),
    ...(outerStages && { outerStages: outerStages.map((stage) => mountedStage(`/${path}`, stage)) }),
    ...(controllers && {
      controllers: controllers.map((controller) => ({ ...controller, path: below(controller.path) })),
    }),
    ...(routes && {
      routes: routes.map((one): Route => ({ ...one, template: route(below(one.template.text), one.handler).template })),
    }),
    ...(plugin.start && { start: (application) => plugin.start!(application) }),
    ...(plugin.stop && { stop: () => plugin.stop!() }),
  };
}

function mountedStage(prefix: string, stage: Stage): Stage {
  const mounted: Stage = (context, next) => {
    const below = withoutBasePath(context.path, prefix);
    if (below === context.path) return next(context);
    const inner = contextWith(context, { path: below, basePath: context.basePath + prefix });
    return stage(inner, (passed) => next(passed === inner ? context : withPrefix(passed, context, below)));
  };
  return Object.defineProperty(mounted, 'name', { value: stage.name });
}

/** What a mounted stage has passed on, for those behind it: its copy of the context, with the path from the root again. */
function withPrefix(passed: Context, outer: Context, below: string): Context {
  // The prefix itself, asked for without a final slash, is the path "/" to the plugin.
  const sent = outer.path.endsWith(below) ? outer.path.slice(0, outer.path.length - below.length) : outer.path;
  const path = passed.path === below ? outer.path : sent + passed.path;
  return contextWith(passed, { path, basePath: outer.basePath });
}
