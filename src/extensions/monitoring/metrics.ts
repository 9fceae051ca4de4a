/**
 * Serves the metrics of the service at `/metrics` in the Prometheus text format 0.0.4, and makes those of other plugins
 * (D99).
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

/** What all metrics have in common, and those of the requests. */
interface MetricsOptions {
  /** Most series of a metric that does not say it; 1000 unless given. */
  readonly maxSeries?: number | undefined;
  /** The upper bounds of `http_request_duration_seconds`, in rising order; 0.1 ms to 10 s unless given. */
  readonly buckets?: readonly number[] | undefined;
  /** Stages in front of `/metrics` alone, such as one that asks for a token. */
  readonly stages?: Pipeline | undefined;
  /** Paths whose requests are not counted, spelled so: `/metrics`, `/health` and `/ready` unless given. */
  readonly ignored?: readonly string[] | undefined;
}

/**
 * The plugin, which makes metrics for others too. Names and labels are checked when a metric is made: a `SyntaxError`
 * for an invalid one, a `TypeError` for one that is taken or reserved and for other mistakes, a `RangeError` for bounds
 * of buckets that do not rise or are not finite.
 */
export interface Metrics extends Plugin, MetricMaker {}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** What watches a service asks for these all the time. */
const OWN_PATHS = ['/metrics', '/health', '/ready'];
/** The labels of a request. The route is the path of its template, `none` where no route has matched. */
const REQUEST = ['method', 'route', 'status'] as const;

/**
 * Serves the metrics and makes more of them. Throws a `TypeError` for an option that means nothing.
 *
 *     const numbers = metrics();
 *     const sent = numbers.counter('mails_sent_total', { help: 'Mails sent', labels: ['kind'] });
 *     numbers.gauge('uptime_seconds', { help: 'Time since the start', collect: () => process.uptime() });
 *     sent.add({ kind: 'reminder' });
 *     const { handler } = application([numbers, todo()]);
 */
export function metrics(options: MetricsOptions = {}): Metrics {
  assertOptions('serve metrics', options, ['maxSeries', 'buckets', 'stages', 'ignored']);
  const { maxSeries = 1000, buckets, stages = [], ignored = OWN_PATHS } = options;
  if (!Array.isArray(stages) || stages.some((stage) => typeof stage !== 'function'))
    throw new TypeError(
      'Cannot serve metrics behind these stages: give a list of [(context, next) => next(context), …]',
    );
  if (!Array.isArray(ignored) || ignored.some((path) => typeof path !== 'string' || !path.startsWith('/')))
    throw new TypeError(`Cannot leave out the requests for ${quoted(ignored)}: give a list of paths, as ['/metrics']`);
  const all: ShownMetric[] = [];

  /** What `make` returns. Throws a `TypeError` for an unknown option and for a name that is taken. */
  function made<Made extends ShownMetric>(
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    options: { readonly maxSeries?: unknown },
    make: (options: object, attempt: string) => Made,
  ): Made {
    const attempt = `Cannot make the ${type} ${quoted(name)}`;
    const known = ['help', 'labels', 'maxSeries', type === 'histogram' ? 'buckets' : 'collect'];
    assertNamed(attempt.replace('Cannot ', ''), options, known);
    const metric = make({ ...options, maxSeries: options.maxSeries ?? maxSeries }, attempt);
    const taken = all.flatMap(({ sampleNames }) => sampleNames);
    const clash = metric.sampleNames.find((one) => taken.includes(one));
    if (clash !== undefined) {
      const which = clash === name ? 'this name' : `the name "${clash}"`;
      throw new TypeError(`${attempt}: there is a metric of ${which}; choose another name`);
    }
    all.push(metric);
    return metric;
  }

  const number = (type: 'counter' | 'gauge', name: string, options: object) =>
    made(type, name, options, (...given) => numberMetric(type, name, ...given));
  const maker: MetricMaker = {
    counter: (name, options) => number('counter', name, options),
    gauge: (name, options) => number('gauge', name, options),
    histogram: (name, options) => made('histogram', name, options, (...given) => histogramMetric(name, ...given)),
  };

  /** The text of all. A metric that cannot be read is left out: the error is logged. */
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
    help: 'Time until the answer was decided',
    labels: REQUEST,
    buckets,
  });
  const refusals = maker.counter('http_refusals_total', {
    help: 'Requests refused before any stage, by the code of the parser, and by limits of the whole service',
    labels: ['reason', 'status'],
    maxSeries: 100,
  });
  // Prometheus sees no increase in a series that begins with its first refusal.
  for (const reason of ['maxConnections', 'maxBodyMemory', 'handlerTimeout']) refusals.add({ reason, status: 503 }, 0);
  let running = 0;
  maker.gauge('http_requests_in_flight', { help: 'Requests that are being answered', collect: () => running });
  const ofProcess = processMetrics(maker);

  function counted(context: Context, next: Handler): Reply | Promise<Reply> {
    if (ignored.includes(context.path)) return next(context);
    const started = performance.now();
    running++;
    return observed(context, next, (status, reply) => {
      running--;
      // A host around the service answers it (D78).
      if (fallsThrough(reply, context)) return;
      const method = METHODS.has(context.method) ? context.method : 'other';
      const labels = { method, route: matchedTemplate(context) ?? 'none', status };
      requests.add(labels);
      durations.observe(labels, (performance.now() - started) / 1000);
    });
  }

  const answer = pipeline(stages, (context) =>
    withHeaders(text(textOf(context)), {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    }),
  );
  const metrics: Stage = (context, next) => (isGetOrHead(context, '/metrics') ? answer(context) : next(context));
  return {
    name: 'metrics',
    outerStages: [counted],
    stages: [metrics],
    refused: ({ reason, status }) => refusals.add({ reason, status }),
    ...ofProcess,
    ...maker,
  };
}
