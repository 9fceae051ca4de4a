/**
 * Mounts a plugin under a path prefix. The name of the plugin and the paths and names of its routes then begin with the
 * prefix, so a plugin can be mounted several times. The handlers of the plugin link to its routes without the prefix.
 * Other plugins link to `tools/clock`, the route "clock" of the plugin at "tools". The stages of the plugin see only
 * requests below the prefix, and see their paths without the prefix. The next stage gets the whole path again. Each
 * value that the plugin offers to other plugins carries the prefix (`Offered`).
 */
import type { Context } from '../message/context.ts';
import { contextAt, contextBelow } from '../message/context-with.ts';
import { prefixSegments } from '../message/path.ts';
import type { Stage } from '../pipeline/stage.ts';
import { parseTemplate } from '../routing/template.ts';
import type { Plugin } from './plugin.ts';

/**
 * Returns a copy of the plugin, mounted at `prefix`, a literal path that is matched ignoring case. Throws a
 * `SyntaxError` for any other path. Throws a `TypeError` for a prefix that is not a text, for a value that is not a
 * plugin, and for a plugin with an instrument, because an instrument wraps the whole application.
 *
 *     const hello: Plugin = { name: 'hello', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
 *     const { handler } = application([mounted('tools', hello)]); // answers /tools/hello
 */
export function mounted(prefix: string, plugin: Plugin): Plugin {
  if (typeof prefix !== 'string' || typeof plugin !== 'object' || plugin === null)
    throw new TypeError("Cannot mount: give the path first, then the plugin, as mounted('tools', plugin)");
  const path = prefix.replace(/^\/+|\/+$/g, '');
  if (path === '' || /[{}?#%\s]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) {
    const cause = 'it is not a literal path; give a path such as tools/clock';
    throw new SyntaxError(`Cannot mount the plugin "${plugin.name}" at "${prefix}": ${cause}`);
  }
  if (plugin.instrument !== undefined) {
    const cause = 'its instrument wraps the whole application; add the plugin to application([…]) itself';
    throw new TypeError(`Cannot mount the plugin "${plugin.name}" at "${prefix}": ${cause}`);
  }
  const scope = `${path}/`;
  const encoded = `/${encodeURI(path)}`;
  const { routes = [] } = plugin;
  return {
    ...plugin,
    name: scope + plugin.name,
    prefix: encoded + (plugin.prefix ?? ''),
    routes: routes.map((route) => ({
      ...route,
      template: parseTemplate(route.template.text === '' ? path : scope + route.template.text),
      ...(route.name && { name: scope + route.name }),
      linkScopes: [...(route.linkScopes ?? []).map((inner) => scope + inner), scope],
      prefix: encoded + (route.prefix ?? ''),
    })),
    start: (application) => plugin.start?.({ ...application, prefix: `${application.prefix ?? ''}/${path}` }),
    stop: () => plugin.stop?.(),
  };
}

/**
 * Returns a stage of a plugin that is mounted at a prefix such as `/tools`. The prefix is compared decoded and ignoring
 * case, so a client cannot avoid a stage that guards a path with another spelling of the path (D73).
 */
export function mountedStage(prefix: string, stage: Stage): Stage {
  const segments = prefixSegments(prefix);
  return (context, next) => {
    const inner = contextBelow(context, prefix, segments);
    if (inner === undefined) return next(context);
    return stage(inner, (passed) => next(passed === inner ? context : withPrefix(passed, context, inner)));
  };
}

/** Returns the context that a mounted stage has passed on, with the prefix in front of its path again. */
function withPrefix(passed: Context, outer: Context, inner: Context): Context {
  if (passed.path === inner.path) return contextAt(passed, outer, outer.basePath);
  const depth = outer.segments.length - inner.segments.length;
  const path = outer.path.split('/', depth + 1).join('/') + passed.path;
  const segments = [...outer.segments.slice(0, depth), ...passed.segments];
  return contextAt(passed, { path, segments }, outer.basePath);
}
