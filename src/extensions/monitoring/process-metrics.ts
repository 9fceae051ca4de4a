/** The metrics of the process and of Node, with names and units as dashboards know them from `prom-client`. */
import { readdirSync, readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { attempt } from '../../core/log/thrown-value.ts';
import type { MetricMaker } from './metric.ts';

const COUNTERS: readonly (readonly [name: string, help: string, collect: () => number])[] = [
  ['process_cpu_user_seconds_total', 'Processor time of the program', () => process.cpuUsage().user / 1e6],
  ['process_cpu_system_seconds_total', 'Processor time of the system for it', () => process.cpuUsage().system / 1e6],
  [
    'process_cpu_seconds_total',
    'Processor time used',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  ],
];

/** A figure that the system does not tell is left out. */
const GAUGES: readonly (readonly [name: string, help: string, collect: () => number])[] = [
  ['process_start_time_seconds', 'When the process began, in seconds since 1970', () => performance.timeOrigin / 1000],
  // Some systems do not report it, such as those without `/proc`.
  ['process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss()],
  // Only Linux has these files, and a process may have no right to read them.
  ['process_open_fds', 'Open file descriptors', () => readdirSync('/proc/self/fd').length - 1],
  [
    'process_max_fds',
    'Most file descriptors',
    () => Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))![1]),
  ],
  ['nodejs_heap_size_used_bytes', 'Heap in use', () => v8.getHeapStatistics().used_heap_size],
  ['nodejs_heap_size_total_bytes', 'Heap reserved', () => v8.getHeapStatistics().total_heap_size],
  ['nodejs_heap_size_limit_bytes', 'Most that the heap may grow to', () => v8.getHeapStatistics().heap_size_limit],
  // `memoryUsage()` has the same number, and opens a file for another: no descriptor may be left.
  ['nodejs_external_memory_bytes', 'Memory outside of the heap', () => v8.getHeapStatistics().external_memory],
];

/** Milliseconds between two samples of the event loop. */
const RESOLUTION = 20;
/** Time of one set of figures of the event loop, in milliseconds: no scrape ends it, so any number may read. */
const WINDOW = 60_000;
const LAG = ['mean', 'min', 'max', 'stddev', 'p50', 'p90', 'p99'] as const;
/** What `perf_hooks` calls the kinds of garbage collection. */
const GC_KINDS: Readonly<Record<number, string>> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weakcb' };

/** Makes them. Once started, the event loop is watched, which wakes the process fifty times a second. */
export function processMetrics({ counter, gauge, histogram }: MetricMaker): { start(): void; stop(): void } {
  for (const [name, help, collect] of COUNTERS) counter(name, { help, collect });
  for (const [name, help, collect] of GAUGES) gauge(name, { help, collect: () => attempt(collect, undefined) });
  for (const size of ['total', 'used', 'available'] as const) {
    const member = size === 'total' ? 'space_size' : (`space_${size}_size` as const);
    gauge(`nodejs_heap_space_size_${size}_bytes`, {
      ...{ help: `Space of the heap, ${size}`, labels: ['space'], maxSeries: 100 },
      collect: () =>
        v8
          .getHeapSpaceStatistics()
          .map((one) => [{ space: one.space_name.replace(/_space$/, '') }, one[member]] as const),
    });
  }
  const [major, minor, patch] = process.versions.node.split('.') as [string, string, string];
  const labels = ['version', 'major', 'minor', 'patch'] as const;
  gauge('nodejs_version_info', { help: 'Version of Node', labels }).set(
    { version: process.version, major, minor, patch },
    1,
  );

  let watched: IntervalHistogram | undefined;
  let former: ReturnType<typeof lagOf> | undefined;
  for (const figure of ['', ...LAG] as const)
    gauge(`nodejs_eventloop_lag_${figure && `${figure}_`}seconds`, {
      help: `Lateness of the event loop, ${figure || 'mean'} of the last whole minute${figure === 'max' ? ' and of this one' : ''}`,
      collect() {
        if (watched === undefined) return undefined;
        const current = lagOf(watched);
        return figure === 'max' ? Math.max(current.max, former?.max ?? 0) : (former ?? current)[figure || 'mean'];
      },
    });
  const collections = histogram('nodejs_gc_duration_seconds', {
    help: 'Time of garbage collections',
    labels: ['kind'],
    buckets: [0.001, 0.01, 0.1, 1, 2, 5],
  });
  let observer: PerformanceObserver | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      const delays = (watched = monitorEventLoopDelay({ resolution: RESOLUTION }));
      delays.enable();
      timer = setInterval(() => {
        former = lagOf(delays);
        delays.reset();
      }, WINDOW).unref();
      observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { kind } = (entry as unknown as { readonly detail: { readonly kind: number } }).detail;
          collections.observe({ kind: GC_KINDS[kind] ?? 'other' }, entry.duration / 1000);
        }
      });
      observer.observe({ entryTypes: ['gc'] });
    },
    stop() {
      clearInterval(timer);
      watched?.disable();
      observer?.disconnect();
    },
  };
}

/** The figures in seconds. The histogram holds the time between two samples, of which the resolution is no delay. */
function lagOf(delays: IntervalHistogram): Readonly<Record<(typeof LAG)[number], number>> {
  // A first mean is NaN, a first minimum the greatest number.
  const seconds = (nanoseconds: number, none = RESOLUTION): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - none / 1000);
  return {
    ...{ mean: seconds(delays.mean), min: seconds(delays.min), max: seconds(delays.max) },
    stddev: seconds(delays.stddev, 0),
    p50: seconds(delays.percentile(50)),
    p90: seconds(delays.percentile(90)),
    p99: seconds(delays.percentile(99)),
  };
}
