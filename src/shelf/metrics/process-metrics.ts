/**
 * Measures the process and Node. The metrics have the names and units of `prom-client`, so that existing dashboards
 * work. Its gauges whose names end in `_total` are omitted, because `promtool` rejects them (D115).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { family, Histogram, labelText, single } from './families.ts';

/** The milliseconds between two samples of the event loop. */
const RESOLUTION = 20;
/**
 * The milliseconds after which a new measurement of the event loop begins. A request of `/metrics` does not begin a new
 * one, so that several clients can read the same measurement. By default, Prometheus reads once a minute (D115).
 */
const WINDOW = 60_000;
const LAG_HELP = 'Lateness of the event loop in the last whole minute';
/** The kinds of garbage collection by their number in `perf_hooks`. */
const GC_KINDS: Readonly<Record<number, string>> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weakcb' };

/**
 * Returns the `text` of the metrics. The event loop and garbage collections are measured from `start` to `stop`. The
 * measurement of the event loop wakes the process fifty times a second.
 */
export function processMetrics(): { start(): void; stop(): void; text(): string } {
  const collections = new Histogram([0.001, 0.01, 0.1, 1, 2, 5]);
  let delays: IntervalHistogram | undefined;
  let lastMinute: Lag | undefined;
  let observer: PerformanceObserver | undefined;
  let timer: NodeJS.Timeout | undefined;

  function lagText(delays: IntervalHistogram): string {
    const current = lagOf(delays);
    const shown = { ...(lastMinute ?? current), max: Math.max(current.max, lastMinute?.max ?? 0) };
    return Object.entries({ '': shown.mean, ...shown })
      .map(([figure, seconds]) =>
        single('gauge', `nodejs_eventloop_lag_${figure && `${figure}_`}seconds`, LAG_HELP, () => seconds),
      )
      .join('');
  }

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
          collections.observe(labelText({ kind: GC_KINDS[kind] ?? 'other' }), entry.duration / 1000);
        }
      });
      observer.observe({ entryTypes: ['gc'] });
    },
    stop() {
      clearInterval(timer);
      delays?.disable();
      observer?.disconnect();
    },
    text() {
      const { user, system } = process.cpuUsage();
      const heap = v8.getHeapStatistics();
      return [
        single('counter', 'process_cpu_user_seconds_total', 'Processor time of the program', () => user / 1e6),
        single('counter', 'process_cpu_system_seconds_total', 'Processor time of the system', () => system / 1e6),
        single('counter', 'process_cpu_seconds_total', 'Processor time used', () => (user + system) / 1e6),
        single('gauge', 'process_start_time_seconds', 'Start of the process', () => performance.timeOrigin / 1000),
        single('gauge', 'process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss()),
        // Only Linux has these files, and the process may not have the permission to read them.
        single('gauge', 'process_open_fds', 'Open file descriptors', () => readdirSync('/proc/self/fd').length - 1),
        single('gauge', 'process_max_fds', 'Maximum number of open file descriptors', maxDescriptors),
        single('gauge', 'nodejs_heap_size_used_bytes', 'Heap in use', () => heap.used_heap_size),
        single('gauge', 'nodejs_heap_size_total_bytes', 'Heap reserved', () => heap.total_heap_size),
        single('gauge', 'nodejs_heap_size_limit_bytes', 'Maximum size of the heap', () => heap.heap_size_limit),
        // `process.memoryUsage()` returns the same number, but also opens a file, which fails if no descriptor is free.
        single('gauge', 'nodejs_external_memory_bytes', 'Memory outside of the heap', () => heap.external_memory),
        ...heapSpaces(),
        family('gauge', 'nodejs_version_info', 'Version of Node', [[VERSION, 1]]),
        delays === undefined ? '' : lagText(delays),
        collections.text('nodejs_gc_duration_seconds', 'Time of garbage collections'),
      ].join('');
    },
  };
}

const maxDescriptors = (): number =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))![1]);

const [major, minor, patch] = process.versions.node.split('.') as [string, string, string];
const VERSION = labelText({ version: process.version, major, minor, patch });

const SIZES = { total: 'space_size', used: 'space_used_size', available: 'space_available_size' } as const;

function heapSpaces(): readonly string[] {
  const spaces = v8.getHeapSpaceStatistics();
  return Object.entries(SIZES).map(([size, member]) =>
    family(
      'gauge',
      `nodejs_heap_space_size_${size}_bytes`,
      `Space of the heap, ${size}`,
      spaces.map((space) => [labelText({ space: space.space_name.replace(/_space$/, '') }), space[member]]),
    ),
  );
}

type Lag = Readonly<Record<'mean' | 'min' | 'max' | 'stddev' | 'p50' | 'p90' | 'p99', number>>;

/** Returns the lag in seconds. It subtracts `RESOLUTION`, because the histogram has the times between two samples. */
function lagOf(delays: IntervalHistogram): Lag {
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
