/** Lines with their goals as a table, with a column for each version of Node. */
import { GOALS, verdict } from '../goals.mjs';
import { number } from './statistics.mjs';

/** A table: the first column reads from the left, figures stand at the right. */
const table = (head, rows) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** `measured`: lines by version. */
export function linesTable(measured) {
  const versions = [...measured.keys()];
  const keyOf = ({ row, what }) => `${row}\n${what}`;
  const byKey = new Map(
    [...measured].map(([version, lines]) => [version, new Map(lines.map((line) => [keyOf(line), line]))]),
  );
  const all = new Map([...measured.values()].flat().map((line) => [keyOf(line), line]));
  let last;
  const rows = [...all].map(([key, { row, what }]) => {
    const cells = versions.map((version) => cell(byKey.get(version).get(key)));
    const name = row === last ? '' : `**${row}**`;
    last = row;
    return [name, what, ...cells, GOALS[row]?.[what]?.text ?? ''];
  });
  return table(['', '', ...versions.map((version) => `Node ${version}`), 'goal'], rows);
}

/** Median with its interval, ratio of the least, least cost of the first, and what that says of the goal. */
function cell(line) {
  if (line === undefined) return '';
  const { ratio, low, high, least, cost } = line;
  const told = verdict(line);
  return [
    `${number(ratio, 2)} (${number(low, 2)}–${number(high, 2)})`,
    ...(least === undefined ? [] : [`least ${number(least, 2)} of ${cost}`]),
    ...(told === '' ? [] : [`**${told}**`]),
  ].join(', ');
}
