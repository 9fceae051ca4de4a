/**
 * Mounts a plugin under a path prefix, with which its routes, their names and its own name begin. So it can be mounted
 * several times. Its handlers link to its routes as before; other plugins link to `tools/clock`, the route "clock" of
 * the plugin at "tools". Its stages see only requests below the prefix, without it; the next stage gets the whole path
 * again. What the plugin offers carries the prefix.
 */
import type { Context } from '../message/context.ts';
import { contextAt, contextBelow } from '../message/context-with.ts';
import { prefixSegments } from '../message/path.ts';
import type { Stage } from '../pipeline/stage.ts';
import { parseTemplate } from '../routing/template.ts';
import type { Plugin } from './plugin.ts';

/**
 * The plugin under `prefix`: a literal path, matched ignoring case. Throws a `SyntaxError` for any other path, and a
 * `TypeError` for a prefix that is not a text, for a value that is not a plugin, and for a plugin with an instrument,
 * which stands around the whole application.
 *
 *     const hello: Plugin = { name: 'hello', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
 *     const { handler } = application([mounted('tools', hello)]); // answers /tools/hello
 */
export function mounted(prefix: string, plugin: Plugin): Plugin {
  if (typeof prefix !== 'string' || typeof plugin !== 'object' || plugin === null)
    throw new TypeError("Cannot mount: give the path first, then the plugin, as mounted('tools', plugin)");
  const path = prefix.replace(/^\/+|\/+$/g, '');
  if (path === '' || /[{}?#%\s]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) {
    const cause = 'it is no literal path; give one such as tools/clock';
    throw new SyntaxError(`Cannot mount the plugin "${plugin.name}" at "${prefix}": ${cause}`);
  }
  if (plugin.instrument !== undefined) {
    const cause = 'its instrument stands around the whole application; give it to application([…]) itself';
    throw new TypeError(`Cannot mount the plugin "${plugin.name}" at "${prefix}": ${cause}`);
  }
  const scope = `${path}/`;
  const encoded = `/${encodeURI(path)}`;
  const { routes = [] } = plugin;
  return {
    ...plugin,
    name: scope + plugin.name,
    prefix: encoded + (plugin.prefix ?? ''),
    routes: routes.map((one) => ({
      ...one,
      template: parseTemplate(one.template.text === '' ? path : scope + one.template.text),
      ...(one.name && { name: scope + one.name }),
      linkScopes: [...(one.linkScopes ?? []).map((inner) => scope + inner), scope],
      prefix: encoded + (one.prefix ?? ''),
    })),
    start: (application) => plugin.start?.({ ...application, prefix: `${application.prefix ?? ''}/${path}` }),
    stop: () => plugin.stop?.(),
  };
}

/** The stage of a plugin below a prefix such as `/tools`. */
export function mountedStage(prefix: string, stage: Stage): Stage {
  const segments = prefixSegments(prefix);
  return (context, next) => {
    const inner = contextBelow(context, prefix, segments);
    if (inner === undefined) return next(context);
    return stage(inner, (passed) => next(passed === inner ? context : withPrefix(passed, context, inner)));
  };
}

/** The context that a mounted stage has passed on, with the whole path again. */
function withPrefix(passed: Context, outer: Context, inner: Context): Context {
  if (passed.path === inner.path) return contextAt(passed, outer, outer.basePath);
  const depth = outer.segments.length - inner.segments.length;
  const path = outer.path.split('/', depth + 1).join('/') + passed.path;
  const segments = [...outer.segments.slice(0, depth), ...passed.segments];
  return contextAt(passed, { path, segments }, outer.basePath);
}
