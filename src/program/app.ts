/**
 * Composes the service from its plugins. The array in `app` is the order in which a request passes them.
 *
 * A plugin that is switched off is not loaded, and not in the array: no start and no request pays for it.
 */

import { application, type RunnableApplication } from '../core/application/application.ts';
import type { Context } from '../core/message/context.ts';
import { matchedTemplate, traceOf } from '../core/message/request-notes.ts';
import { LIMITS, type Limits } from '../core/wire/connection/limits.ts';
import { HttpService } from '../core/wire/service.ts';
import { description } from '../extensions/description/description.ts';
import type { DescriptionOptions } from '../extensions/description/document.ts';
import { swaggerPage } from '../extensions/swagger-page/swagger-page.ts';
import { operations } from '../operations/operations.ts';
import { type ItemPlugin, itemPlugin } from './item-store.ts';
import { type AdminPort, adminPlace, adminPort } from './listening.ts';
import { bodyBudget } from './memory-budgets.ts';
import type { Settings } from './settings/settings.ts';

/** The service, ready to start and listen. */
export interface App {
  readonly service: HttpService;
  readonly application: RunnableApplication;
  readonly items: ItemPlugin['store'];
  /** Listens before the service does; undefined without `--admin-port`. */
  readonly admin: AdminPort | undefined;
}

/** Composes the service. Rejects with a `PluginError` for a wrong plugin file. */
export async function app(settings: Settings): Promise<App> {
  const { propertyNaming: naming, staticRoot: folder, basePath, corsOrigins: origins } = settings;
  const { accessLog: descriptor, logFormat, trustedProxies, allowedHosts, plugin: files } = settings;
  const figures = settings.metrics ? (await import('./service-metrics.ts')).serviceMetrics(settings) : undefined;
  const items = await itemPlugin(settings, figures?.watch);
  const more = logFormat === undefined ? {} : { whenSent: true, members: membersOfLine };
  const log =
    descriptor === undefined
      ? undefined
      : (await import('../extensions/monitoring/access-log.ts')).accessLog({ descriptor, ...more });
  const ready = async (): Promise<boolean> => {
    if (service.ready) await items.check();
    return service.ready;
  };
  const limits = limitSettings(settings);
  const hasAdmin = adminPlace(settings) !== undefined;
  const trace =
    settings.trace !== 'off' &&
    (await import('../extensions/trace/trace.ts')).trace({
      everyone: settings.trace === 'any',
      // Who asks for the trace asks for it in production, too.
      inProduction: true,
      apart: hasAdmin,
    });
  const health = settings.healthChecks && (await import('../extensions/monitoring/health.ts')).health({ ready });
  const pages = [trace && trace.page, figures?.page, health].filter((plugin) => typeof plugin === 'object');
  const admin = hasAdmin ? adminPort(settings, pages, limits) : undefined;
  const plugins = [
    operations({ naming }),
    trace,
    logFormat !== undefined && (await import('../extensions/monitoring/request-log.ts')).traceContext(),
    log,
    figures?.plugin,
    origins.length > 0 && (await import('../extensions/cors/cors.ts')).cors({ origins }),
    !hasAdmin && health,
    swaggerPage({ folder }),
    folder !== undefined && (await import('../extensions/files/files.ts')).staticSite({ root: folder }),
    items.plugin,
    // A route of a loaded plugin that cannot be described must stop the start.
    description({ ...descriptionSettings(settings), lazy: files.length === 0 }),
    ...(files.length > 0 ? await (await import('./load-files.ts')).loadPlugins(files) : []),
    admin,
  ].filter((plugin) => typeof plugin === 'object');
  const composed = application(plugins, { basePath, trustedProxies, allowedHosts });
  const service: HttpService = new HttpService(composed, { limits });
  figures?.tell(service, items.store, log);
  return { service, application: composed, items: items.store, admin };
}

const MAX_USER_AGENT = 256;

/** What a line of the access log has besides where the format of the log is given. */
const membersOfLine = (context: Context) => ({
  route: matchedTemplate(context),
  userAgent: context.headers['user-agent']?.slice(0, MAX_USER_AGENT),
  ...traceOf(context),
});

export const descriptionSettings = (settings: Settings): DescriptionOptions => ({
  title: settings.title,
  version: settings.infoVersion,
  description: settings.description,
  termsOfService: settings.termsOfService,
  contact: { name: settings.contactName, url: settings.contactUrl, email: settings.contactEmail },
  license: { name: settings.licenseName, url: settings.licenseUrl },
  comments: settings.comments,
});

/** The settings that are limits of the library, by their names. */
export function limitSettings(settings: Settings): { readonly [Name in keyof Limits]?: number | undefined } {
  const { maxBodyMemory = bodyBudget(settings.maxBody) } = settings;
  return Object.fromEntries(Object.entries({ ...settings, maxBodyMemory }).filter(([name]) => name in LIMITS));
}
