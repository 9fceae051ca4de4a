/**
 * Creates the metrics of the process and of Node. They have the names and units of `prom-client`, so that existing
 * dashboards work. Its gauges whose names end in `_total` are omitted, because `promtool` rejects them (D115).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { attempt } from '../../core/log/thrown-value.ts';
import type { MetricMaker } from './metric.ts';

const COUNTERS: readonly (readonly [name: string, help: string, collect: () => number])[] = [
  ['process_cpu_user_seconds_total', 'Processor time of the program', () => process.cpuUsage().user / 1e6],
  [
    'process_cpu_system_seconds_total',
    'Processor time of the system for the program',
    () => process.cpuUsage().system / 1e6,
  ],
  [
    'process_cpu_seconds_total',
    'Processor time used',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  ],
];

/** The gauges without labels. If `collect` throws on this system, the reply omits the metric. */
const GAUGES: readonly (readonly [name: string, help: string, collect: () => number])[] = [
  ['process_start_time_seconds', 'Start of the process, in seconds since 1970', () => performance.timeOrigin / 1000],
  // Some systems do not report this number, for example a Linux without `/proc`.
  ['process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss()],
  // Only Linux has these files, and the process may not have the permission to read them.
  ['process_open_fds', 'Open file descriptors', () => readdirSync('/proc/self/fd').length - 1],
  [
    'process_max_fds',
    'Maximum number of open file descriptors',
    () => Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))![1]),
  ],
  ['nodejs_heap_size_used_bytes', 'Heap in use', () => v8.getHeapStatistics().used_heap_size],
  ['nodejs_heap_size_total_bytes', 'Heap reserved', () => v8.getHeapStatistics().total_heap_size],
  ['nodejs_heap_size_limit_bytes', 'Maximum size of the heap', () => v8.getHeapStatistics().heap_size_limit],
  // `process.memoryUsage()` returns the same number, but also opens a file, which fails if no descriptor is free.
  ['nodejs_external_memory_bytes', 'Memory outside of the heap', () => v8.getHeapStatistics().external_memory],
];

/** The milliseconds between two samples of the event loop. */
const RESOLUTION = 20;
/**
 * The milliseconds after which a new measurement of the event loop begins. A request of `/metrics` does not begin a new
 * one, so that several clients can read the same measurement. By default, Prometheus reads once a minute (D115).
 */
const WINDOW = 60_000;
const LAG = ['mean', 'min', 'max', 'stddev', 'p50', 'p90', 'p99'] as const;
/** The kinds of garbage collection by their number in `perf_hooks`. */
const GC_KINDS: Readonly<Record<number, string>> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weakcb' };

/** Creates the metrics. After `start`, the measurement of the event loop wakes the process fifty times a second. */
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
          .map((space) => [{ space: space.space_name.replace(/_space$/, '') }, space[member]] as const),
    });
  }
  const [major, minor, patch] = process.versions.node.split('.') as [string, string, string];
  const labels = ['version', 'major', 'minor', 'patch'] as const;
  gauge('nodejs_version_info', { help: 'Version of Node', labels }).set(
    { version: process.version, major, minor, patch },
    1,
  );

  let delays: IntervalHistogram | undefined;
  let lastMinute: ReturnType<typeof lagOf> | undefined;
  for (const figure of ['', ...LAG] as const)
    gauge(`nodejs_eventloop_lag_${figure && `${figure}_`}seconds`, {
      help: `Lateness of the event loop, ${figure || 'mean'} of the last whole minute${figure === 'max' ? ' and of this one' : ''}`,
      collect() {
        if (delays === undefined) return undefined;
        const current = lagOf(delays);
        return figure === 'max'
          ? Math.max(current.max, lastMinute?.max ?? 0)
          : (lastMinute ?? current)[figure || 'mean'];
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
      const measured = monitorEventLoopDelay({ resolution: RESOLUTION });
      delays = measured;
      measured.enable();
      timer = setInterval(() => {
        lastMinute = lagOf(measured);
        measured.reset();
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
      delays?.disable();
      observer?.disconnect();
    },
  };
}

/** Returns the lag in seconds. It subtracts `RESOLUTION`, because the histogram has the times between two samples. */
function lagOf(delays: IntervalHistogram): Readonly<Record<(typeof LAG)[number], number>> {
  // Without a sample, the mean of the histogram is NaN, and the minimum is a very large number.
  const seconds = (nanoseconds: number, interval = RESOLUTION): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - interval / 1000);
  return {
    ...{ mean: seconds(delays.mean), min: seconds(delays.min), max: seconds(delays.max) },
    stddev: seconds(delays.stddev, 0),
    p50: seconds(delays.percentile(50)),
    p90: seconds(delays.percentile(90)),
    p99: seconds(delays.percentile(99)),
  };
}
