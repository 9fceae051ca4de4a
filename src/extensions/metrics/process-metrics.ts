/**
 * Measures the process: memory, CPU time and the delay of the event loop.
 *
 * Measuring the delay wakes the process fifty times a second, so it begins when the plugin starts.
 */
import { type Family, gauge } from './exposition.ts';

/** A running measurement of the event loop delay. */
export interface EventLoopDelay {
  /** The mean, the 99th percentile and the maximum since the last call, in seconds. */
  take(): { readonly mean: number; readonly p99: number; readonly max: number };
  stop(): void;
}

/** Milliseconds between two samples. */
const RESOLUTION = 20;

/** The figures of `take`, in words. */
const LATENESS: Readonly<Record<string, string>> = {
  mean: 'Mean lateness of the event loop',
  p99: '99th percentile of the lateness of the event loop',
  max: 'Greatest lateness of the event loop',
};

/** Starts the measurement. */
export async function watchEventLoop(): Promise<EventLoopDelay> {
  const { monitorEventLoopDelay } = await import('node:perf_hooks');
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  // The histogram holds the time between two samples, of which the resolution is no delay. A first mean is NaN.
  const late = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000) : 0;
  return {
    take() {
      const { mean, max } = histogram;
      const figures = { mean: late(mean), p99: late(histogram.percentile(99)), max: late(max) };
      histogram.reset();
      return figures;
    },
    stop: () => void histogram.disable(),
  };
}

/** The metrics of the process now. Without `delay`, those of the event loop are left out. */
export function processFamilies(delay: EventLoopDelay | undefined): readonly Family[] {
  const heap = process.getBuiltinModule('node:v8').getHeapStatistics();
  const { user, system } = process.cpuUsage();
  const seconds = (user + system) / 1e6;
  const rss = residentMemory();
  return [
    { name: 'process_cpu_seconds_total', type: 'counter', help: 'Processor time used', samples: [{ value: seconds }] },
    gauge('process_start_time_seconds', 'When the process began, in seconds since 1970', performance.timeOrigin / 1000),
    ...(rss === undefined ? [] : [gauge('process_resident_memory_bytes', 'Memory of the process', rss)]),
    gauge('nodejs_heap_used_bytes', 'Heap in use', heap.used_heap_size),
    gauge('nodejs_heap_total_bytes', 'Heap reserved', heap.total_heap_size),
    gauge('nodejs_heap_limit_bytes', 'Most that the heap may grow to', heap.heap_size_limit),
    ...Object.entries(delay?.take() ?? {}).map(([figure, value]) =>
      gauge(`nodejs_eventloop_delay_${figure}_seconds`, `${LATENESS[figure]} since the last question`, value),
    ),
  ];
}

/** Undefined where the system does not report it, such as without `/proc`. */
function residentMemory(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
