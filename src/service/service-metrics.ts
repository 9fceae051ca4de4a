/** Creates the metrics of this service for `--metrics on`. They show its version, its store and its limits. */
import { droppedLines } from '../core/log/log-line.ts';
import type { HttpService } from '../core/server/service.ts';
import { CollectionFull } from '../plugins/collection/collection.ts';
import type { StoreWatch } from '../plugins/collection/lasting-store.ts';
import { family, Histogram, labelText } from '../shelf/metrics/families.ts';
import { metrics } from '../shelf/metrics/metrics.ts';
import { type ItemStore, isReached } from './item-store.ts';
import { adminPlace } from './listening.ts';
import { storeBudget } from './memory-budgets.ts';
import { version } from './settings/help.ts';
import type { Settings } from './settings/settings.ts';

interface Shown {
  readonly service: HttpService;
  readonly store: ItemStore;
  readonly log: { readonly dropped: number } | undefined;
}

/**
 * Returns the `plugin` that measures requests, the `page` that answers `/metrics` on the admin port, and the `watch`
 * that measures the store. Without an admin port, the plugin answers `/metrics` itself. `shown` is called for each
 * request of `/metrics`.
 */
export function serviceMetrics(settings: Settings, shown: () => Shown) {
  const hasAdmin = adminPlace(settings) !== undefined;
  const durations = new Histogram();
  const errors = new Map<string, number>();
  let refusals = 0;
  const watch: StoreWatch = (operation, seconds, error) => {
    const labels = labelText({ operation });
    durations.observe(labels, seconds);
    if (error !== undefined) errors.set(labels, (errors.get(labels) ?? 0) + 1);
    if (error instanceof CollectionFull) refusals++;
  };

  function more(): string {
    const { service, store, log } = shown();
    const { limits } = service;
    const { store: place, maxItems, maxStoreBytes } = settings;
    const limit = (): number => store.limit ?? maxStoreBytes ?? storeBudget();
    const build = labelText({ version: version(), node: process.version });
    const dropped: [string, number][] = [[labelText({ log: 'service' }), droppedLines()]];
    if (log !== undefined) dropped.push([labelText({ log: 'access' }), log.dropped]);
    return [
      family('gauge', 'build_info', 'Version of the service and of Node', () => [[build, 1]]),
      family('gauge', 'http_connections', 'Open connections', () => service.connections.size),
      family('gauge', 'http_connections_limit', 'Most open connections', () => limits.maxConnections),
      family('gauge', 'http_body_bytes', 'Memory used by request bodies', () => service.bodyMemory),
      family('gauge', 'http_body_limit_bytes', 'Most memory for request bodies', () => limits.maxBodyMemory),
      family('counter', 'log_lines_dropped_total', 'Lines that could not be written', () => dropped),
      family('gauge', 'todo_store_items', 'Items in the store', () => store.size),
      family('gauge', 'todo_store_items_limit', 'Most items', () => maxItems),
      family('gauge', 'todo_store_bytes', 'Memory of the items, or bytes of the file and its log', () => store.bytes),
      family('gauge', 'todo_store_limit_bytes', 'Most bytes', () => ('bytes' in store ? limit() : undefined)),
      family('counter', 'todo_store_refused_changes_total', 'Changes without room', () => store.refusals ?? refusals),
      place === 'memory'
        ? ''
        : family('gauge', 'todo_store_up', 'Whether it can be reached', () => Number(isReached(store))),
      family('counter', 'todo_store_reconnections_total', 'Reconnections to a lost store', () => store.reconnections),
      durations.text('todo_store_operation_duration_seconds', 'Duration of one operation, or of one page of the list'),
      family('counter', 'todo_store_errors_total', 'Operations that failed, also for lack of space', () => errors),
    ].join('');
  }

  // With an admin port, no path is ignored, because requests for /health and /metrics do not reach the service's port.
  const { name, parts } = metrics(hasAdmin ? { more, ignored: [] } : { more });
  // The page belongs to another application than the counters, so both are members of plugins without "parts".
  const { stages, ...counts } = parts();
  return { plugin: { name, ...counts, ...(!hasAdmin && { stages }) }, page: { name, stages }, watch };
}
