/** Formats metrics in the Prometheus text format 0.0.4. */

/** One sample of a metric. */
export interface Sample {
  /** The suffix of the metric's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  /** The labels as they stand between the braces: `method="GET",status="2xx"`. */
  readonly labels?: string;
  readonly value: number;
}

/** A metric and its samples. A line feed in `help` is escaped. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A metric with one value that can go up and down. */
export const gauge = (name: string, help: string, value: number): Family => ({
  name,
  type: 'gauge',
  help,
  samples: [{ value }],
});

/** The metrics as text. */
export const exposition = (families: readonly Family[]): string => families.map(block).join('');

function block({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels, value }) => `${name}${suffix}${labels ? `{${labels}}` : ''} ${number(value)}\n`,
  );
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

const number = (value: number): string => (value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value));
