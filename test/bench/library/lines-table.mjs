/** The lines of a table as Markdown. */
import { number } from './statistics.mjs';

export function linesTable(lines) {
  let last;
  const rows = lines.map((line) => {
    const name = line.row === last ? '' : `**${line.row}**`;
    last = line.row;
    return `| ${name} | ${line.what} | ${cell(line)} |`;
  });
  return ['| | | ratio |', '| --- | --- | ---: |', ...rows].join('\n');
}

/** Median with its interval, ratio of the least, and least cost of the first. */
function cell({ ratio, low, high, least, cost }) {
  const figure = `${number(ratio, 2)} (${number(low, 2)}–${number(high, 2)})`;
  return least === undefined ? figure : `${figure}, least ${number(least, 2)} of ${cost}`;
}
