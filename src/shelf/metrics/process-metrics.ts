/**
 * Measures the process and Node. The metrics have the names and units of `prom-client`, so that existing dashboards
 * work. Its gauges whose names end in `_total` are omitted, because `promtool` rejects them (D115).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import { family, Histogram, labelText } from './families.ts';

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
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  const collections = new Histogram([0.001, 0.01, 0.1, 1, 2, 5]);
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as unknown as { readonly detail: { readonly kind: number } }).detail;
      collections.observe(labelText({ kind: GC_KINDS[kind] ?? 'other' }), entry.duration / 1000);
    }
  });
  let timer: NodeJS.Timeout | undefined;
  let lastMinute: Lag | undefined;

  function lagText(): string {
    const current = lagOf(delays);
    const shown = lastMinute ?? current;
    return Object.entries({ '': shown.mean, ...shown, max: Math.max(current.max, shown.max) })
      .map(([figure, lag]) =>
        family('gauge', `nodejs_eventloop_lag_${figure && `${figure}_`}seconds`, LAG_HELP, () => lag),
      )
      .join('');
  }

  return {
    start() {
      delays.enable();
      timer = setInterval(() => {
        lastMinute = lagOf(delays);
        delays.reset();
      }, WINDOW).unref();
      observer.observe({ entryTypes: ['gc'] });
    },
    stop() {
      clearInterval(timer);
      delays.disable();
      observer.disconnect();
    },
    text() {
      const pauses = collections.text('nodejs_gc_duration_seconds', 'Time of garbage collections');
      return momentary() + (timer === undefined ? '' : lagText()) + pauses;
    },
  };
}

/** Returns the metrics that Node reports at any time. */
function momentary(): string {
  const { user, system } = process.cpuUsage();
  const heap = v8.getHeapStatistics();
  const [major, minor, patch] = process.versions.node.split('.');
  const version = labelText({ version: process.version, major, minor, patch });
  const spaces = v8.getHeapSpaceStatistics();
  const bySpace = (size: 'space_size' | 'space_used_size' | 'space_available_size') => () =>
    spaces.map((space) => [labelText({ space: space.space_name.replace(/_space$/, '') }), space[size]] as const);
  return [
    family('counter', 'process_cpu_user_seconds_total', 'Processor time of the program', () => user / 1e6),
    family('counter', 'process_cpu_system_seconds_total', 'Processor time of the system', () => system / 1e6),
    family('counter', 'process_cpu_seconds_total', 'Processor time used', () => (user + system) / 1e6),
    family('gauge', 'process_start_time_seconds', 'Start of the process', () => performance.timeOrigin / 1000),
    family('gauge', 'process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss()),
    family('gauge', 'process_memory_limit_bytes', 'Memory of the container, the unit or the machine', memoryLimit),
    // Only Linux has these files, and the process may not have the permission to read them.
    family('gauge', 'process_open_fds', 'Open file descriptors', () => readdirSync('/proc/self/fd').length - 1),
    family('gauge', 'process_max_fds', 'Maximum number of open file descriptors', maxDescriptors),
    family('gauge', 'nodejs_heap_size_used_bytes', 'Heap in use', () => heap.used_heap_size),
    family('gauge', 'nodejs_heap_size_total_bytes', 'Heap reserved', () => heap.total_heap_size),
    family('gauge', 'nodejs_heap_size_limit_bytes', 'Maximum size of the heap', () => heap.heap_size_limit),
    // `process.memoryUsage()` returns the same number, but also opens a file, which fails if no descriptor is free.
    family('gauge', 'nodejs_external_memory_bytes', 'Memory outside of the heap', () => heap.external_memory),
    family('gauge', 'nodejs_heap_space_size_total_bytes', 'Heap reserved, by space', bySpace('space_size')),
    family('gauge', 'nodejs_heap_space_size_used_bytes', 'Heap in use, by space', bySpace('space_used_size')),
    family('gauge', 'nodejs_heap_space_size_available_bytes', 'Free heap, by space', bySpace('space_available_size')),
    family('gauge', 'nodejs_version_info', 'Version of Node', () => [[version, 1]]),
  ].join('');
}

const maxDescriptors = (): number =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))![1]);

/** Without a limit of the container or the unit, `constrainedMemory` returns 0 or a number above all memory. */
const memoryLimit = (): number => Math.min(process.constrainedMemory() || Infinity, totalmem());

type Lag = Readonly<Record<'mean' | 'min' | 'max' | 'stddev' | 'p50' | 'p90' | 'p99', number>>;

/** Returns the lag in seconds. It subtracts `RESOLUTION`, because the histogram has the times between two samples. */
function lagOf(delays: IntervalHistogram): Lag {
  // Without a sample, the mean of the histogram is NaN, and the minimum is a very large number.
  const seconds = (nanoseconds: number, interval = RESOLUTION): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - interval / 1000);
  return {
    mean: seconds(delays.mean),
    min: seconds(delays.min),
    max: seconds(delays.max),
    stddev: seconds(delays.stddev, 0),
    p50: seconds(delays.percentile(50)),
    p90: seconds(delays.percentile(90)),
    p99: seconds(delays.percentile(99)),
  };
}
