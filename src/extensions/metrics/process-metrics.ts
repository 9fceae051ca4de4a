/** The metrics of the process: processor time, memory, and how late the event loop is. */
import type { IntervalHistogram } from 'node:perf_hooks';
import { attempt } from '../../extending.ts';
import type { ReadOptions } from './metric.ts';

type Figures = Readonly<Record<string, readonly [help: string, collect: NonNullable<ReadOptions['collect']>]>>;

/** What only goes up. */
export const PROCESS_COUNTERS: Figures = {
  process_cpu_seconds_total: [
    'Processor time used',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  ],
};

const heap = () => process.getBuiltinModule('node:v8').getHeapStatistics();

/** What goes up and down. */
export const PROCESS_GAUGES: Figures = {
  process_start_time_seconds: ['When the process began, in seconds since 1970', () => performance.timeOrigin / 1000],
  // Some systems do not report it, such as those without `/proc`.
  process_resident_memory_bytes: ['Memory of the process', () => attempt(() => process.memoryUsage.rss(), undefined)],
  nodejs_heap_used_bytes: ['Heap in use', () => heap().used_heap_size],
  nodejs_heap_total_bytes: ['Heap reserved', () => heap().total_heap_size],
  nodejs_heap_limit_bytes: ['Most that the heap may grow to', () => heap().heap_size_limit],
};

/** Milliseconds between two samples. */
const RESOLUTION = 20;

/** The lateness of the event loop since the last question. It wakes the process fifty times a second once started. */
export function eventLoopDelay() {
  let histogram: IntervalHistogram | undefined;
  // The histogram holds the time between two samples, of which the resolution is no delay. A first mean is NaN.
  const seconds = (nanoseconds = 0): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000) : 0;
  const behind = 'lateness of the event loop since the last question';
  const gauges: Figures = {
    nodejs_eventloop_delay_mean_seconds: [`Mean ${behind}`, () => histogram && seconds(histogram.mean)],
    nodejs_eventloop_delay_p99_seconds: [
      `99th percentile of the ${behind}`,
      () => histogram && seconds(histogram.percentile(99)),
    ],
    // The last that is asked.
    nodejs_eventloop_delay_max_seconds: [
      `Greatest ${behind}`,
      () => {
        const greatest = histogram && seconds(histogram.max);
        histogram?.reset();
        return greatest;
      },
    ],
  };
  return {
    gauges,
    start(): void {
      histogram = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: RESOLUTION });
      histogram.enable();
    },
    stop: (): void => void histogram?.disable(),
  };
}
