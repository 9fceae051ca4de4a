/** Collects the routes of all plugins, in the order of the plugins. Errors name the plugin of a wrong route. */
import { MAX_SEGMENT } from '../http/limits.ts';
import { pathAsSent } from '../http/path.ts';
import { foldCase } from '../http/text.ts';
import { logWarning } from '../log/log-line.ts';
import { attempt, isObject, thrownMessage } from '../log/thrown-value.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import { type Composition, type IncompleteRoute, isIncomplete, type Offered } from '../routing/composition.ts';
import { routeText } from '../routing/explain.ts';
import type { Route } from '../routing/route.ts';
import type { RouteCollection } from '../routing/route-collection.ts';
import { doubtfulTemplates } from '../routing/shadowed.ts';
import type { RouteTemplate, TemplateError } from '../routing/template.ts';
import type { Servable } from '../server/served.ts';
import type { Instrument } from './application-options.ts';
import { mayBeBelow, placeBelow } from './mounted.ts';
import { type Plugin, PluginError } from './plugin.ts';

/**
 * Adds the routes of these plugins to `routes`, completed and wrapped in the instruments. Throws a `PluginError` for
 * routes that cannot be added. Also throws the errors of the `composed` functions of routes and plugins.
 */
export function addRoutes(
  routes: RouteCollection,
  plugins: readonly Plugin[],
  instruments: readonly Instrument[],
  warn: (line: string) => void = logWarning,
): void {
  const offered: Composition['offered'] = offeredBy(plugins);
  for (const { name: plugin, prefix, routes: declared = [] } of plugins) {
    const instrumented: Composition['instrumented'] = (handler) =>
      instruments.reduce((inner, around) => around.handler?.(inner, plugin) ?? inner, handler);
    const complete = (route: Route | IncompleteRoute): Route => {
      if (!isIncomplete(route) && prefix === undefined) return route;
      const { template, scope } = placeBelow(prefix, route.template);
      if (!isIncomplete(route)) return { ...route, template, scope, ...(route.name && { name: scope + route.name }) };
      const stagesBefore = stagesOf(plugins, template);
      const completed = route.complete({ plugin, template, scope, routes, stagesBefore, offered, instrumented });
      if (isObject(completed) && !isIncomplete(completed)) return { ...completed, scope };
      throw new TypeError(
        `Cannot complete the route "${template.text}": complete() has not returned a route; return { template, handle, … }`,
      );
    };
    const watched = (route: Route): Route =>
      instruments.reduce((inner, around) => around.route?.(inner, plugin) ?? inner, route);
    try {
      routes.add(...declared.map(complete).map(watched));
    } catch (error) {
      if (error instanceof PluginError) throw error;
      const mistakes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      const reason = mistakes.map(mistakeText).join('. ');
      throw new PluginError('Cannot add the routes of the plugin', plugin, reason, { cause: error });
    }
  }
  for (const route of routes) route.composed?.(routes, warn);
  for (const line of [...doubtfulTemplates(routes), ...unreachedRoutes(routes)]) warn(line);
  for (const plugin of plugins) plugin.composed?.(routes, warn);
}

/** Returns the stages of plugins that a request for this template can pass. */
const stagesOf = (plugins: readonly Plugin[], template: RouteTemplate): Pipeline =>
  plugins
    .filter(({ prefix }) => prefix === undefined || mayBeBelow(prefix, template))
    .flatMap(({ outerStages = [], stages = [] }) => [...outerStages, ...stages]);

const offeredBy =
  (plugins: readonly Plugin[]): Composition['offered'] =>
  <Value>({ name }: { readonly name: string }) =>
    plugins.flatMap(({ name: plugin, prefix, offers = [] }) =>
      offers
        .filter((entry) => entry.offer === name)
        .map((entry): Offered<Value> => ({ value: entry.value as Value, plugin, prefix })),
    );

const MAX_NAMED = 10;

function unreachedRoutes(routes: RouteCollection): readonly string[] {
  const unreached = routes.shadowed();
  const lines = unreached.slice(0, MAX_NAMED).map(({ route, by }) => {
    const cause = `${routeText(by)} comes before it and matches all its requests`;
    return `No request reaches the route ${routeText(route)}: ${cause}; move it to the front, or remove one of them`;
  });
  const more = unreached.length - lines.length;
  if (more > 0) lines.push(`No request reaches ${more} more routes for the same reason`);
  return lines;
}

/** Returns the constraints of all plugins. A plugin that is mounted twice has the same constraints twice. */
export function constraintsOf(plugins: readonly Plugin[]): NonNullable<Plugin['constraints']> {
  const added = new Map<string, { readonly constraint: unknown; readonly plugin: string }>();
  for (const { name: plugin, constraints = {} } of plugins)
    for (const [name, constraint] of Object.entries(constraints)) {
      const other = added.get(foldCase(name));
      if (other === undefined) added.set(foldCase(name), { constraint, plugin });
      else if (other.constraint !== constraint) {
        const reason = `the plugin "${other.plugin}" has another constraint of this name; rename one of them`;
        throw new PluginError(`Cannot add the constraint "${name}" of the plugin`, plugin, reason);
      }
    }
  return Object.assign({}, ...plugins.map(({ constraints }) => constraints));
}

/** Returns a mistake as one line: of the three lines of a `TemplateError`, omits the template and the caret. */
function mistakeText(mistake: unknown): string {
  const { template, problem, remedy } = mistake as Partial<TemplateError>;
  return problem === undefined ? thrownMessage(mistake) : `the route "${template}": ${problem}; ${remedy}`;
}

/** Returns the function `takesUpgrade` of a server: whether an upgrade matches. Undefined if no route is an upgrade. */
export function upgradesTo(routes: RouteCollection, basePath = ''): Servable['takesUpgrade'] {
  const isUpgrade = ({ dataTokens }: Route): boolean => dataTokens?.['upgrade'] === true;
  if (![...routes].some(isUpgrade)) return undefined;
  return ({ url, method }) => {
    const sent = pathAsSent(url!, basePath);
    // No constraint gets a segment that the server refuses with 414 (D31).
    if (sent.segments.some((segment) => segment.length > MAX_SEGMENT)) return false;
    // If a constraint throws, the request gets the 500 of other requests. Here, the error would end the process.
    const match = attempt(() => routes.match({ method: method!, ...sent }), undefined);
    return match !== undefined && isUpgrade(match.route);
  };
}
