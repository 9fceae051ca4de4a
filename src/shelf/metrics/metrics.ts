/**
 * Serves the metrics of the service and of other plugins at `/metrics`, in the Prometheus text format 0.0.4 (D99).
 */

import type { Plugin } from '../../core/application/plugin.ts';
import { type Context, type Handler, isGetOrHead } from '../../core/message/context.ts';
import { logError } from '../../core/message/error-log.ts';
import { text, withHeaders } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { matchedTemplate } from '../../core/message/request-notes.ts';
import { assertNamed, assertOptions, quoted } from '../../core/options/assert-options.ts';
import { pipeline } from '../../core/pipeline/pipeline.ts';
import { observed, type Pipeline, type Stage } from '../../core/pipeline/stage.ts';
import { fallsThrough } from '../../core/wire/mounted-listener.ts';
import { histogramMetric, type MetricMaker, numberMetric, type ShownMetric } from './metric.ts';
import { processMetrics } from './process-metrics.ts';

export type { Counter, Gauge, Histogram, Labels } from './metric.ts';

/** The options of `metrics`. */
interface MetricsOptions {
  /** The `maxSeries` of metrics that do not set this option. Default: 1000. */
  readonly maxSeries?: number | undefined;
  /** The upper bounds of `http_request_duration_seconds` in rising order. Default: 0.1 ms to 10 s, in seconds. */
  readonly buckets?: readonly number[] | undefined;
  /** Stages only for `/metrics`, for example a stage that requires a token. */
  readonly stages?: Pipeline | undefined;
  /** Requests for these case-sensitive paths are not counted. Default: `/metrics`, `/health` and `/ready`. */
  readonly ignored?: readonly string[] | undefined;
}

/**
 * The plugin, which also creates metrics for other plugins. `counter`, `gauge` and `histogram` throw a `SyntaxError`
 * for an invalid name or label. They throw a `RangeError` for an invalid `maxSeries`, and for buckets that do not rise
 * or are not finite. They throw a `TypeError` for every other mistake, for example a name that is in use.
 */
export interface Metrics extends Plugin, MetricMaker {}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The paths that a monitoring system requests regularly. */
const MONITORING_PATHS = ['/metrics', '/health', '/ready'];
/** The labels of a request. The value of `route` is the template of the route, or `none` if no route matches. */
const REQUEST = ['method', 'route', 'status'] as const;

/**
 * Returns a plugin that serves the metrics, and creates further metrics. Throws a `TypeError` for an invalid option.
 *
 *     const numbers = metrics();
 *     const sent = numbers.counter('mails_sent_total', { help: 'Mails sent', labels: ['kind'] });
 *     numbers.gauge('uptime_seconds', { help: 'Time since the start', collect: () => process.uptime() });
 *     sent.add({ kind: 'reminder' });
 *     const { handler } = application([numbers, todo()]);
 */
export function metrics(options: MetricsOptions = {}): Metrics {
  assertOptions('serve metrics', options, ['maxSeries', 'buckets', 'stages', 'ignored']);
  const { maxSeries = 1000, buckets, stages = [], ignored = MONITORING_PATHS } = options;
  if (!Array.isArray(stages) || stages.some((stage) => typeof stage !== 'function'))
    throw new TypeError(
      'Cannot serve metrics after these stages: give an array of functions, [(context, next) => next(context), …]',
    );
  if (!Array.isArray(ignored) || ignored.some((path) => typeof path !== 'string' || !path.startsWith('/')))
    throw new TypeError(
      `Cannot ignore the requests for ${quoted(ignored)}: give an array of paths, for example ['/metrics']`,
    );
  const all: ShownMetric[] = [];

  /** Adds the metric that `create` returns. Throws a `TypeError` for an unknown option or a name that is in use. */
  function register<Metric extends ShownMetric>(
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    options: { readonly maxSeries?: unknown },
    create: (options: object, attempt: string) => Metric,
  ): Metric {
    const attempt = `Cannot make the ${type} ${quoted(name)}`;
    const known = ['help', 'labels', 'maxSeries', type === 'histogram' ? 'buckets' : 'collect'];
    assertNamed(attempt.replace('Cannot ', ''), options, known);
    const metric = create({ ...options, maxSeries: options.maxSeries ?? maxSeries }, attempt);
    const existing = all.flatMap(({ sampleNames }) => sampleNames);
    const clash = metric.sampleNames.find((sampleName) => existing.includes(sampleName));
    if (clash !== undefined) {
      const which = clash === name ? 'this name' : `the name "${clash}"`;
      throw new TypeError(`${attempt}: another metric has ${which}; choose another name`);
    }
    all.push(metric);
    return metric;
  }

  const number = (type: 'counter' | 'gauge', name: string, options: object) =>
    register(type, name, options, (...rest) => numberMetric(type, name, ...rest));
  const maker: MetricMaker = {
    counter: (name, options) => number('counter', name, options),
    gauge: (name, options) => number('gauge', name, options),
    histogram: (name, options) => register('histogram', name, options, (...rest) => histogramMetric(name, ...rest)),
  };

  /** Returns the text of all metrics. Omits a metric that cannot be read, and logs the error. */
  const textOf = (context: Context): string =>
    all
      .map((metric) => {
        try {
          return metric.text();
        } catch (error) {
          logError(error, context);
          return '';
        }
      })
      .join('');

  const requests = maker.counter('http_requests_total', { help: 'Requests answered', labels: REQUEST });
  const durations = maker.histogram('http_request_duration_seconds', {
    help: 'Time until the reply was returned',
    labels: REQUEST,
    buckets,
  });
  const refusals = maker.counter('http_refusals_total', {
    help: 'Requests refused before any stage, by the code of the parser, and by limits of the whole service',
    labels: ['reason', 'status'],
    maxSeries: 100,
  });
  // These series start at 0. If a series started with the first refusal, Prometheus would not see an increase.
  for (const reason of ['maxConnections', 'maxBodyMemory', 'handlerTimeout']) refusals.add({ reason, status: 503 }, 0);
  let running = 0;
  maker.gauge('http_requests_in_flight', { help: 'Requests that are being answered', collect: () => running });
  const startAndStop = processMetrics(maker);

  function counted(context: Context, next: Handler): Reply | Promise<Reply> {
    if (ignored.includes(context.path)) return next(context);
    const started = performance.now();
    running++;
    return observed(context, next, (status, reply) => {
      running--;
      // The framework that has mounted the service answers this request (D78).
      if (fallsThrough(reply, context)) return;
      const method = METHODS.has(context.method) ? context.method : 'other';
      const labels = { method, route: matchedTemplate(context) ?? 'none', status };
      requests.add(labels);
      durations.observe(labels, (performance.now() - started) / 1000);
    });
  }

  const serveText = pipeline(stages, (context) =>
    withHeaders(text(textOf(context)), {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    }),
  );
  const metrics: Stage = (context, next) => (isGetOrHead(context, '/metrics') ? serveText(context) : next(context));
  return {
    name: 'metrics',
    outerStages: [counted],
    stages: [metrics],
    refused: ({ reason, status }) => refusals.add({ reason, status }),
    ...startAndStop,
    ...maker,
  };
}
