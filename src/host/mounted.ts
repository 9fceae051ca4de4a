/**
 * A plugin under a prefix: its routes begin with it, its controllers too, and its stages see only requests below it, with the
 * prefix taken off – what a stage passes on goes on with the path that came in.
 */
import type { Context, Handler } from '../http/context.ts';
import { splitPath, withoutBasePath } from '../http/path.ts';
import type { Middleware } from '../pipeline/pipeline.ts';
import { route, type Route } from '../routing/route.ts';
import type { Plugin } from './plugin.ts';

/** The plugin, mounted. `prefix` is a literal path such as `tools/clock`; matched ignoring case. Throws a `SyntaxError` for any other. */
export function mounted(prefix: string, plugin: Plugin): Plugin {
  const path = prefix.replace(/^\/+|\/+$/g, '');
  if (path === '' || /[{}?#%]|\/\//.test(path)) {
    throw new SyntaxError(`Cannot mount the plugin "${plugin.name}" at "${prefix}": it is no literal path; give one such as tools/clock`);
  }
  const below = (template: string): string => (template === '' ? path : `${path}/${template}`);
  const { stages, outerStages, controllers, routes } = plugin;
  return {
    ...plugin,
    ...(stages && { stages: stages.map((stage) => mountedStage(`/${path}`, stage)) }),
    ...(outerStages && { outerStages: outerStages.map((stage) => mountedStage(`/${path}`, stage)) }),
    ...(controllers && { controllers: controllers.map((controller) => ({ ...controller, path: below(controller.path) })) }),
    ...(routes && { routes: routes.map((one): Route => ({ ...one, template: route(below(one.template.text), one.handler).template })) }),
    ...(plugin.start && { start: (application) => plugin.start!(application) }),
    ...(plugin.stop && { stop: () => plugin.stop!() }),
  };
}

function mountedStage(prefix: string, stage: Middleware): Middleware {
  const mounted: Middleware = (context, next) => {
    const below = withoutBasePath(context.path, prefix);
    if (below === context.path) return next(context);
    const inner: Handler = (passed) => next(passed instanceof BelowPrefix ? context : passed);
    return stage(new BelowPrefix(context, below, prefix), inner);
  };
  return Object.defineProperty(mounted, 'name', { value: stage.name });
}

/** The same request with a shorter path and a longer base path. */
class BelowPrefix implements Context {
  readonly path: string;
  readonly basePath: string;
  readonly #outer: Context;

  constructor(outer: Context, path: string, prefix: string) {
    this.#outer = outer;
    this.path = path;
    this.basePath = outer.basePath + prefix;
  }

  get method() { return this.#outer.method; }
  get segments() { return splitPath(this.path); }
  get query() { return this.#outer.query; }
  get headers() { return this.#outer.headers; }
  get requestId() { return this.#outer.requestId; }
  get request() { return this.#outer.request; }
  body() { return this.#outer.body(); }
}
