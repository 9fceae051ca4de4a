/**
 * Serves the metrics of the service at `/metrics` in the Prometheus text format 0.0.4, and makes those of other plugins
 * (D99).
 */

import type { Plugin } from '../../core/application/plugin.ts';
import type { Context, Handler } from '../../core/message/context.ts';
import { isGetOrHead } from '../../core/message/context.ts';
import { matchedTemplate } from '../../core/message/matched-template.ts';
import { logError } from '../../core/message/problem.ts';
import { text, withHeaders } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { assertOptions, quoted } from '../../core/options/assert-options.ts';
import { observed } from '../../core/pipeline/observed.ts';
import { pipeline } from '../../core/pipeline/pipeline.ts';
import type { Pipeline, Stage } from '../../core/pipeline/stage.ts';
import { fallsThrough } from '../../core/wire/mounted-listener.ts';
import { EXPOSITION, exposition, type MetricFamily } from './exposition.ts';
import { HistogramMetric, type MetricMaker, NumberMetric } from './metric.ts';
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
  const all: (NumberMetric | HistogramMetric)[] = [];
  const taken = new Set<string>();

  function made<Made extends NumberMetric | HistogramMetric>(
    type: MetricFamily['type'],
    name: unknown,
    options: object,
    make: (name: unknown, options: object, attempt: string) => Made,
  ): Made {
    const attempt = `Cannot make the ${type} ${quoted(name)}`;
    const more = { counter: ['collect'], gauge: ['collect'], histogram: ['buckets'] } as const;
    const known = ['help', 'labels', 'maxSeries', ...more[type]] as const;
    assertOptions(attempt.replace('Cannot ', ''), options as Record<(typeof known)[number], unknown>, known);
    const given: { readonly maxSeries?: unknown } = options;
    const metric = make(name, { ...given, maxSeries: given.maxSeries ?? maxSeries }, attempt);
    const names = metric.sampleNames();
    const clash = names.find((one) => taken.has(one));
    if (clash !== undefined) {
      const which = clash === name ? 'this name' : `the name "${clash}"`;
      throw new TypeError(`${attempt}: there is a metric of ${which}; choose another name`);
    }
    for (const one of names) taken.add(one);
    all.push(metric);
    return metric;
  }

  const number = (type: 'counter' | 'gauge', name: unknown, options: object): NumberMetric =>
    made(type, name, options, (...given) => new NumberMetric(type, ...given));
  const histogram = (name: unknown, options: object): HistogramMetric =>
    made('histogram', name, options, (...given) => new HistogramMetric(...given));

  /** Those with their values now. One that cannot be read is left out: the error is logged. */
  function families(context: Context): MetricFamily[] {
    return all.flatMap((metric) => {
      try {
        return metric.family() ?? [];
      } catch (error) {
        logError(error, context);
        return [];
      }
    });
  }

  const requests = number('counter', 'http_requests_total', { help: 'Requests answered', labels: REQUEST });
  const durations = histogram('http_request_duration_seconds', {
    help: 'Time until the answer was decided',
    labels: REQUEST,
    buckets,
  });
  const refusals = number('counter', 'http_refusals_total', {
    help: 'Requests refused before any stage, by the code of the parser, and by limits of the whole service',
    labels: ['reason', 'status'],
    maxSeries: 100,
  });
  // Prometheus sees no increase in a series that begins with its first refusal.
  for (const reason of ['maxConnections', 'maxBodyMemory', 'handlerTimeout']) refusals.add({ reason, status: 503 }, 0);
  let running = 0;
  number('gauge', 'http_requests_in_flight', { help: 'Requests that are being answered', collect: () => running });
  const maker: MetricMaker = {
    counter: (name, options) => number('counter', name, options),
    gauge: (name, options) => number('gauge', name, options),
    histogram,
  };
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
    withHeaders(text(exposition(families(context))), { 'Content-Type': EXPOSITION, 'Cache-Control': 'no-store' }),
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
