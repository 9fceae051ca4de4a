/**
 * Mounts a plugin under a path prefix. The name of the plugin and the paths and names of its routes then begin with the
 * prefix, so a plugin can be mounted several times. The handlers of the plugin link to its routes without the prefix.
 * Other plugins link to `tools/clock`, the route "clock" of the plugin at "tools". The stages of the plugin see only
 * requests below the prefix, and see their paths without the prefix. The next stage, the stages of routes and the
 * handlers see the whole path. Each value that the plugin offers to other plugins carries the prefix (`Offered`).
 */
import type { Context } from '../http/context.ts';
import { contextWith } from '../http/context-with.ts';
import { pathBelow, prefixSegments } from '../http/path.ts';
import { foldCase } from '../http/text.ts';
import type { Stage } from '../pipeline/stage.ts';
import type { Composition } from '../routing/composition.ts';
import { parseTemplate, type RouteTemplate } from '../routing/template.ts';
import { membersOf, type Plugin } from './plugin.ts';

/**
 * Returns a copy of the plugin, mounted at `prefix`, a literal path that is matched ignoring case. Throws a
 * `SyntaxError` for any other path. Throws a `TypeError` for a prefix that is not a text, and for a value that is not a
 * plugin. A plugin with an instrument cannot be mounted: `application` throws a `PluginError`.
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
  return {
    ...membersOf(plugin),
    name: `${path}/${plugin.name}`,
    prefix: `/${encodeURI(path)}${plugin.prefix ?? ''}`,
  };
}

/** Returns the template of a route with the prefix of its plugin, and the beginning of the names below the prefix. */
export function placeBelow(
  prefix: string | undefined,
  template: RouteTemplate,
): Pick<Composition, 'template' | 'scope'> {
  if (prefix === undefined) return { template, scope: '' };
  const path = prefixSegments(prefix).join('/').replace(/[{}]/g, '$&$&');
  const scope = `${path}/`;
  const { text } = template;
  return { template: parseTemplate(text === '' ? path : scope + text), scope };
}

/** True if a path of the template can begin with the prefix, as far as the text before the first parameter tells. */
export function mayBeBelow(prefix: string, { text }: RouteTemplate): boolean {
  const path = foldCase(`${prefixSegments(prefix).join('/')}/`);
  const literal = foldCase(/^[^{]*/.exec(`${text}/`)![0]);
  return literal.startsWith(path) || (text.includes('{') && path.startsWith(literal));
}

/**
 * Returns a stage of a plugin that is mounted at a prefix such as `/tools`. The prefix is compared decoded and ignoring
 * case, so a client cannot avoid a stage that guards a path with another spelling of the path (D73).
 */
export function mountedStage(prefix: string, stage: Stage): Stage {
  const segments = prefixSegments(prefix);
  return (context, next) => {
    const below = pathBelow(context, segments);
    if (below === undefined) return next(context);
    const { path, basePath } = context;
    const inner = contextWith(context, { path: below.path || '/', basePath: basePath + prefix });
    const sentPrefix = path.slice(0, path.length - below.path.length);
    const outerPath = (passed: Context): string => (passed.path === inner.path ? path : sentPrefix + passed.path);
    return stage(inner, (passed) =>
      next(passed === inner ? context : contextWith(passed, { path: outerPath(passed), basePath })),
    );
  };
}
