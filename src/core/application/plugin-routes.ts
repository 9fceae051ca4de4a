/** Collects the routes of all plugins, in the order of the plugins, and reports what is wrong with them by plugin. */
import { logWarning } from '../log/log-line.ts';
import { thrownMessage } from '../log/thrown-value.ts';
import type { ErrorLog } from '../message/problem.ts';
import { foldCase } from '../message/text.ts';
import { assertSharedResponses } from '../operations/media-types/assert-responses.ts';
import { operationOf, type RoutedOperation } from '../operations/operation/controller.ts';
import { assertLocations } from '../operations/operation/declared-locations.ts';
import type { Responses } from '../operations/operation/operation.ts';
import { isOwnBody, ownBody } from '../operations/operation/own-body.ts';
import { type OperationSettings, operationRoutes } from '../operations/routes/operation-routes.ts';
import { type Authenticator, assertSecurity, clashingNames } from '../operations/security.ts';
import type { Route } from '../routing/route.ts';
import { RouteCollection } from '../routing/route-collection.ts';
import { doubtfulTemplates } from '../routing/shadowed.ts';
import type { TemplateError } from '../routing/template.ts';
import type { Limits } from '../wire/connection/limits.ts';
import type { Instrument } from './instrument.ts';
import { type Plugin, PluginError } from './plugin.ts';

/** Settings of the operations, the function that receives warnings about templates, and what is put around routes. */
type PluginRouteSettings = OperationSettings & {
  readonly warn?: ((line: string) => void) | undefined;
  readonly instruments: readonly Instrument[];
  readonly log?: ErrorLog | undefined;
};

/**
 * The routes of these plugins. The controllers of a plugin come before its other routes. Throws a `PluginError` for
 * routes and responses that cannot be added and for two authenticators of one name; a `TypeError` for a Location that
 * leads nowhere and for a `security` of the application that is no list of schemes.
 */
export function routesOfPlugins(plugins: readonly Plugin[], settings: PluginRouteSettings): RouteCollection {
  const collection = new RouteCollection({ constraints: constraintsOf(plugins) });
  if (settings.security !== undefined) assertSecurity(settings.security, 'the application');
  const authenticators = authenticatorsOf(plugins, settings.authenticators);
  const { instruments } = settings;
  const complete = completionBy(plugins);
  const seen = new Map<string, string>();
  for (const { name, controllers = [], routes = [] } of plugins) {
    const watched = (one: Route): Route =>
      instruments.reduce((route, around) => around.route?.(route, name) ?? route, one);
    try {
      const all = [...operationRoutes(controllers, { ...settings, authenticators, complete, seen }), ...routes];
      collection.add(...all.map(watched));
    } catch (error) {
      if (error instanceof PluginError) throw error;
      const mistakes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      const reason = mistakes.map(mistakeText).join('. ');
      throw new PluginError('Cannot add the routes of the plugin', name, reason, { cause: error });
    }
  }
  assertLocations(collection);
  const lines = [...doubtfulTemplates(collection), ...unreachedRoutes(collection), ...openRoutes(plugins, settings)];
  for (const line of lines) (settings.warn ?? logWarning)(line);
  return collection;
}

/** Throws a `RangeError` for a memory into which the longest body of an operation never fits. */
export const limitsCheck =
  (routes: RouteCollection) =>
  (limits: Limits): void => {
    for (const route of routes) {
      const { operation, id = '' } = operationOf(route) ?? {};
      const { body } = operation ?? {};
      if (isOwnBody(body)) body[ownBody].assertFits(body, id, limits);
    }
  };

const MAX_NAMED = 10;

function unreachedRoutes(routes: RouteCollection): readonly string[] {
  const unreached = routes.shadowed();
  const lines = unreached.slice(0, MAX_NAMED).map(({ route, by, method, path }) => {
    const cause = `${labelOf(by)} stands before it and takes its requests, such as ${method} ${path}`;
    return `No request reaches the route ${labelOf(route)}: ${cause}; put it in front, or leave one of them out`;
  });
  const more = unreached.length - lines.length;
  if (more > 0) lines.push(`No request reaches ${more} more routes, which stand behind others as these do`);
  return lines;
}

/** Plain routes that nothing guards, where the application has a security that holds for operations alone (D71). */
function openRoutes(plugins: readonly Plugin[], { security = [] }: PluginRouteSettings): readonly string[] {
  if (security.length === 0) return [];
  const isOpen = ({ stages, dataTokens }: Route): boolean =>
    stages === undefined && dataTokens?.['security'] === undefined;
  const remedy = 'give each the stages that guard it, declare an operation, or say so with public: true';
  return plugins.flatMap(({ name, routes = [] }) => {
    const open = routes.filter(isOpen).map(labelOf).join(', ');
    const cause = 'the security of the application holds for operations alone';
    return open === '' ? [] : `Everybody may call ${open} of the plugin "${name}": ${cause}; ${remedy}`;
  });
}

const labelOf = ({ method, template }: Route): string =>
  `"${[method ?? []].flat().join(',').toUpperCase()} ${template.text}"`.replace('" ', '"');

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

/** The given authenticators and those of the plugins. The same one may be there twice, as a constraint may. */
function authenticatorsOf(plugins: readonly Plugin[], given: readonly Authenticator[] = []): readonly Authenticator[] {
  const all = new Set(given);
  for (const { name, authenticators = [] } of plugins) {
    for (const one of authenticators) all.add(one);
    const clash = clashingNames([...all]);
    if (clash !== undefined) throw new PluginError('Cannot add the authenticators of the plugin', name, clash);
  }
  return [...all];
}

/** Returns the function that puts the responses of the plugins on an operation. */
function completionBy(plugins: readonly Plugin[]): (routed: RoutedOperation) => RoutedOperation {
  const adding = plugins.filter(({ responses }) => responses !== undefined);
  for (const plugin of adding) if (typeof plugin.responses !== 'function') added(plugin);
  return (routed) => ({ ...routed, pluginResponses: adding.map((plugin) => added(plugin, routed)) });
}

/** What a plugin adds to an operation, or to all of them. */
function added({ name, responses }: Plugin, routed?: RoutedOperation): Responses {
  try {
    const made = typeof responses === 'function' ? defined(responses(routed!)) : responses!;
    const receiver = routed === undefined ? '' : ` to the operation "${routed.id}"`;
    assertSharedResponses(made, `the plugin "${name}"${receiver}`);
    return made as Responses;
  } catch (error) {
    throw new PluginError('Cannot add the responses of the plugin', name, thrownMessage(error), { cause: error });
  }
}

/** Without the statuses that are undefined. What is no plain object is left to be refused. */
function defined(made: unknown): unknown {
  if (typeof made !== 'object' || made === null || Array.isArray(made) || 'then' in made) return made;
  return Object.fromEntries(Object.entries(made).filter(([, response]) => response !== undefined));
}

/** One line: the message of a `TemplateError` has three, with the template and a caret. */
function mistakeText(mistake: unknown): string {
  const { template, problem, remedy } = mistake as Partial<TemplateError>;
  return problem === undefined ? thrownMessage(mistake) : `the route "${template}": ${problem}; ${remedy}`;
}
