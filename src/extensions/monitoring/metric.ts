/**
 * Counters, gauges and histograms. Each has one series for each combination of label values, and a bound on their
 * number: values that a client chooses must not fill the memory.
 */
import { toUSVString } from 'node:util';
import { logWarning } from '../../core/log/log-line.ts';
import { logError } from '../../core/message/problem.ts';
import { article, quoted } from '../../core/options/assert-options.ts';
import { braced, labelText, type MetricFamily, numeral } from './exposition.ts';

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

type Samples = [behindName: string, value: number][];
type Given = { readonly [Option in keyof ReadOptions | 'buckets']?: unknown };

/** A metric: a value for each combination of the values of its labels. */
abstract class Metric<Value> {
  readonly name: string;
  abstract readonly type: MetricFamily['type'];
  readonly #help: string;
  readonly #labels: readonly string[];
  readonly #maxSeries: number;
  /** By the values of the labels as JSON. */
  protected readonly series = new Map<string, { readonly labels: string; value: Value }>();
  #hasOverflowed = false;

  constructor(name: unknown, { help, labels = [], maxSeries }: Given, attempt: string) {
    if (typeof name !== 'string' || !/^[a-z_:][a-z\d_:]*$/i.test(name))
      throw new SyntaxError(`${attempt}: its name is not valid; use letters, digits, "_" and ":"`);
    if (typeof help !== 'string') throw new TypeError(`${attempt}: it has no help; give a text that says what it is`);
    assertLabels(labels, attempt);
    if (!Number.isInteger(maxSeries) || (maxSeries as number) < 1)
      throw new RangeError(`${attempt}: its maxSeries is ${quoted(maxSeries)}; give a whole number above 0`);
    this.name = name;
    this.#help = help;
    this.#labels = labels;
    this.#maxSeries = maxSeries as number;
  }

  protected abstract newValue(): Value;
  protected abstract samplesOf(labels: string, value: Value): Samples;

  /** The names of its samples. */
  sampleNames(): readonly string[] {
    return [this.name];
  }

  /** Returns the current values; undefined if there is no value. */
  family(): MetricFamily | undefined {
    const samples = Array.from(this.series.values(), ({ labels, value }) => this.samplesOf(labels, value));
    return { name: this.name, type: this.type, help: this.#help, samples: samples.flat() };
  }

  protected get hasLabels(): boolean {
    return this.#labels.length > 0;
  }

  /** The series of these labels. Throws a `TypeError` for labels other than those of the metric. */
  protected seriesOf(labels?: unknown): { value: Value } {
    const values = this.hasLabels ? this.#valuesOf(labels) : [];
    return this.series.get(JSON.stringify(values)) ?? this.#added(values);
  }

  #valuesOf(labels: unknown): readonly string[] {
    if (typeof labels !== 'object' || labels === null) this.#refuse(`the labels ${quoted(labels)}`);
    const missing = this.#labels.find((label) => !Object.hasOwn(labels, label));
    if (missing !== undefined) this.#refuse(`no label "${missing}"`);
    const unknown = Object.keys(labels).find((name) => !this.#labels.includes(name));
    if (unknown !== undefined) this.#refuse(`the label ${quoted(unknown)}`);
    return this.#labels.map((label) => {
      const value = (labels as Record<string, unknown>)[label];
      if (['string', 'number', 'boolean'].includes(typeof value))
        return toUSVString(String(value).slice(0, MAX_LABEL_LENGTH));
      return this.#refuse(`${article(typeof value)} as the label "${label}"`, 'give a text, a number or a boolean');
    });
  }

  #refuse(given: string, remedy = `give { ${this.#labels.join(', ')} }`): never {
    throw new TypeError(`Cannot change the metric "${this.name}" with ${given}: ${remedy}`);
  }

  #added(values: readonly string[]): { value: Value } {
    if (this.series.size < this.#maxSeries) return this.#placed(values);
    if (!this.#hasOverflowed)
      logWarning(
        `The metric "${this.name}" has ${this.#maxSeries} series, its maxSeries; what other labels would add is ` +
          'counted with "other" as their values',
      );
    this.#hasOverflowed = true;
    const others = values.map(() => 'other');
    return this.series.get(JSON.stringify(others)) ?? this.#placed(others);
  }

  #placed(values: readonly string[]): { value: Value } {
    // A copy: a part of a text keeps all of that text in memory.
    const labels = Buffer.from(labelText(this.#labels, values)).toString();
    const series = { labels, value: this.newValue() };
    this.series.set(JSON.stringify(values), series);
    return series;
  }

  protected finite(value: unknown): number {
    if (Number.isFinite(value)) return value as number;
    const remedy = this.hasLabels || typeof value !== 'object' ? 'give a finite number' : 'it has no labels';
    throw new RangeError(`Cannot change the metric "${this.name}" by ${quoted(value)}: ${remedy}`);
  }
}

/** A counter or a gauge. */
export class NumberMetric extends Metric<number> {
  readonly type: 'counter' | 'gauge';
  readonly #collect: (() => unknown) | undefined;

  constructor(type: 'counter' | 'gauge', name: unknown, options: Given, attempt: string) {
    super(name, options, attempt);
    const { collect } = options;
    if (collect !== undefined && (typeof collect !== 'function' || isAsync(collect)))
      throw new TypeError(`${attempt}: its collect is no function that returns at once; give () => number`);
    this.type = type;
    this.#collect = collect as (() => unknown) | undefined;
    if (!this.hasLabels) this.seriesOf();
  }

  protected newValue(): number {
    return 0;
  }

  protected samplesOf(labels: string, value: number): Samples {
    return [[braced(labels), value]];
  }

  /** Throws if the value cannot be read. */
  override family(): MetricFamily | undefined {
    if (this.#collect === undefined) return super.family();
    const collected = this.#collect();
    if (collected === undefined && !this.hasLabels) return undefined;
    this.series.clear();
    if (!this.hasLabels) this.seriesOf().value = this.#collected(collected);
    else for (const [labels, value] of this.#pairs(collected)) this.seriesOf(labels).value += this.#collected(value);
    return super.family();
  }

  add(first?: unknown, second?: unknown): void {
    const amount = this.finite((this.hasLabels ? second : first) ?? 1);
    if (this.type === 'counter' && amount < 0)
      throw new RangeError(
        `Cannot change the counter "${this.name}" by ${amount}: it only goes up; make a gauge of what goes down`,
      );
    this.seriesOf(first).value += amount;
  }

  set(first: unknown, second?: unknown): void {
    const value = this.finite(this.hasLabels ? second : first);
    this.seriesOf(first).value = value;
  }

  #pairs(collected: unknown): Iterable<readonly [unknown, unknown]> {
    if (typeof (collected as Iterable<never> | undefined)?.[Symbol.iterator] !== 'function')
      throw new TypeError(
        `Cannot show the metric "${this.name}": its collect has returned ${article(typeof collected)}, not a list of ` +
          '[labels, number]',
      );
    return collected as Iterable<readonly [unknown, unknown]>;
  }

  #collected(value: unknown): number {
    if (Number.isFinite(value)) return value as number;
    if (value instanceof Promise) value.catch(logError);
    const what = typeof value === 'number' ? String(value) : article(typeof value);
    throw new TypeError(`Cannot show the metric "${this.name}": its collect has returned ${what}, not a finite number`);
  }
}

/** How many values are in each bucket, and their sum. */
interface Distribution {
  readonly counts: number[];
  sum: number;
}

/** A histogram. */
export class HistogramMetric extends Metric<Distribution> {
  readonly type = 'histogram';
  readonly #bounds: readonly number[];

  constructor(name: unknown, options: Given, attempt: string) {
    super(name, options, attempt);
    const { buckets = BUCKETS } = options;
    assertBuckets(buckets, attempt);
    this.#bounds = [...buckets, Number.POSITIVE_INFINITY];
    if (!this.hasLabels) this.seriesOf();
  }

  override sampleNames(): readonly string[] {
    return ['', '_bucket', '_sum', '_count'].map((suffix) => this.name + suffix);
  }

  protected newValue(): Distribution {
    return { counts: this.#bounds.map(() => 0), sum: 0 };
  }

  protected samplesOf(labels: string, { counts, sum }: Distribution): Samples {
    let below = 0;
    const before = labels === '' ? '' : `${labels},`;
    const samples: Samples = this.#bounds.map((bound, at) => [
      `_bucket{${before}le="${numeral(bound)}"}`,
      (below += counts[at]!),
    ]);
    return [...samples, [`_sum${braced(labels)}`, sum], [`_count${braced(labels)}`, below]];
  }

  observe(first: unknown, second?: unknown): void {
    const value = this.finite(this.hasLabels ? second : first);
    const distribution = this.seriesOf(first).value;
    distribution.counts[this.#bounds.findIndex((bound) => value <= bound)]!++;
    distribution.sum += value;
  }
}

const isAsync = (given: unknown): boolean => Object.prototype.toString.call(given) === '[object AsyncFunction]';

function assertLabels(labels: unknown, attempt: string): asserts labels is readonly string[] {
  if (!Array.isArray(labels)) throw new TypeError(`${attempt}: its labels are no list; give ['method', …]`);
  for (const [at, label] of labels.entries()) {
    const the = `${attempt}: its label ${quoted(label)}`;
    if (typeof label !== 'string' || !/^[a-z_][a-z\d_]*$/i.test(label))
      throw new SyntaxError(`${the} is not valid; use letters, digits and "_"`);
    if (label.startsWith('__') || label === 'le' || label === 'quantile')
      throw new TypeError(`${the} is one of Prometheus itself; choose another name`);
    if (labels.indexOf(label) < at) throw new TypeError(`${the} stands there twice; leave one out`);
  }
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
