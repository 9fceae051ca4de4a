/** The metrics of the process and of Node, with names and units as dashboards know them from `prom-client`. */
import { readdirSync, readFileSync } from 'node:fs';
import type { IntervalHistogram, PerformanceObserver } from 'node:perf_hooks';
import { attempt } from '../../core/log/thrown-value.ts';
import type { MetricMaker } from './metric.ts';

const cpu = (user: 0 | 1, system: 0 | 1) => (): number => {
  const used = process.cpuUsage();
  return (user * used.user + system * used.system) / 1e6;
};
const heap = () => process.getBuiltinModule('node:v8').getHeapStatistics();
const spaces = (size: 'space_size' | 'space_used_size' | 'space_available_size') => () =>
  process
    .getBuiltinModule('node:v8')
    .getHeapSpaceStatistics()
    .map((one) => [{ space: one.space_name.replace(/_space$/, '') }, one[size]] as const);
// Only Linux has these files, and a process may have no right to read them.
const openFiles = () => attempt(() => readdirSync('/proc/self/fd').length - 1, undefined);
const mostFiles = () =>
  attempt(() => Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))![1]), undefined);

/** Milliseconds between two samples of the event loop. */
const RESOLUTION = 20;
/** Time of one set of figures of the event loop, in milliseconds: no scrape ends it, so any number may read. */
const WINDOW = 60_000;
const LAG = ['mean', 'min', 'max', 'stddev', 'p50', 'p90', 'p99'] as const;
/** What `perf_hooks` calls the kinds of garbage collection. */
const GC_KINDS: Readonly<Record<number, string>> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weakcb' };

/** Makes them. Once started, the event loop is watched, which wakes the process fifty times a second. */
export function processMetrics({ counter, gauge, histogram }: MetricMaker): { start(): void; stop(): void } {
  counter('process_cpu_user_seconds_total', { help: 'Processor time of the program', collect: cpu(1, 0) });
  counter('process_cpu_system_seconds_total', { help: 'Processor time of the system for it', collect: cpu(0, 1) });
  counter('process_cpu_seconds_total', { help: 'Processor time used', collect: cpu(1, 1) });
  gauge('process_start_time_seconds', {
    help: 'When the process began, in seconds since 1970',
    collect: () => performance.timeOrigin / 1000,
  });
  gauge('process_resident_memory_bytes', {
    help: 'Memory of the process',
    // Some systems do not report it, such as those without `/proc`.
    collect: () => attempt(() => process.memoryUsage.rss(), undefined),
  });
  gauge('process_open_fds', { help: 'Open file descriptors', collect: openFiles });
  gauge('process_max_fds', { help: 'Most file descriptors', collect: mostFiles });
  gauge('nodejs_heap_size_used_bytes', { help: 'Heap in use', collect: () => heap().used_heap_size });
  gauge('nodejs_heap_size_total_bytes', { help: 'Heap reserved', collect: () => heap().total_heap_size });
  gauge('nodejs_heap_size_limit_bytes', {
    help: 'Most that the heap may grow to',
    collect: () => heap().heap_size_limit,
  });
  gauge('nodejs_external_memory_bytes', {
    help: 'Memory outside of the heap',
    // `memoryUsage()` has the same number, and opens a file for another: no descriptor may be left.
    collect: () => heap().external_memory,
  });
  for (const [name, size] of [
    ['total', 'space_size'],
    ['used', 'space_used_size'],
    ['available', 'space_available_size'],
  ] as const)
    gauge(`nodejs_heap_space_size_${name}_bytes`, {
      help: `Space of the heap, ${name}`,
      labels: ['space'],
      maxSeries: 100,
      collect: spaces(size),
    });
  const [major, minor, patch] = process.versions.node.split('.') as [string, string, string];
  gauge('nodejs_version_info', {
    help: 'Version of Node',
    labels: ['version', 'major', 'minor', 'patch'],
  }).set({ version: process.version, major, minor, patch }, 1);

  let watched: IntervalHistogram | undefined;
  let former: ReturnType<typeof lagOf> | undefined;
  for (const figure of ['', ...LAG] as const)
    gauge(`nodejs_eventloop_lag_${figure && `${figure}_`}seconds`, {
      help: `Lateness of the event loop, ${figure || 'mean'} of the last whole minute${figure === 'max' ? ' and of this one' : ''}`,
      collect() {
        if (watched === undefined) return undefined;
        const { max, ...current } = lagOf(watched);
        return figure === 'max' ? Math.max(max, former?.max ?? 0) : (former ?? current)[figure || 'mean'];
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
      const { PerformanceObserver, monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
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
    ...{
      p50: seconds(delays.percentile(50)),
      p90: seconds(delays.percentile(90)),
      p99: seconds(delays.percentile(99)),
    },
  };
}
