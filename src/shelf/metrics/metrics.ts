/** Serves the metrics of the service and the process at `/metrics`, in the text format 0.0.4 of Prometheus (D99). */
import {
  assertOptions,
  fallsThrough,
  isGetOrHead,
  logError,
  logWarning,
  matchedTemplate,
  observed,
  type PluginParts,
  probeSlot,
  quoted,
} from '../../extending.ts';
import {
  type Context,
  type Handler,
  type Pipeline,
  type Plugin,
  pipeline,
  type Reply,
  type Stage,
  text,
  withHeaders,
} from '../../index.ts';
import { family, Histogram, labelText, withoutRepeats } from './families.ts';
import { processMetrics } from './process-metrics.ts';

/** The options of `metrics`. */
interface MetricsOptions {
  /**
   * Returns further families in the same format, or a promise of them, such as `() => register.metrics()` of the package
   * `prom-client`. It is called for each request of `/metrics`. A repeated family is omitted, and the service logs a
   * warning. If the function fails, the reply has only the other metrics, and the service logs the error.
   */
  readonly more?: (() => string | Promise<string>) | undefined;
  /** Stages only for `/metrics`, for example a stage that requires a token. */
  readonly stages?: Pipeline | undefined;
  /** Requests for these case-sensitive paths are not counted. Default: `/metrics`, `/health` and `/ready`. */
  readonly ignored?: readonly string[] | undefined;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The reasons of refusals with 503. */
const LIMITS = ['maxConnections', 'maxBodyMemory', 'handlerTimeout'];
/** The paths that a monitoring system requests regularly. */
const MONITORING_PATHS = ['/metrics', '/health', '/ready'];

/**
 * Returns a plugin that counts requests and serves the metrics. Each application and each mount has separate counters.
 * Throws a `TypeError` for an invalid option.
 *
 *     const items = todo();
 *     const more = () => `# TYPE item_bytes gauge\nitem_bytes ${items.store.bytes}\n`;
 *     const { handler } = application([metrics({ more }), items]);
 */
export function metrics(options: MetricsOptions = {}): Plugin & { parts(): PluginParts } {
  assertOptions('serve metrics', options, ['more', 'stages', 'ignored']);
  const { more = () => '', stages = [], ignored = MONITORING_PATHS } = options;
  if (typeof more !== 'function')
    throw new TypeError(`Cannot serve metrics with "more" as ${quoted(more)}: give a function that returns a text`);
  if (!Array.isArray(stages) || stages.some((stage) => typeof stage !== 'function'))
    throw new TypeError(
      'Cannot serve metrics after these stages: give an array of functions, [(context, next) => next(context), …]',
    );
  if (!Array.isArray(ignored) || ignored.some((path) => typeof path !== 'string' || !path.startsWith('/')))
    throw new TypeError(
      `Cannot ignore the requests for ${quoted(ignored)}: give an array of paths, for example ['/metrics']`,
    );
  return { name: 'metrics', parts: () => partsOf(more, stages, ignored) };
}

function partsOf(more: () => string | Promise<string>, stages: Pipeline, ignored: readonly string[]): PluginParts {
  const requests = new Histogram();
  // These series start at 0. If a series started with the first refusal, Prometheus would not see an increase.
  const refusals = new Map(LIMITS.map((reason) => [labelText({ reason, status: 503 }), 0]));
  const { start, stop, text: processText } = processMetrics();
  let running = 0;

  function counted(context: Context, next: Handler): Reply | Promise<Reply> {
    if (ignored.includes(context.path)) return next(context);
    const started = performance.now();
    running++;
    return observed(context, next, (status, reply) => {
      running--;
      // The framework that has mounted the service answers a request that falls through (D78).
      if (probeSlot.find(context) || fallsThrough(reply, context)) return;
      const method = METHODS.has(context.method) ? context.method : 'other';
      const route = matchedTemplate(context) ?? 'none';
      requests.observe(labelText({ method, route, status }), (performance.now() - started) / 1000);
    });
  }

  const ownText = (): string =>
    [
      family('counter', 'http_requests_total', 'Requests answered', () => requests.counts()),
      requests.text('http_request_duration_seconds', 'Time until the reply was returned'),
      family('counter', 'http_refusals_total', 'Requests refused before any stage, or by a limit', () => refusals),
      family('gauge', 'http_requests_in_flight', 'Requests that are being answered', () => running),
      processText(),
    ].join('');

  async function moreText(context: Context): Promise<string> {
    try {
      const families: unknown = await more();
      if (typeof families === 'string') return `${families}\n`;
      throw new TypeError(`it has returned ${quoted(families)}; return a text in the format of Prometheus`);
    } catch (cause) {
      logError(new Error('Cannot show the metrics of the option "more"', { cause }), context);
      return '';
    }
  }

  const omitted = new Set<string>();
  const page = pipeline(stages, async (context) => {
    const known = omitted.size;
    const shown = withoutRepeats(ownText() + (await moreText(context)), omitted);
    if (omitted.size > known)
      logWarning(
        `/metrics omits ${[...omitted].join(', ')} of the option "more": a family may occur only once, and "# EOF" ends the text`,
      );
    return withHeaders(text(shown), {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    });
  });
  const metrics: Stage = (context, next) => (isGetOrHead(context, '/metrics') ? page(context) : next(context));
  return {
    outerStages: [counted],
    stages: [metrics],
    refused({ reason, status }) {
      const labels = labelText({ reason, status });
      refusals.set(labels, (refusals.get(labels) ?? 0) + 1);
    },
    start,
    stop,
  };
}
