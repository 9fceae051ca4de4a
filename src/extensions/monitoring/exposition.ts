/** Writes metrics in the Prometheus text format 0.0.4. */

/** A metric with its values. */
export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** What stands behind the name, such as `{method="GET"}`, `_sum` or nothing, and the value. */
  readonly samples: readonly (readonly [behindName: string, value: number])[];
}

/** The media type of the text. */
export const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';

/** The metrics as text, in their order. */
export const exposition = (families: Iterable<MetricFamily>): string => Array.from(families, familyText).join('');

function familyText({ name, type, help, samples }: MetricFamily): string {
  let lines = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
  for (const [behindName, value] of samples) lines += `${name}${behindName} ${numeral(value)}\n`;
  return lines;
}

/** The number as the format has it: `+Inf` for infinity. */
export const numeral = (value: number): string =>
  String(value).replace(/^(-?)Infinity$/, (_, sign) => `${sign || '+'}Inf`);

/** `method="GET",status="200"`: the names beside the values. */
export const labelText = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, at) => `${name}="${escaped(values[at]!)}"`).join(',');

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** What stands behind the name of a sample with these labels. */
export const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`);
