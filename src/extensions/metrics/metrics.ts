/**
 * Serves the metrics of the service at `/metrics` in the Prometheus text format 0.0.4. Labels take their values from
 * small fixed sets: one that a client chooses, such as the path, would let clients fill the memory.
 */
import type { IntervalHistogram } from 'node:perf_hooks';
import { article, assertOptions, attempt, isGetOrHead, logError, observed, quoted } from '../../extending.ts';
import { fallsThrough } from '../../http.ts';
import { type Context, type Handler, type Plugin, type Reply, type Stage, text, withHeaders } from '../../index.ts';

/** A metric of another part of the application; `read` is called for each request of `/metrics`. */
export interface Gauge {
  /** Letters, digits, `_` and `:`, with the unit at the end. */
  readonly name: string;
  readonly help: string;
  /** Where it throws, or returns what is no number, the metric is left out of the reply and the error is logged. */
  read(): number;
}

/** Metrics in addition to those of the requests and of the process. */
export interface MetricsOptions {
  readonly gauges?: readonly Gauge[];
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The upper bounds of the buckets in seconds. A reply from memory takes tens of microseconds. */
const BOUNDS = [1e-4, 2.5e-4, 5e-4, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves the metrics. Throws a `SyntaxError` for a gauge with an invalid name, a `TypeError` for one whose name is
 * taken, without a text `help`, or whose `read` is no function or an async one.
 *
 *     const uptime = { name: 'uptime_seconds', help: 'Time since the start', read: () => process.uptime() };
 *     const { handler } = application([metrics({ gauges: [uptime] }), todo()]);
 */
export function metrics(options: MetricsOptions = {}): Plugin {
  assertOptions('serve metrics', options, ['gauges']);
  const { gauges = [] } = options;
  const counts = new Map<string, number>();
  const buckets = BOUNDS.map(() => 0);
  let seconds = 0;
  let running = 0;
  let delay: IntervalHistogram | undefined;

  function counted(context: Context, next: Handler): Reply | Promise<Reply> {
    const started = performance.now();
    running++;
    return observed(context, next, (status, reply) => {
      running--;
      // A host around the service answers it (D78).
      if (fallsThrough(reply, context)) return;
      const took = (performance.now() - started) / 1000;
      const labels = `method="${METHODS.has(context.method) ? context.method : 'other'}",status="${Math.floor(status / 100)}xx"`;
      counts.set(labels, (counts.get(labels) ?? 0) + 1);
      buckets[BOUNDS.findIndex((bound) => took <= bound)]!++;
      seconds += took;
    });
  }

  function requestMetrics(): string {
    const requests = Array.from(counts, ([labels, count]) => [`{${labels}}`, count] as const);
    let below = 0;
    const durations: [string, number][] = BOUNDS.map((bound, at) => [
      `_bucket{le="${numeral(bound)}"}`,
      (below += buckets[at]!),
    ]);
    durations.push(['_sum', seconds], ['_count', below]);
    return (
      metric('http_requests_total', 'counter', 'Requests answered', requests) +
      metric('http_request_duration_seconds', 'histogram', 'Time until the answer was decided', durations) +
      gauge('http_requests_in_flight', 'Requests that are being answered', running)
    );
  }

  const own = requestMetrics() + processMetrics() + delayMetrics(undefined);
  const names = Array.from(own.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name!);
  for (const one of gauges) {
    assertGauge(one, names);
    names.push(one.name);
  }

  const metrics: Stage = (context, next) => {
    if (!isGetOrHead(context, '/metrics')) return next(context);
    const further = gauges.map((one) => gaugeText(one, context)).join('');
    const shown = requestMetrics() + further + processMetrics() + (delay ? delayMetrics(delay) : '');
    return withHeaders(text(shown), { 'Content-Type': FORMAT, 'Cache-Control': 'no-store' });
  };
  return {
    name: 'metrics',
    outerStages: [counted],
    stages: [metrics],
    // It wakes the process fifty times a second, so it begins when the plugin starts.
    start() {
      delay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: RESOLUTION });
      delay.enable();
    },
    stop: () => void delay?.disable(),
  };
}

function assertGauge(given: Partial<Gauge> | null | undefined, taken: readonly string[]): void {
  const { name, help, read } = given ?? {};
  const attempt = `Cannot show the figure ${quoted(name)}`;
  if (typeof name !== 'string' || !/^[a-z_:][\w:]*$/i.test(name))
    throw new SyntaxError(`${attempt}: its name is not valid; use letters, digits, "_" and ":"`);
  if (taken.includes(name.replace(/^(http_request_duration_seconds)_(?:bucket|sum|count)$/, '$1')))
    throw new TypeError(`${attempt}: there is a metric of this name; choose another name`);
  if (typeof help !== 'string') throw new TypeError(`${attempt}: it has no help; give a text that says what it is`);
  if (typeof read !== 'function' || Object.prototype.toString.call(read) === '[object AsyncFunction]')
    throw new TypeError(`${attempt}: its read is no function that returns a number at once; give () => number`);
}

/** The metric of a gauge; empty where it cannot be read, so that the others are shown. */
function gaugeText(one: Gauge, context: Context): string {
  try {
    const value: unknown = one.read();
    if (typeof value === 'number') return gauge(one.name, one.help, value);
    if (value instanceof Promise) value.catch((error: unknown) => logError(error, context));
    throw new TypeError(
      `Cannot show the figure "${one.name}": its read has returned ${article(typeof value)}, not a number`,
    );
  } catch (error) {
    logError(error, context);
    return '';
  }
}

type Samples = readonly (readonly [behindName: string, value: number])[];

/** A metric as text. Behind its name, a sample has a suffix, labels such as `{method="GET"}`, or nothing. */
function metric(name: string, type: 'counter' | 'gauge' | 'histogram', help: string, samples: Samples): string {
  const lines = samples.map(([behindName, value]) => `${name}${behindName} ${numeral(value)}\n`);
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** A metric with one value that can go up and down. */
const gauge = (name: string, help: string, value: number): string => metric(name, 'gauge', help, [['', value]]);

const numeral = (value: number): string => String(value).replace(/^(-?)Infinity$/, (_, sign) => `${sign || '+'}Inf`);

/** Milliseconds between two samples. */
const RESOLUTION = 20;

/** The mean, the 99th percentile and the maximum of the delay of the event loop since the last call. */
function delayMetrics(histogram: IntervalHistogram | undefined): string {
  // The histogram holds the time between two samples, of which the resolution is no delay. A first mean is NaN.
  const late = (figure: string, words: string, nanoseconds = 0): string => {
    const seconds = Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000) : 0;
    const help = `${words} lateness of the event loop since the last question`;
    return gauge(`nodejs_eventloop_delay_${figure}_seconds`, help, seconds);
  };
  const shown =
    late('mean', 'Mean', histogram?.mean) +
    late('p99', '99th percentile of the', histogram?.percentile(99)) +
    late('max', 'Greatest', histogram?.max);
  histogram?.reset();
  return shown;
}

/** The metrics of the process now. */
function processMetrics(): string {
  const heap = process.getBuiltinModule('node:v8').getHeapStatistics();
  const { user, system } = process.cpuUsage();
  const resident = attempt(() => process.memoryUsage.rss(), undefined);
  return [
    metric('process_cpu_seconds_total', 'counter', 'Processor time used', [['', (user + system) / 1e6]]),
    gauge('process_start_time_seconds', 'When the process began, in seconds since 1970', performance.timeOrigin / 1000),
    // Some systems do not report it, such as those without `/proc`.
    ...(resident === undefined ? [] : [gauge('process_resident_memory_bytes', 'Memory of the process', resident)]),
    gauge('nodejs_heap_used_bytes', 'Heap in use', heap.used_heap_size),
    gauge('nodejs_heap_total_bytes', 'Heap reserved', heap.total_heap_size),
    gauge('nodejs_heap_limit_bytes', 'Most that the heap may grow to', heap.heap_size_limit),
  ].join('');
}
