/**
 * Creates counters, gauges and histograms, and writes them in the Prometheus text format 0.0.4. A metric has one series
 * for each combination of label values. The number of series is limited, because clients choose some of the values and
 * could otherwise fill the memory.
 */
import { toUSVString } from 'node:util';
import { logWarning } from '../../core/log/log-line.ts';
import { isObject } from '../../core/log/thrown-value.ts';
import { logError } from '../../core/message/error-log.ts';
import { article, quoted } from '../../core/options/assert-options.ts';

/**
 * A value for each label of a metric. Values are converted to strings: the number 5 and the text "5" are the same
 * value. Only the first 200 characters are used, and U+FFFD replaces a lone surrogate (D99).
 */
export type Labels<Label extends string> = Readonly<Record<Label, string | number | boolean>>;

/** The arguments of a change: the labels, then the value. If the metric has no labels, only the value. */
type Labelled<Label extends string, Value extends readonly unknown[]> = [Label] extends [never]
  ? Value
  : [labels: Labels<Label>, ...value: Value];

/** A metric whose number only rises. */
export interface Counter<Label extends string = never> {
  /**
   * Adds an amount; default: 1. Throws a `RangeError` if the amount is negative or not finite, and a `TypeError` for
   * labels that the metric does not have. After an error, the counter is unchanged.
   */
  add(...change: Labelled<Label, [amount?: number]>): void;
}

/** A metric whose number rises and falls. */
export interface Gauge<Label extends string = never> {
  /** Sets the value. Throws a `RangeError` if it is not finite, and a `TypeError` for labels that the metric lacks. */
  set(...change: Labelled<Label, [value: number]>): void;
  /** Adds an amount, which may be negative; default: 1. Throws the same errors as `set`. */
  add(...change: Labelled<Label, [amount?: number]>): void;
}

/** A metric that shows the distribution of values: for each upper bound, the number of values that do not exceed it. */
export interface Histogram<Label extends string = never> {
  /** Adds a value, in seconds if the metric's name ends in `_seconds`. Throws a `RangeError` if it is not finite. */
  observe(...change: Labelled<Label, [value: number]>): void;
}

/** The options of every metric. */
interface MetricOptions<Label extends string = never> {
  /** A text that explains the metric. */
  readonly help: string;
  /**
   * The names of the labels, which may contain letters, digits and `_`. Each combination of label values is a series.
   * Prometheus reserves the names `le` and `quantile` (D99).
   */
  readonly labels?: readonly Label[] | undefined;
  /** The maximum number of series. Further label values become `other`. Default: the `maxSeries` of `metrics(…)`. */
  readonly maxSeries?: number | undefined;
}

/** The options of a counter or a gauge. */
interface ReadOptions<Label extends string = never> extends MetricOptions<Label> {
  /**
   * Returns the current number. Use this option if the program already stores the number elsewhere. If the function
   * returns undefined, the reply omits the metric. If the metric has labels, the function returns `[labels, number]`
   * for each series; numbers with equal labels are added (D99). The function is called for each request of `/metrics`.
   * If it throws or returns another value, the reply omits the metric, and the service logs the error.
   */
  readonly collect?: (() => Collected<Label>) | undefined;
}

type Collected<Label extends string> = [Label] extends [never]
  ? number | undefined
  : Iterable<readonly [labels: Labels<Label>, value: number]>;

/** The options of a histogram. */
interface HistogramOptions<Label extends string = never> extends MetricOptions<Label> {
  /** The upper bounds in rising order. The bound +Inf is added. Default: 0.1 ms to 10 s, in seconds. */
  readonly buckets?: readonly number[] | undefined;
}

/** Creates metrics. */
export interface MetricMaker {
  counter<const Label extends string = never>(name: string, options: ReadOptions<Label>): Counter<Label>;
  gauge<const Label extends string = never>(name: string, options: ReadOptions<Label>): Gauge<Label>;
  histogram<const Label extends string = never>(name: string, options: HistogramOptions<Label>): Histogram<Label>;
}

/** The default upper bounds, in seconds. They begin at 0.1 ms, because a reply from memory takes less. */
const BUCKETS = [1e-4, 2.5e-4, 5e-4, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The maximum length of a label value, in characters. Longer values are cut, because clients choose some values. */
const MAX_LABEL_LENGTH = 200;

type AnyOptions = { readonly [Option in keyof ReadOptions | 'buckets']?: unknown };
type Sample = readonly [suffix: string, labels: string, value: number];

/** A metric in the reply of `/metrics`. */
export interface ShownMetric {
  readonly sampleNames: readonly string[];
  /** Returns the current lines; an empty string if `collect` returns undefined. Throws if a value cannot be read. */
  text(): string;
}

/** Returns the series of one metric. The key of a series in `all` is the JSON of its label values. */
function seriesOf<Value>(name: unknown, options: AnyOptions, attempt: string, newValue: () => Value) {
  const { help, labels, maxSeries } = options;
  if (typeof name !== 'string' || !/^[a-z_:][a-z\d_:]*$/i.test(name))
    throw new SyntaxError(`${attempt}: its name is not valid; use letters, digits, "_" and ":"`);
  if (typeof help !== 'string')
    throw new TypeError(`${attempt}: the option "help" is missing; give a text that explains the number`);
  const names = labelNames(labels, attempt);
  if (!Number.isInteger(maxSeries) || (maxSeries as number) < 1)
    throw new RangeError(`${attempt}: its maxSeries is ${quoted(maxSeries)}; give a whole number above 0`);
  const hasLabels = names.length > 0;
  const all = new Map<string, { readonly labels: string; value: Value }>();
  let hasOverflowed = false;

  function fail(argument: string, remedy = `give { ${names.join(', ')} }`): never {
    throw new TypeError(`Cannot change the metric "${name}" with ${argument}: ${remedy}`);
  }

  function valuesOf(labels: unknown): readonly string[] {
    if (!isObject(labels)) return fail(`the labels ${quoted(labels)}`);
    const missing = names.find((label) => !Object.hasOwn(labels, label));
    if (missing !== undefined) fail(`no label "${missing}"`);
    const unknown = Object.keys(labels).find((label) => !names.includes(label));
    if (unknown !== undefined) fail(`the label ${quoted(unknown)}`);
    return names.map((label) => {
      const value = labels[label];
      if (['string', 'number', 'boolean'].includes(typeof value))
        return toUSVString(String(value).slice(0, MAX_LABEL_LENGTH));
      return fail(`${article(typeof value)} as the label "${label}"`, 'give a text, a number or a boolean');
    });
  }

  function added(values: readonly string[]): { value: Value } {
    const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
    const labels = names.map((label, at) => `${label}="${escaped(values[at]!)}"`).join(',');
    // The labels are copied, because V8 would keep a long string in memory for a substring of it.
    const series = { labels: Buffer.from(labels).toString(), value: newValue() };
    all.set(JSON.stringify(values), series);
    return series;
  }

  return {
    all,
    hasLabels,

    /** Returns the series with these labels. Throws a `TypeError` for labels that the metric does not have. */
    of(labels?: unknown): { value: Value } {
      const values = hasLabels ? valuesOf(labels) : [];
      const known = all.get(JSON.stringify(values));
      if (known !== undefined) return known;
      if (all.size < (maxSeries as number)) return added(values);
      if (!hasOverflowed)
        logWarning(
          `The metric "${name}" has reached its maxSeries of ${maxSeries}; ` +
            'further series are counted together, with "other" as their label values',
        );
      hasOverflowed = true;
      const others = values.map(() => 'other');
      return all.get(JSON.stringify(others)) ?? added(others);
    },

    finite(value: unknown): number {
      if (Number.isFinite(value)) return value as number;
      const remedy = hasLabels || typeof value !== 'object' ? 'give a finite number' : 'the metric has no labels';
      throw new RangeError(`Cannot change the metric "${name}" by ${quoted(value)}: ${remedy}`);
    },

    /** Returns the lines of the metric. `samplesOf` returns the samples of a series. */
    text(type: string, samplesOf: (labels: string, value: Value) => readonly Sample[]): string {
      const samples = Array.from(all.values(), ({ labels, value }) => samplesOf(labels, value)).flat();
      const lines = samples.map(
        ([suffix, labels, value]) => `${name}${suffix}${labels && `{${labels}}`} ${numeral(value)}\n`,
      );
      const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
      return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    },
  };
}

/** Returns a number in the text format, which writes infinity as `+Inf`. */
const numeral = (value: number): string => String(value).replace(/^(-?)Infinity$/, (_, sign) => `${sign || '+'}Inf`);

/** Creates a counter or a gauge. Throws the errors that `Metrics` documents. */
export function numberMetric(type: 'counter' | 'gauge', name: string, options: AnyOptions, attempt: string) {
  const series = seriesOf(name, options, attempt, () => 0);
  const { hasLabels } = series;
  const { collect } = options;
  if (collect !== undefined && (typeof collect !== 'function' || isAsync(collect)))
    throw new TypeError(`${attempt}: its collect is not a synchronous function; give () => number`);
  if (!hasLabels) series.of();

  function fail(result: string, expected: string): never {
    throw new TypeError(`Cannot show the metric "${name}": its collect has returned ${result}, not ${expected}`);
  }

  function collectedNumber(value: unknown): number {
    if (Number.isFinite(value)) return value as number;
    if (value instanceof Promise) value.catch(logError);
    return fail(typeof value === 'number' ? String(value) : article(typeof value), 'a finite number');
  }

  function collectAll(collected: unknown): void {
    series.all.clear();
    if (!hasLabels) series.of().value = collectedNumber(collected);
    else if (!isObject(collected) || !(Symbol.iterator in collected))
      fail(article(typeof collected), 'a list of [labels, number]');
    else
      for (const [labels, value] of collected as unknown as Iterable<readonly [unknown, unknown]>)
        series.of(labels).value += collectedNumber(value);
  }

  return {
    sampleNames: [name],
    add(first?: unknown, second?: unknown): void {
      const amount = series.finite((hasLabels ? second : first) ?? 1);
      if (type === 'counter' && amount < 0)
        throw new RangeError(`Cannot change the counter "${name}" by ${amount}: a counter only rises; use a gauge`);
      series.of(first).value += amount;
    },
    set(first: unknown, second?: unknown): void {
      const value = series.finite(hasLabels ? second : first);
      series.of(first).value = value;
    },
    text(): string {
      const collected: unknown = collect?.();
      if (collect !== undefined && collected === undefined && !hasLabels) return '';
      if (collect !== undefined) collectAll(collected);
      return series.text(type, (labels, value) => [['', labels, value]]);
    },
  };
}

/** Creates a histogram. Throws the errors that `Metrics` documents. */
export function histogramMetric(name: string, options: AnyOptions, attempt: string) {
  /** `counts` has the number of values in each bucket. */
  const series = seriesOf(name, options, attempt, () => ({ counts: bounds.map(() => 0), sum: 0 }));
  const { buckets = BUCKETS } = options;
  assertBuckets(buckets, attempt);
  const bounds = [...buckets, Number.POSITIVE_INFINITY];
  if (!series.hasLabels) series.of();
  return {
    sampleNames: ['', '_bucket', '_sum', '_count'].map((suffix) => name + suffix),
    observe(first: unknown, second?: unknown): void {
      const value = series.finite(series.hasLabels ? second : first);
      const distribution = series.of(first).value;
      distribution.counts[bounds.findIndex((bound) => value <= bound)]!++;
      distribution.sum += value;
    },
    text: () =>
      series.text('histogram', (labels, { counts, sum }) => {
        let below = 0;
        const bucketsBelow = bounds.map((bound, at): Sample => {
          below += counts[at]!;
          return ['_bucket', `${labels && `${labels},`}le="${numeral(bound)}"`, below];
        });
        return [...bucketsBelow, ['_sum', labels, sum], ['_count', labels, below]];
      }),
  };
}

const isAsync = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object AsyncFunction]';

function labelNames(labels: unknown = [], attempt: string): readonly string[] {
  if (!Array.isArray(labels)) throw new TypeError(`${attempt}: its labels are not an array; give ['method', …]`);
  for (const [at, label] of labels.entries()) {
    const the = `${attempt}: its label ${quoted(label)}`;
    if (typeof label !== 'string' || !/^[a-z_][a-z\d_]*$/i.test(label))
      throw new SyntaxError(`${the} is not valid; use letters, digits and "_"`);
    if (label.startsWith('__') || label === 'le' || label === 'quantile')
      throw new TypeError(`${the} is reserved by Prometheus; choose another name`);
    if (labels.indexOf(label) < at) throw new TypeError(`${the} is listed twice; remove one`);
  }
  return labels;
}

function assertBuckets(buckets: unknown, attempt: string): asserts buckets is readonly number[] {
  if (!Array.isArray(buckets) || buckets.length === 0)
    throw new TypeError(`${attempt}: its buckets are not an array of bounds; give for example [0.1, 1, 10]`);
  for (const [at, bound] of buckets.entries()) {
    if (!Number.isFinite(bound))
      throw new RangeError(
        `${attempt}: its bound ${quoted(bound)} is not a finite number; remove it, +Inf is added anyway`,
      );
    if (at > 0 && bound <= buckets[at - 1])
      throw new RangeError(
        `${attempt}: its bound ${bound} follows ${buckets[at - 1]}; give the bounds in rising order`,
      );
  }
}
