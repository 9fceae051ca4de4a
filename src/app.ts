/**
 * The composition root: the parts of the service in the order a request meets them. Read the array in `app` first.
 *
 * What is off is not in the array, so no request pays for it. Every part is imported here, statically: the build makes one
 * file of them, and a dozen small ones for what is off by default took longer to find than all of it takes to read.
 */
import type { IncomingMessage } from 'node:http';
import { application, type RunnableApplication } from './host/application.ts';
import { loadPlugins } from './host/load-plugins.ts';
import type { Plugin } from './host/plugin.ts';
import { forwarded, trustedProxies } from './http/proxy/trusted-proxy.ts';
import { HttpService } from './http/service.ts';
import { accessLog } from './plugins/access-log/access-log.ts';
import { cors } from './plugins/cors.ts';
import { description } from './plugins/description.ts';
import { health } from './plugins/health.ts';
import { type Gauge, metrics } from './plugins/metrics/metrics.ts';
import { staticSite } from './plugins/static-site.ts';
import { swaggerPage } from './plugins/swagger-page/swagger-page.ts';
import { verification } from './plugins/verification.ts';
import { quarterOfHeap } from './settings/quarter-of-heap.ts';
import type { Settings } from './settings/settings.ts';
import { todo } from './todo/todo.ts';

/** The service, ready to start and listen. */
export interface App {
  readonly service: HttpService;
  readonly application: RunnableApplication;
}

/** Composes the service. Rejects with one line for a plugin file that cannot be used. */
export async function app(settings: Settings): Promise<App> {
  const { propertyNaming: naming, model, maxItems, staticRoot, basePath } = settings;
  const items = todo({ naming, model, maxItems, maxBytes: settings.maxStoreBytes ?? quarterOfHeap });
  const verifying = settings.verifyDescription ? verification(naming) : undefined;
  const forwarding = settings.trustedProxies.length > 0 ? forwardingBy(settings) : undefined;
  const gauges: readonly Gauge[] = [
    { name: 'todo_store_items', help: 'Items in the store', read: () => items.store.size },
    { name: 'todo_store_bytes', help: 'Memory that the items take', read: () => items.store.bytes },
    { name: 'http_body_bytes', help: 'Memory that bodies of requests take', read: () => service.bodyMemory },
    { name: 'http_connections', help: 'Open connections', read: () => service.connections.size },
  ];

  const plugins: readonly Plugin[] = [
    verifying?.plugin,
    settings.accessLog !== undefined &&
      accessLog({ descriptor: settings.accessLog, ...(forwarding && { remoteAddress: forwarding.remoteAddress }) }),
    settings.metrics && metrics({ gauges }),
    settings.corsOrigins.length > 0 && cors({ origins: settings.corsOrigins }),
    settings.healthChecks && health({ ready: () => service.ready }),
    swaggerPage({ folder: staticRoot, ...(forwarding && { secure: forwarding.secure }) }),
    staticRoot !== undefined && staticSite({ root: staticRoot }),
    items,
    description({ ...descriptionOf(settings), lazy: settings.plugin.length === 0 }),
    ...(await loadPlugins(settings.plugin)),
  ].filter((plugin) => typeof plugin === 'object');

  const composed = application(plugins, { naming, ...(verifying && { verify: verifying.verify }) });
  const service: HttpService = new HttpService(composed.handler, {
    limits: settings,
    basePath,
    refuse: composed.refuse,
    ...(forwarding && { prefixOf: forwarding.prefixOf }),
  });
  return { service, application: composed };
}

/** What trusted proxies say of a request (D18). */
function forwardingBy({ trustedProxies: proxies, forwardedHeaders: family }: Settings) {
  const trusted = trustedProxies(proxies);
  return {
    secure: ({ request }: { readonly request: IncomingMessage }) =>
      forwarded(request, trusted, family).protocol === 'https',
    prefixOf: (request: IncomingMessage) => forwarded(request, trusted, family).prefix,
    remoteAddress: ({ request }: { readonly request: IncomingMessage }) =>
      forwarded(request, trusted, family).remoteAddress,
  };
}

/** What the settings say of the description. */
export const descriptionOf = (settings: Settings) => ({
  title: settings.title,
  version: settings.infoVersion,
  description: settings.description,
  termsOfService: settings.termsOfService,
  contact: { name: settings.contactName, url: settings.contactUrl, email: settings.contactEmail },
  license: { name: settings.licenseName, url: settings.licenseUrl },
  basePath: settings.basePath,
  comments: settings.comments,
  naming: settings.propertyNaming,
});
