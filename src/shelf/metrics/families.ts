/** Writes families of metrics in the text format 0.0.4 of Prometheus. A family has one series for each set of labels. */

/** The value of each series of a family, under its labels as `labelText` writes them. */
type Series = Iterable<readonly [labels: string, value: number]>;

/** Returns labels as a sample has them, such as `method="GET",status="200"`. */
export const labelText = (labels: Readonly<Record<string, unknown>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`)
    .join(',');

/**
 * Returns the lines of a counter or a gauge. A number is the value of a family without labels. Returns an empty text if
 * `read` throws or returns undefined, because some systems do not report each number.
 */
export function family(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: () => number | Series | undefined,
): string {
  try {
    const value = read();
    if (value === undefined) return '';
    const series: Series = typeof value === 'number' ? [['', value]] : value;
    return head(type, name, help) + Array.from(series, ([labels, value]) => sample(name, labels, value)).join('');
  } catch {
    return '';
  }
}

const head = (type: string, name: string, help: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
const sample = (name: string, labels: string, value: number): string => `${name}${labels && `{${labels}}`} ${value}\n`;

/** The default upper bounds, in seconds. They begin at 0.1 ms, because a reply from memory takes less. */
const BOUNDS = [1e-4, 2.5e-4, 5e-4, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts durations: for each upper bound, the number of durations that do not exceed it. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly inBucket: number[]; count: number; sum: number }>();

  constructor(bounds: readonly number[] = BOUNDS) {
    this.#bounds = bounds;
  }

  /** Adds a duration in seconds to the series with these labels. */
  observe(labels: string, seconds: number): void {
    let series = this.#series.get(labels);
    if (series === undefined) {
      series = { inBucket: this.#bounds.map(() => 0), count: 0, sum: 0 };
      this.#series.set(labels, series);
    }
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.inBucket[bucket]!++;
    series.count++;
    series.sum += seconds;
  }

  /** Returns how many durations each series has. */
  counts(): Series {
    return Array.from(this.#series, ([labels, { count }]) => [labels, count]);
  }

  text(name: string, help: string): string {
    let text = head('histogram', name, help);
    for (const [labels, { inBucket, count, sum }] of this.#series) {
      let below = 0;
      for (const [at, bound] of this.#bounds.entries()) {
        below += inBucket[at]!;
        text += sample(`${name}_bucket`, `${labels},le="${bound}"`, below);
      }
      text += sample(`${name}_bucket`, `${labels},le="+Inf"`, count);
      text += sample(`${name}_sum`, labels, sum);
      text += sample(`${name}_count`, labels, count);
    }
    return text;
  }
}

/** Matches a family: its head, and all lines up to the head of another family. Also matches the end of OpenMetrics. */
const FAMILY = /^# EOF\n|^# (?:HELP|TYPE) (?<name>\S+).*\n(?:(?!# EOF|# (?:HELP|TYPE) (?!\k<name>\s)).*\n)*/gm;

/**
 * Returns the text without `# EOF`, and without families that occurred before: for either, Prometheus rejects the whole
 * text. Adds the names of these families, and `# EOF`, to `omitted`.
 */
export function withoutRepeats(text: string, omitted: Set<string>): string {
  const names = new Set<string | undefined>([undefined]);
  return text.replace(FAMILY, (lines: string, name: string | undefined) => {
    if (!names.has(name)) {
      names.add(name);
      return lines;
    }
    omitted.add(name ?? '# EOF');
    return '';
  });
}
