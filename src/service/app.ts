/**
 * Composes the service from its plugins. A request passes the plugins in the order of the array in `app`.
 *
 * A plugin that is switched off is neither loaded nor put into the array, so it takes no time.
 */
import { application, type RunnableApplication } from '../core/application/application.ts';
import type { ApplicationOptions } from '../core/application/application-options.ts';
import { type Plugin, PluginError } from '../core/application/plugin.ts';
import type { Context } from '../core/http/context.ts';
import { LIMITS, type Limits } from '../core/http/limits.ts';
import { matchedTemplate, traceOf } from '../core/http/request-notes.ts';
import { thrownMessage } from '../core/log/thrown-value.ts';
import { HttpService, type ServiceOptions } from '../core/server/service.ts';
import { operations } from '../operations/operations.ts';
import { description } from '../plugins/description/description.ts';
import type { DescriptionOptions } from '../plugins/description/document.ts';
import { swaggerPage } from '../plugins/swagger-page/swagger-page.ts';
import { isReached, itemPlugin, type StoreFigures } from './item-store.ts';
import { type AdminPort, adminPlace, adminPort } from './listening.ts';
import { bodyBudget } from './memory-budgets.ts';
import { type Settings, SettingsError } from './settings/settings.ts';

export interface App {
  readonly service: HttpService;
  readonly application: RunnableApplication;
  /** The admin port, which must listen before the service listens. Undefined if no admin port is set. */
  readonly admin: AdminPort | undefined;
  readonly store: StoreFigures;
}

/** Composes the service. Rejects with a `PluginError` if a file does not export a valid plugin. */
export async function app(settings: Settings): Promise<App> {
  const { propertyNaming: naming, static: folder, basePath, corsOrigins: origins } = settings;
  const { logFormat, trustedProxies, allowedHosts, plugin: files } = settings;
  const figures = settings.metrics
    ? (await import('./service-metrics.ts')).serviceMetrics(settings, () => ({ service, store: items.store, log }))
    : undefined;
  const items = await itemPlugin(settings, figures?.watch);
  const log = settings.accessLog
    ? (await import('../shelf/logs/access-log.ts')).accessLog({ members: membersOfLine })
    : undefined;
  // A balancer must not take away every instance when their common store is lost (D120).
  const ready = (): object | false => {
    const isUp = isReached(items.store);
    return service.ready && { store: isUp === undefined ? undefined : isUp ? 'up' : 'down' };
  };
  const limits = limitSettings(settings);
  const hasAdmin = adminPlace(settings) !== undefined;
  const trace =
    settings.trace !== 'off' &&
    (await import('../plugins/trace/trace.ts')).trace({
      everyone: settings.trace === 'any',
      // The user has set --trace for this process, so the trace also runs in production.
      inProduction: true,
      apart: hasAdmin,
    });
  const health = settings.healthChecks && (await import('../shelf/health/health.ts')).health({ ready });
  const pages = [trace && trace.page, figures?.page, health].filter((plugin) => typeof plugin === 'object');
  const admin = hasAdmin ? adminPort(settings, pages, limits) : undefined;
  const plugins = [
    operations({ naming }),
    trace,
    logFormat === 'json' && (await import('../shelf/logs/trace-context.ts')).traceContext(),
    log,
    figures?.plugin,
    origins.length > 0 && (await import('../shelf/cors/cors.ts')).cors({ origins }),
    !hasAdmin && health,
    swaggerPage({ folder }),
    folder !== undefined && (await import('../plugins/files/files.ts')).staticSite({ root: folder }),
    items,
    // With plugin files, the description is made at the start, so that an error in one of their routes ends the start.
    description({ ...descriptionSettings(settings), lazy: files.length === 0 }),
    ...(files.length > 0 ? await (await import('./load-files.ts')).loadPlugins(files) : []),
    admin,
  ].filter((plugin) => typeof plugin === 'object');
  const { composed, service } = compose(plugins, { basePath, trustedProxies, allowedHosts }, limits);
  return { service, application: composed, admin, store: items.store };
}

interface Composed {
  readonly composed: RunnableApplication;
  readonly service: HttpService;
}

/** Throws a `PluginError`, or a `SettingsError` for any other mistake, because a restart does not mend it (D32). */
function compose(plugins: readonly Plugin[], options: ApplicationOptions, limits: ServiceOptions['limits']): Composed {
  try {
    const composed = application(plugins, options);
    return { composed, service: new HttpService(composed, { limits }) };
  } catch (error) {
    if (error instanceof PluginError) throw error;
    const message = thrownMessage(error);
    throw new SettingsError(message.startsWith('Cannot ') ? message : `Cannot start: ${message}`);
  }
}

const MAX_USER_AGENT = 256;

const membersOfLine = (context: Context) => ({
  route: matchedTemplate(context),
  userAgent: context.headers['user-agent']?.slice(0, MAX_USER_AGENT),
  ...traceOf(context),
});

export const descriptionSettings = ({ info, comments }: Settings): DescriptionOptions => ({ ...info, comments });

/** Returns those settings that are limits of the library. The library uses the same names. */
export function limitSettings(settings: Settings): { readonly [Name in keyof Limits]?: number | undefined } {
  const { maxBodyMemory = bodyBudget(settings.maxBody) } = settings;
  return Object.fromEntries(Object.entries({ ...settings, maxBodyMemory }).filter(([name]) => name in LIMITS));
}
