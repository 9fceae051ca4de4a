/**
 * Counters, gauges and histograms, and their text in the Prometheus text format 0.0.4. Each has one series for each
 * combination of label values, and a bound on their number: values that a client chooses must not fill the memory.
 */
import { toUSVString } from 'node:util';
import { logWarning } from '../../core/log/log-line.ts';
import { isObject } from '../../core/log/thrown-value.ts';
import { logError } from '../../core/message/error-log.ts';
import { article, quoted } from '../../core/options/assert-options.ts';

/**
 * A value for each label of a metric. The first 200 characters of a value count, and U+FFFD stands for half of a
 * surrogate pair.
 */
export type Labels<Label extends string> = Readonly<Record<Label, string | number | boolean>>;

/** The labels come first; a metric without labels takes the value alone. */
type Labelled<Label extends string, Value extends readonly unknown[]> = [Label] extends [never]
  ? Value
  : [labels: Labels<Label>, ...value: Value];

/** What only goes up. */
export interface Counter<Label extends string = never> {
  /**
   * Adds an amount, 1 unless given. Throws a `RangeError` for one that is negative or not finite, and a `TypeError` for
   * labels other than those of the metric; the counter stays as it is then.
   */
  add(...given: Labelled<Label, [amount?: number]>): void;
}

/** What goes up and down. */
export interface Gauge<Label extends string = never> {
  /** Throws a `RangeError` for a value that is not finite, and a `TypeError` for other labels. */
  set(...given: Labelled<Label, [value: number]>): void;
  /** Adds an amount, 1 unless given; a negative one subtracts. Throws as `set` does. */
  add(...given: Labelled<Label, [amount?: number]>): void;
}

/** How values are distributed: how many are at most as great as each of some bounds. */
export interface Histogram<Label extends string = never> {
  /** Counts a value, in seconds where the name ends so. Throws a `RangeError` where it is not finite. */
  observe(...given: Labelled<Label, [value: number]>): void;
}

/** What every metric is given. */
interface MetricOptions<Label extends string = never> {
  /** Says what the number is. */
  readonly help: string;
  /** Letters, digits and `_`. Each combination of their values is a series. */
  readonly labels?: readonly Label[] | undefined;
  /** Most series; that of `metrics(…)` unless given. What comes beyond is one series, with `other` as its values. */
  readonly maxSeries?: number | undefined;
}

/** A counter or a gauge, which may be read where the number is kept anyway. */
interface ReadOptions<Label extends string = never> extends MetricOptions<Label> {
  /**
   * Is called for each request of `/metrics` and returns all there is: a number, undefined for nothing, or with labels
   * `[labels, number]` for each series. Where it throws or returns anything else, the metric is left out and the error
   * is logged.
   */
  readonly collect?: (() => Collected<Label>) | undefined;
}

type Collected<Label extends string> = [Label] extends [never]
  ? number | undefined
  : Iterable<readonly [labels: Labels<Label>, value: number]>;

/** A histogram. */
interface HistogramOptions<Label extends string = never> extends MetricOptions<Label> {
  /** The upper bounds in rising order, without the infinite one, which is added. Seconds from 0.1 ms unless given. */
  readonly buckets?: readonly number[] | undefined;
}

/** Makes metrics. */
export interface MetricMaker {
  counter<const Label extends string = never>(name: string, options: ReadOptions<Label>): Counter<Label>;
  gauge<const Label extends string = never>(name: string, options: ReadOptions<Label>): Gauge<Label>;
  histogram<const Label extends string = never>(name: string, options: HistogramOptions<Label>): Histogram<Label>;
}

/** From 0.1 ms, since a reply from memory takes tens of microseconds, to 10 s. */
const BUCKETS = [1e-4, 2.5e-4, 5e-4, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** In characters. A longer value is cut: clients choose some values. */
const MAX_LABEL_LENGTH = 200;

type Given = { readonly [Option in keyof ReadOptions | 'buckets']?: unknown };
type Sample = readonly [suffix: string, labels: string, value: number];

/** A metric as `/metrics` shows it. */
export interface ShownMetric {
  readonly sampleNames: readonly string[];
  /** Its lines now; empty for none. Throws if a value cannot be read. */
  text(): string;
}

/** The series of one metric, by the values of their labels as JSON. `labels`: `method="GET",status="200"`. */
function seriesOf<Value>(name: unknown, options: Given, attempt: string, newValue: () => Value) {
  const { help, labels, maxSeries } = options;
  if (typeof name !== 'string' || !/^[a-z_:][a-z\d_:]*$/i.test(name))
    throw new SyntaxError(`${attempt}: its name is not valid; use letters, digits, "_" and ":"`);
  if (typeof help !== 'string') throw new TypeError(`${attempt}: it has no help; give a text that says what it is`);
  const names = labelNames(labels, attempt);
  if (!Number.isInteger(maxSeries) || (maxSeries as number) < 1)
    throw new RangeError(`${attempt}: its maxSeries is ${quoted(maxSeries)}; give a whole number above 0`);
  const hasLabels = names.length > 0;
  const all = new Map<string, { readonly labels: string; value: Value }>();
  let hasOverflowed = false;

  function refuse(given: string, remedy = `give { ${names.join(', ')} }`): never {
    throw new TypeError(`Cannot change the metric "${name}" with ${given}: ${remedy}`);
  }

  function valuesOf(labels: unknown): readonly string[] {
    if (!isObject(labels)) return refuse(`the labels ${quoted(labels)}`);
    const missing = names.find((label) => !Object.hasOwn(labels, label));
    if (missing !== undefined) refuse(`no label "${missing}"`);
    const unknown = Object.keys(labels).find((label) => !names.includes(label));
    if (unknown !== undefined) refuse(`the label ${quoted(unknown)}`);
    return names.map((label) => {
      const value = labels[label];
      if (['string', 'number', 'boolean'].includes(typeof value))
        return toUSVString(String(value).slice(0, MAX_LABEL_LENGTH));
      return refuse(`${article(typeof value)} as the label "${label}"`, 'give a text, a number or a boolean');
    });
  }

  function added(values: readonly string[]): { value: Value } {
    const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
    const labels = names.map((label, at) => `${label}="${escaped(values[at]!)}"`).join(',');
    // A copy: a part of a text keeps all of that text in memory.
    const series = { labels: Buffer.from(labels).toString(), value: newValue() };
    all.set(JSON.stringify(values), series);
    return series;
  }

  return {
    all,
    hasLabels,

    /** The series of these labels. Throws a `TypeError` for labels other than those of the metric. */
    of(labels?: unknown): { value: Value } {
      const values = hasLabels ? valuesOf(labels) : [];
      const known = all.get(JSON.stringify(values));
      if (known !== undefined) return known;
      if (all.size < (maxSeries as number)) return added(values);
      if (!hasOverflowed)
        logWarning(
          `The metric "${name}" has ${maxSeries} series, its maxSeries; what other labels would add is ` +
            'counted with "other" as their values',
        );
      hasOverflowed = true;
      const others = values.map(() => 'other');
      return all.get(JSON.stringify(others)) ?? added(others);
    },

    finite(value: unknown): number {
      if (Number.isFinite(value)) return value as number;
      const remedy = hasLabels || typeof value !== 'object' ? 'give a finite number' : 'it has no labels';
      throw new RangeError(`Cannot change the metric "${name}" by ${quoted(value)}: ${remedy}`);
    },

    /** The lines of the metric, each series with these samples. */
    text(type: string, samplesOf: (labels: string, value: Value) => readonly Sample[]): string {
      const samples = Array.from(all.values(), ({ labels, value }) => samplesOf(labels, value)).flat();
      const lines = samples.map(
        ([suffix, labels, value]) => `${name}${suffix}${labels && `{${labels}}`} ${numeral(value)}\n`,
      );
      const says = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
      return `# HELP ${name} ${says}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    },
  };
}

/** The number as the format has it: `+Inf` for infinity. */
const numeral = (value: number): string => String(value).replace(/^(-?)Infinity$/, (_, sign) => `${sign || '+'}Inf`);

/** Makes a counter or a gauge. Throws as `metrics` says. */
export function numberMetric(type: 'counter' | 'gauge', name: string, options: Given, attempt: string) {
  const series = seriesOf(name, options, attempt, () => 0);
  const { hasLabels } = series;
  const { collect } = options;
  if (collect !== undefined && (typeof collect !== 'function' || isAsync(collect)))
    throw new TypeError(`${attempt}: its collect is no function that returns at once; give () => number`);
  if (!hasLabels) series.of();

  function refuse(returned: string, wanted: string): never {
    throw new TypeError(`Cannot show the metric "${name}": its collect has returned ${returned}, not ${wanted}`);
  }

  function collectedNumber(value: unknown): number {
    if (Number.isFinite(value)) return value as number;
    if (value instanceof Promise) value.catch(logError);
    return refuse(typeof value === 'number' ? String(value) : article(typeof value), 'a finite number');
  }

  function collectAll(collected: unknown): void {
    series.all.clear();
    if (!hasLabels) series.of().value = collectedNumber(collected);
    else if (!isObject(collected) || !(Symbol.iterator in collected))
      refuse(article(typeof collected), 'a list of [labels, number]');
    else
      for (const [labels, value] of collected as unknown as Iterable<readonly [unknown, unknown]>)
        series.of(labels).value += collectedNumber(value);
  }

  return {
    sampleNames: [name],
    add(first?: unknown, second?: unknown): void {
      const amount = series.finite((hasLabels ? second : first) ?? 1);
      if (type === 'counter' && amount < 0)
        throw new RangeError(
          `Cannot change the counter "${name}" by ${amount}: it only goes up; make a gauge of what goes down`,
        );
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

/** Makes a histogram. Throws as `metrics` says. */
export function histogramMetric(name: string, options: Given, attempt: string) {
  /** How many values are in each bucket, and their sum. */
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

const isAsync = (given: unknown): boolean => Object.prototype.toString.call(given) === '[object AsyncFunction]';

function labelNames(labels: unknown = [], attempt: string): readonly string[] {
  if (!Array.isArray(labels)) throw new TypeError(`${attempt}: its labels are no list; give ['method', …]`);
  for (const [at, label] of labels.entries()) {
    const the = `${attempt}: its label ${quoted(label)}`;
    if (typeof label !== 'string' || !/^[a-z_][a-z\d_]*$/i.test(label))
      throw new SyntaxError(`${the} is not valid; use letters, digits and "_"`);
    if (label.startsWith('__') || label === 'le' || label === 'quantile')
      throw new TypeError(`${the} is one of Prometheus itself; choose another name`);
    if (labels.indexOf(label) < at) throw new TypeError(`${the} stands there twice; leave one out`);
  }
  return labels;
}

function assertBuckets(buckets: unknown, attempt: string): asserts buckets is readonly number[] {
  if (!Array.isArray(buckets) || buckets.length === 0)
    throw new TypeError(`${attempt}: its buckets are no list of bounds; give [0.1, 1, 10] for example`);
  for (const [at, bound] of buckets.entries()) {
    if (!Number.isFinite(bound))
      throw new RangeError(`${attempt}: its bound ${quoted(bound)} is no finite number; +Inf is added to the others`);
    if (at > 0 && bound <= buckets[at - 1])
      throw new RangeError(
        `${attempt}: its bound ${bound} stands behind ${buckets[at - 1]}; give them in rising order`,
      );
  }
}
