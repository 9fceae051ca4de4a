/** Creates the metrics of this service for `--metrics on`. They show its version, its store and its limits. */
import { droppedLines } from '../core/log/log-line.ts';
import { attempt } from '../core/log/thrown-value.ts';
import type { HttpService } from '../core/wire/service.ts';
import { CollectionFull } from '../plugins/collection/collection.ts';
import type { StoreWatch } from '../plugins/collection/lasting-store.ts';
import { metrics } from '../shelf/metrics/metrics.ts';
import type { StoreFigures } from './item-store.ts';
import { adminPlace } from './listening.ts';
import { storeBudget } from './memory-budgets.ts';
import { version } from './settings/help.ts';
import type { Settings } from './settings/settings.ts';

/**
 * Returns the `plugin` that measures requests, the `page` that answers `/metrics` on the admin port, and the `watch`
 * that measures the store. Without an admin port, the plugin answers `/metrics` itself. Call the returned `addFigures`
 * after the service and its store have been created.
 */
export function serviceMetrics(settings: Settings) {
  const { store: place, maxItems, maxStoreBytes } = settings;
  const hasAdmin = adminPlace(settings) !== undefined;
  // With an admin port, no path is ignored, because requests for /health and /metrics do not reach the service's port.
  const created = metrics(hasAdmin ? { ignored: [] } : {});
  const { name, stages } = created;
  const plugin = hasAdmin ? { ...created, stages: [] } : created;
  const gauge = (name: string, help: string, collect: () => number | undefined): void =>
    void plugin.gauge(name, { help, collect: () => attempt(collect, undefined) });
  const build = { help: 'Version of the service and of Node', labels: ['version', 'node'] } as const;
  plugin.gauge('build_info', build).set({ version: version(), node: process.version }, 1);
  const duration = plugin.histogram('todo_store_operation_duration_seconds', {
    help: 'Duration of one operation of the store; page is one page of the list',
    labels: ['operation'],
  });
  const errors = plugin.counter('todo_store_errors_total', {
    help: 'Operations of the store that failed, also for lack of space',
    labels: ['operation'],
  });
  let refusals = 0;
  const watch: StoreWatch = (operation, seconds, error) => {
    duration.observe({ operation }, seconds);
    if (error !== undefined) errors.add({ operation });
    if (error instanceof CollectionFull) refusals++;
  };
  const addFigures = (service: HttpService, store: StoreFigures, log?: { readonly dropped: number }): void => {
    const { maxConnections, maxBodyMemory } = service.limits;
    gauge('http_connections', 'Open connections', () => service.connections.size);
    gauge('http_connections_limit', 'Most open connections, and so most requests in flight', () => maxConnections);
    gauge('http_body_bytes', 'Memory used by request bodies', () => service.bodyMemory);
    gauge('http_body_limit_bytes', 'Most memory for request bodies', () => maxBodyMemory);
    plugin.counter('log_lines_dropped_total', {
      help: 'Lines that could not be written',
      labels: ['log'],
      collect: () => [
        [{ log: 'service' }, droppedLines()] as const,
        ...(log === undefined ? [] : [[{ log: 'access' }, log.dropped] as const]),
      ],
    });
    if ('size' in store) gauge('todo_store_items', 'Items in the store', () => store.size);
    if (maxItems < Infinity) gauge('todo_store_items_limit', 'Most items', () => maxItems);
    if ('bytes' in store) {
      const limit = (): number => store.limit ?? maxStoreBytes ?? storeBudget();
      gauge('todo_store_bytes', 'Memory used by items, or bytes of the SQLite file and its WAL', () => store.bytes);
      gauge('todo_store_limit_bytes', 'Upper limit of todo_store_bytes', limit);
    }
    plugin.counter('todo_store_refused_changes_total', {
      help: 'Changes that did not fit into the store',
      collect: () => store.refusals ?? refusals,
    });
    if (place === 'memory') return;
    gauge('todo_store_up', 'Whether the store can be reached', () => Number(store.up));
    const returns = { help: 'Number of reconnections to a lost store', collect: () => store.reconnections };
    plugin.counter('todo_store_reconnections_total', returns);
  };
  return { plugin, page: { name, stages }, watch, addFigures };
}
