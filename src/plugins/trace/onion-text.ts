/**
 * Writes the recording of one request as lines. A station is a stage, a route, a handler, or the reading of the body.
 * It has a line with `→` where the request enters it, and a line with `←` where the reply leaves it. A station without
 * inner stations has only one line, with `·`. Inner stations are indented.
 *
 *     → problems     src/core/pipeline/problems.ts:20
 *       → routing    src/core/routing/routing.ts:16
 *       ← routing    threw HttpProblem 400: The request has no body, synchronous
 *     ← problems     caught it, answered 400, synchronous: + Content-Type
 */
import type { NextCall, Recording, RouteVerdict, Station } from './recording.ts';

/** A line. `event` is the number of its event, `head` is its first column, and `rest` has the other columns. */
interface Line {
  readonly event: number;
  readonly depth: number;
  readonly head: string;
  readonly rest: readonly string[];
}

/** Returns the lines of the parser, of all stations, and of the written reply, in the order of the events. */
export function onionLines(recording: Recording, withTimes: boolean): string[] {
  const { httpVersion, headers, status, stations, complete, replied = Infinity } = recording;
  const time = (took: number | undefined): string => (withTimes && took !== undefined ? `, ${took} µs` : '');
  const end =
    status === undefined ? 'nothing: the connection is closed' : `${status}${complete ? '' : '; not sent to its end'}`;
  const sentAfter = withTimes ? `, ${recording.took} µs after the first stage` : '';
  const body = count(recording.body?.bytes ?? 0, 'byte');
  const lines = [
    line(0, 0, '· parser', `HTTP/${httpVersion}, ${count(headers.length, 'header line')}`),
    ...stations.flatMap((station) => stationLines(station, 0, replied, body, time)),
    line(replied, 0, '· write', end + sentAfter),
  ];
  return laidOut(lines.toSorted((one, other) => one.event - other.event));
}

const line = (event: number, depth: number, head: string, ...cells: readonly (string | undefined)[]): Line => ({
  event,
  depth,
  head,
  rest: cells.filter((cell) => cell !== undefined),
});

/**
 * Returns the lines of a station. `end` is the number of the event in which the first of its outer stations ended.
 * `body` is the length of the request body, as text.
 */
function stationLines(
  station: Station,
  depth: number,
  end: number,
  body: string,
  time: (took?: number) => string,
): Line[] {
  const { label, place, kind, stations, calls, routes, entered, left = Infinity } = station;
  const name = kind === 'handler' || kind === 'route' ? `${kind} ${label}` : label;
  const read = kind === 'body' && station.did === 'read' ? ` ${body}` : '';
  const late = left > end && left < Infinity ? `, ${LATE}` : '';
  const outcome = outcomeText(station, read, `${time(station.took)}${late}`);
  const isAlone = left === entered + 1 || left === Infinity;
  if (isAlone && calls.length === 0 && routes === undefined && kind !== 'route')
    return [line(entered, depth, `· ${name}`, place, outcome)];
  const [first] = calls;
  return [
    line(entered, depth, `→ ${name}`, place, first && first.entered < left ? passedOn(first) : undefined),
    ...(routes === undefined ? [] : verdictLines(routes, entered, depth + 1)),
    ...calls.flatMap((call, at) => {
      const isLate = call.entered > left;
      if (at === 0 && !isLate) return [];
      const called = `called${at > 0 ? ' again' : ''}${isLate ? ` ${LATE}` : ''}`;
      return line(call.entered, depth + 1, '· next', [called, passedOn(call) ?? []].flat().join(', '));
    }),
    ...stations.flatMap((one) => stationLines(one, depth + 1, Math.min(left, end), body, time)),
    line(left, depth, `← ${name}`, outcome),
  ];
}

const LATE = 'after the reply';

const passedOn = ({ changes }: NextCall): string | undefined =>
  changes.length > 0 ? `passed on with ${changes.join(', ')}` : undefined;

/** Returns a line with the number of routes that the index of routes proposes, and one line about each route. */
function verdictLines(verdicts: readonly RouteVerdict[], event: number, depth: number): Line[] {
  const proposed = verdicts.filter((one) => one.proposed).length;
  const marks = { taken: '✓', rejected: '✗', untried: '-' } as const;
  const rows = verdicts.map(({ verdict, methods, template, text }) => [
    `${marks[verdict]} ${methods}`,
    template,
    verdict === 'untried' ? `not tried: ${text}` : text,
  ]);
  return [
    line(event, depth, '· index', `${proposed} of ${count(verdicts.length, 'route')} proposed`),
    ...inColumns(rows).map((head) => line(event, depth, head)),
  ];
}

/** Indents the lines and aligns their columns. Lines with only one column do not change the width of the first. */
function laidOut(lines: readonly Line[]): string[] {
  const indented = lines.map(({ depth, head }) => `${'  '.repeat(depth)}${head}`);
  const width = Math.max(0, ...lines.map(({ rest }, at) => (rest.length > 0 ? indented[at]!.length : 0)));
  return lines.map(({ rest }, at) =>
    [rest.length > 0 ? indented[at]!.padEnd(width) : indented[at], ...rest].join('  '),
  );
}

function outcomeText(station: Station, read: string, more: string): string {
  const { did, waited, error, refused, reply, changes, routes } = station;
  const difference = changes?.text ?? '';
  const manner = `${waited ? 'waited' : 'synchronous'}${more}`;
  const status = reply === undefined ? '' : ` ${reply.status}`;
  const fault = refused === undefined ? '' : `; refused: ${refused}`;
  if (did === undefined) return 'has not ended';
  if (did === 'threw') return `threw ${error}, ${manner}`;
  if (did === 'ignored') return `answered${status}, ignored the reply of next, ${manner}${difference}${fault}`;
  if (did === 'caught') return `caught it, answered${status}, ${manner}${difference}${fault}`;
  if (did === 'passed on' && reply === undefined && error !== undefined) return `passed the error on, ${manner}`;
  return `${did}${read}${status}, ${manner}${routes === undefined ? difference : ''}${fault}`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Returns each row as a line. Pads each cell except the last to the width of its column, and adds two spaces. */
export function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at]!) : cell)).join('  '));
}
