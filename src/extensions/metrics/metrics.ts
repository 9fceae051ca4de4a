/**
 * Serves the metrics of the service at `/metrics` in the Prometheus text format 0.0.4.
 *
 * Labels take their values from small fixed sets: the known methods and the class of the status. A label that a client
 * chooses, such as the path, would let clients fill the memory.
 */

import { article, assertOptions, isGetOrHead, logError, observed, quoted } from '../../extending.ts';
import { fallsThrough } from '../../http.ts';
import { type Context, type Handler, type Plugin, type Reply, type Stage, text, withHeaders } from '../../index.ts';
import { exposition, type Family, gauge, type Sample } from './exposition.ts';
import { type EventLoopDelay, processFamilies, watchEventLoop } from './process-metrics.ts';

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
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
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
  let answered = 0;
  let seconds = 0;
  let running = 0;
  let delay: EventLoopDelay | undefined;

  function counted(context: Context, next: Handler): Reply | Promise<Reply> {
    const started = performance.now();
    running++;
    return observed(context, next, (status, reply) => {
      running--;
      // A host around the service answers it (D78).
      if (fallsThrough(reply, context)) return;
      const took = (performance.now() - started) / 1000;
      const bucket = BOUNDS.findIndex((bound) => took <= bound);
      const labels = `method="${METHODS.has(context.method) ? context.method : 'other'}",status="${Math.floor(status / 100)}xx"`;
      counts.set(labels, (counts.get(labels) ?? 0) + 1);
      if (bucket >= 0) buckets[bucket]!++;
      answered++;
      seconds += took;
    });
  }

  function ownFamilies(): Family[] {
    let below = 0;
    const bucket = (bound: unknown, value: number): Sample => ({ suffix: '_bucket', labels: `le="${bound}"`, value });
    const durations = BOUNDS.map((bound, at) => bucket(bound, (below += buckets[at]!)));
    durations.push(bucket('+Inf', answered), { suffix: '_sum', value: seconds }, { suffix: '_count', value: answered });
    const requests = [...counts].map(([labels, value]) => ({ labels, value }));
    const help = 'Time until the answer was decided';
    return [
      { name: 'http_requests_total', type: 'counter', help: 'Requests answered', samples: requests },
      { name: 'http_request_duration_seconds', type: 'histogram', help, samples: durations },
      gauge('http_requests_in_flight', 'Requests that are being answered', running),
    ];
  }

  const names = [...ownFamilies(), ...processFamilies(NO_DELAY)].map(({ name }) => name);
  for (const one of gauges) {
    assertGauge(one, names);
    names.push(one.name);
  }

  const metrics: Stage = (context, next) => {
    if (!isGetOrHead(context, '/metrics')) return next(context);
    const further = gauges.flatMap((one) => familyOf(one, context));
    const families = [...ownFamilies(), ...further, ...processFamilies(delay)];
    return withHeaders(text(exposition(families)), { 'Content-Type': FORMAT, 'Cache-Control': 'no-store' });
  };
  return {
    name: 'metrics',
    outerStages: [counted],
    stages: [metrics],
    async start() {
      delay = await watchEventLoop();
    },
    stop: () => delay?.stop(),
  };
}

/** Stands for a measurement where the names of the metrics alone are asked for. */
const NO_DELAY: EventLoopDelay = { take: () => ({ mean: 0, p99: 0, max: 0 }), stop() {} };

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

/** The metric of a gauge; none where it cannot be read, so that the others are shown. */
function familyOf(one: Gauge, context: Context): Family[] {
  try {
    const value: unknown = one.read();
    if (typeof value === 'number') return [gauge(one.name, one.help, value)];
    if (value instanceof Promise) value.catch((error: unknown) => logError(error, context));
    throw new TypeError(
      `Cannot show the figure "${one.name}": its read has returned ${article(typeof value)}, not a number`,
    );
  } catch (error) {
    logError(error, context);
    return [];
  }
}
