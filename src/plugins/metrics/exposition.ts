/**
 * The Prometheus text format 0.0.4: families of samples as lines.
 *
 * A help text with a line feed would end its line and break the whole answer, so it is escaped as the format says.
 */

/** One line of figures. */
export interface Sample {
  /** Behind the family's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  /** Written as they go between the braces: `method="GET",status="2xx"`. */
  readonly labels?: string;
  readonly value: number;
}

/** The samples of one name. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The families as text, one after the other. */
export const exposition = (families: readonly Family[]): string => families.map(block).join('');

function block({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels, value }) => `${name}${suffix}${labels ? `{${labels}}` : ''} ${number(value)}\n`,
  );
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

const number = (value: number): string => (value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value));
