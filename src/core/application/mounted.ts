/**
 * Mounts a plugin under a path prefix, with which its routes, their names and its own name begin. So it can be mounted
 * several times. Its handlers link to its routes as before; other plugins link to `tools/clock`, the route "clock" of
 * the plugin at "tools". Its stages see only requests below the prefix, without it; the next stage gets the whole path
 * again. What its stages answer is added to the operations that such a request can reach.
 */
import type { Context } from '../message/context.ts';
import { contextBelow, contextWith } from '../message/context-with.ts';
import { sameText } from '../message/text.ts';
import { type AddedResponses, type RoutedOperation, templateOf } from '../operations/operation/controller.ts';
import type { Responses } from '../operations/operation/operation.ts';
import type { Stage } from '../pipeline/stage.ts';
import type { Route } from '../routing/route.ts';
import { parseTemplate } from '../routing/template.ts';
import type { Plugin } from './plugin.ts';

/**
 * The plugin under `prefix`: a literal path, matched ignoring case. Throws a `SyntaxError` for any other, and a
 * `TypeError` for what is no text or no plugin, and for a plugin that stands around the whole application.
 *
 *     const { handler } = application([mounted('tools', todo())]);
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
  const below = (template: string): string => (template === '' ? path : scope + template);
  const scopesOf = ({ linkScopes = [] }: Pick<Route, 'linkScopes'>): readonly string[] => [
    ...linkScopes.map((inner) => scope + inner),
    scope,
  ];
  const prefixOf = ({ prefix = '' }: Pick<Route, 'prefix'>): string => `/${encodeURI(path)}${prefix}`;
  const { controllers = [], routes = [], responses } = plugin;
  return {
    ...plugin,
    name: scope + plugin.name,
    prefix: prefixOf(plugin),
    controllers: controllers.map((one) => ({
      ...one,
      path: below(one.path),
      linkScopes: scopesOf(one),
      prefix: prefixOf(one),
    })),
    routes: routes.map((one) => ({
      ...one,
      template: parseTemplate(below(one.template.text)),
      ...(one.name && { name: scope + one.name }),
      linkScopes: scopesOf(one),
      prefix: prefixOf(one),
    })),
    ...(responses && { responses: mountedResponses(path.split('/'), responses) }),
    start: (application) => plugin.start?.({ ...application, prefix: `${application.prefix ?? ''}/${path}` }),
    stop: () => plugin.stop?.(),
  };
}

/** The stage of a plugin below a prefix such as `/tools`. */
export function mountedStage(prefix: string, stage: Stage): Stage {
  const below: Stage = (context, next) => {
    const inner = contextBelow(context, prefix);
    if (inner === undefined) return next(context);
    return stage(inner, (passed) => next(passed === inner ? context : withPrefix(passed, context, inner.path)));
  };
  return Object.defineProperty(below, 'name', { value: stage.name });
}

/** The context that a mounted stage has passed on, with the whole path again. */
function withPrefix(passed: Context, outer: Context, below: string): Context {
  // A request for the prefix itself, without a final slash, has the path "/" below it.
  const sent = outer.path.endsWith(below) ? outer.path.slice(0, outer.path.length - below.length) : outer.path;
  const path = passed.path === below ? outer.path : sent + passed.path;
  return contextWith(passed, { path, basePath: outer.basePath });
}

/** `depth` is the number of segments that a plugin mounted around this one has taken; a plugin does not look at it. */
type ResponsesBelow = (routed: RoutedOperation, depth?: number) => Responses;

const mountedResponses =
  (prefix: readonly string[], responses: AddedResponses): ResponsesBelow =>
  (routed, depth = 0) => {
    if (!canBeBelow(routed, prefix, depth)) return {};
    return typeof responses === 'function' ? (responses as ResponsesBelow)(routed, depth + prefix.length) : responses;
  };

/** Can a path of the operation have these segments from `depth` on? A parameter can have any value. */
function canBeBelow(routed: RoutedOperation, prefix: readonly string[], depth: number): boolean {
  const { segments } = parseTemplate(templateOf(routed));
  const [last] = segments.at(-1) ?? [];
  const hasCatchAll = last?.kind === 'parameter' && last.catchAll;
  return prefix.every((text, at) => {
    const segment = segments[depth + at];
    if (segment === undefined) return hasCatchAll;
    const [part] = segment;
    return segment.length > 1 || part!.kind === 'parameter' || sameText(part!.text, text);
  });
}
