/** Collects the routes of all plugins, in the order of the plugins, and reports what is wrong with them by plugin. */
import { assertLocations } from '../api/operation/declared-locations.ts';
import { operationRoutes } from '../api/operation-routes/operation-routes.ts';
import type { OperationSettings } from '../api/operation-routes/operation-settings.ts';
import { assertSecurity } from '../api/security/assert-security.ts';
import type { Authenticator } from '../api/security/authenticator.ts';
import { clashingNames } from '../api/security/required-authenticator.ts';
import { logWarning } from '../log/log-line.ts';
import { thrownMessage } from '../log/thrown-value.ts';
import { doubtfulTemplates } from '../routing/doubtful-templates.ts';
import { RouteCollection } from '../routing/route-collection.ts';
import type { TemplateError } from '../routing/template/template-error.ts';
import { PluginError } from './checks/plugin-error.ts';
import type { Plugin } from './plugin.ts';

/** Settings of the operations, and the function that receives warnings about templates. */
type RouteSettings = OperationSettings & { readonly warn?: (line: string) => void };

/**
 * The routes of these plugins. The controllers of a plugin come before its other routes. Throws a `PluginError` for
 * routes that cannot be added and for two authenticators of one name; a `TypeError` for a Location that leads nowhere
 * and for a `security` of the application that is no list of schemes.
 */
export function routesOfPlugins(plugins: readonly Plugin[], settings: RouteSettings): RouteCollection {
  const constraints = Object.assign({}, ...plugins.map((plugin) => plugin.constraints));
  const collection = new RouteCollection({ constraints });
  if (settings.security !== undefined) assertSecurity(settings.security, 'the application');
  const operationSettings = { ...settings, authenticators: authenticatorsOf(plugins, settings.authenticators) };
  for (const { name, controllers = [], routes = [] } of plugins) {
    try {
      collection.add(...operationRoutes(controllers, operationSettings), ...routes);
    } catch (error) {
      const mistakes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      const reason = mistakes.map(mistakeText).join('. ');
      throw new PluginError('Cannot add the routes of the plugin', name, reason, { cause: error });
    }
  }
  assertLocations(collection);
  for (const line of doubtfulTemplates(collection)) (settings.warn ?? logWarning)(line);
  return collection;
}

/** The given authenticators and those of the plugins. */
function authenticatorsOf(plugins: readonly Plugin[], given: readonly Authenticator[] = []): readonly Authenticator[] {
  let all = given;
  for (const { name, authenticators = [] } of plugins) {
    all = [...all, ...authenticators];
    const clash = clashingNames(all);
    if (clash !== undefined) throw new PluginError('Cannot add the authenticators of the plugin', name, clash);
  }
  return all;
}

/** One line: the message of a `TemplateError` has three, with the template and a caret. */
function mistakeText(mistake: unknown): string {
  const { template, problem, remedy } = mistake as Partial<TemplateError>;
  return problem === undefined ? thrownMessage(mistake) : `the route "${template}": ${problem}; ${remedy}`;
}
