/**
 * Mounts a plugin under a path prefix. Its routes and controllers begin with the prefix. Its stages see only requests
 * below it, without the prefix; the next stage gets the whole path again.
 */
import type { Context } from '../http/message/context.ts';
import { contextWith } from '../http/message/context-with.ts';
import { withoutBasePath } from '../http/message/path.ts';
import type { Pipeline, Stage } from '../pipeline/stage.ts';
import { parseTemplate } from '../routing/route/route.ts';
import type { Plugin } from './plugin.ts';

/**
 * The plugin under `prefix`: a literal path, matched ignoring case. Throws a `SyntaxError` for any other.
 *
 *     const { handler } = application([mounted('tools', todo())]);
 */
export function mounted(prefix: string, plugin: Plugin): Plugin {
  const path = prefix.replace(/^\/+|\/+$/g, '');
  if (path === '' || /[{}?#%]|\/\//.test(path)) {
    const cause = 'it is no literal path; give one such as tools/clock';
    throw new SyntaxError(`Cannot mount the plugin "${plugin.name}" at "${prefix}": ${cause}`);
  }
  const below = (template: string): string => (template === '' ? path : `${path}/${template}`);
  const mountedStages = (stages: Pipeline): Pipeline => stages.map((stage) => mountedStage(`/${path}`, stage));
  const { stages, outerStages, controllers, routes } = plugin;
  return {
    ...plugin,
    ...(stages && { stages: mountedStages(stages) }),
    ...(outerStages && { outerStages: mountedStages(outerStages) }),
    ...(controllers && { controllers: controllers.map((one) => ({ ...one, path: below(one.path) })) }),
    ...(routes && { routes: routes.map((one) => ({ ...one, template: parseTemplate(below(one.template.text)) })) }),
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

/** The context that a mounted stage has passed on, with the whole path again. */
function withPrefix(passed: Context, outer: Context, below: string): Context {
  // A request for the prefix itself, without a final slash, has the path "/" below it.
  const sent = outer.path.endsWith(below) ? outer.path.slice(0, outer.path.length - below.length) : outer.path;
  const path = passed.path === below ? outer.path : sent + passed.path;
  return contextWith(passed, { path, basePath: outer.basePath });
}
