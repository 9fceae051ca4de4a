/** Collects the routes of all plugins, in the order of the plugins, and reports what is wrong with them by plugin. */
import { logWarning } from '../log/log-line.ts';
import { isObject, thrownMessage } from '../log/thrown-value.ts';
import { foldCase } from '../message/text.ts';
import { type Composition, type IncompleteRoute, isIncomplete, type Offered } from '../routing/composition.ts';
import { routeText } from '../routing/explain.ts';
import type { Route } from '../routing/route.ts';
import { RouteCollection } from '../routing/route-collection.ts';
import { doubtfulTemplates } from '../routing/shadowed.ts';
import type { TemplateError } from '../routing/template.ts';
import type { Instrument } from './application-options.ts';
import { type Plugin, PluginError } from './plugin.ts';

/**
 * The routes of these plugins, each completed and with the instruments around it. Throws a `PluginError` for routes
 * that cannot be added, and what `composed` of a route or of a plugin throws.
 */
export function routesOfPlugins(
  plugins: readonly Plugin[],
  instruments: readonly Instrument[],
  warn: (line: string) => void = logWarning,
): RouteCollection {
  const routes = new RouteCollection({ constraints: constraintsOf(plugins) });
  const offered: Composition['offered'] = offeredBy(plugins);
  const made = new Map<unknown, unknown>();
  const once = <Value>(make: (given: Composition['offered']) => Value): Value => {
    if (!made.has(make)) made.set(make, make(offered));
    return made.get(make) as Value;
  };
  for (const { name: plugin, routes: siblings = [] } of plugins) {
    const composition: Composition = { plugin, siblings, routes, offered, once };
    const complete = (route: Route | IncompleteRoute): Route => {
      if (!isIncomplete(route)) return route;
      const completed = route.complete(route, composition);
      if (isObject(completed) && !isIncomplete(completed)) return completed;
      throw new TypeError(
        `Cannot complete the route "${route.template.text}": complete() has not returned a route; return { template, handle, … }`,
      );
    };
    const watched = (route: Route): Route =>
      instruments.reduce((one, around) => around.route?.(one, plugin) ?? one, route);
    try {
      routes.add(...siblings.map(complete).map(watched));
    } catch (error) {
      if (error instanceof PluginError) throw error;
      const mistakes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      const reason = mistakes.map(mistakeText).join('. ');
      throw new PluginError('Cannot add the routes of the plugin', plugin, reason, { cause: error });
    }
  }
  for (const route of routes) route.composed?.(routes);
  for (const line of [...doubtfulTemplates(routes), ...unreachedRoutes(routes)]) warn(line);
  for (const plugin of plugins) plugin.composed?.(routes, warn);
  return routes;
}

/** Returns the function that finds what the plugins offer under a key. */
const offeredBy =
  (plugins: readonly Plugin[]): Composition['offered'] =>
  <Value>({ name }: { readonly name: string }) =>
    plugins.flatMap(({ name: plugin, prefix, offers = [] }) =>
      offers
        .filter((one) => one.offer === name)
        .map((one): Offered<Value> => ({ value: one.value as Value, plugin, prefix })),
    );

const MAX_NAMED = 10;

function unreachedRoutes(routes: RouteCollection): readonly string[] {
  const unreached = routes.shadowed();
  const lines = unreached.slice(0, MAX_NAMED).map(({ route, by, method, path }) => {
    const cause = `${routeText(by)} stands before it and takes its requests, such as ${method} ${path}`;
    return `No request reaches the route ${routeText(route)}: ${cause}; put it in front, or leave one of them out`;
  });
  const more = unreached.length - lines.length;
  if (more > 0) lines.push(`No request reaches ${more} more routes, which stand behind others as these do`);
  return lines;
}

/** The constraints of all plugins. The same one may be there twice, where a plugin is mounted twice. */
function constraintsOf(plugins: readonly Plugin[]): NonNullable<Plugin['constraints']> {
  const added = new Map<string, { readonly constraint: unknown; readonly plugin: string }>();
  for (const { name: plugin, constraints = {} } of plugins)
    for (const [name, constraint] of Object.entries(constraints)) {
      const other = added.get(foldCase(name));
      if (other === undefined) added.set(foldCase(name), { constraint, plugin });
      else if (other.constraint !== constraint) {
        const reason = `the plugin "${other.plugin}" has another one of this name; rename one of them`;
        throw new PluginError(`Cannot add the constraint "${name}" of the plugin`, plugin, reason);
      }
    }
  return Object.assign({}, ...plugins.map(({ constraints }) => constraints));
}

/** One line: the message of a `TemplateError` has three, with the template and a caret. */
function mistakeText(mistake: unknown): string {
  const { template, problem, remedy } = mistake as Partial<TemplateError>;
  return problem === undefined ? thrownMessage(mistake) : `the route "${template}": ${problem}; ${remedy}`;
}
