/**
 * Writes the recording of one request as lines. A station is a stage, a route, or the input, the handler or the reply of
 * an operation. It has a line with `→` where the request enters it, and a line with `←` where the reply leaves it. A
 * station without inner stations has only one line, with `·`. Inner stations are indented.
 *
 *     → problems
 *       → routing
 *       ← routing    threw HttpProblem 400: The request has no body, synchronous
 *     ← problems     caught it, answered 400, synchronous: + Content-Type
 */
import type { NextCall, Recording, RouteVerdict, Station } from './recording.ts';

/** A line. `at` is the time of its event, and `rest` is the second column, or empty. */
interface Line {
  readonly at: number;
  readonly depth: number;
  readonly head: string;
  readonly rest: string;
}

/** Returns the lines of the parser, of all stations, and of the written reply, in the order of the events. */
export function onionLines(recording: Recording, withTimes: boolean): string[] {
  const { httpVersion, headers, body, status, stations, complete, took } = recording;
  const replied = stations[0]?.left ?? Infinity;
  const end =
    status === undefined ? 'nothing: the connection is closed' : `${status}${complete ? '' : '; not sent to its end'}`;
  // The server answers if no stage catches an error, or if no stage sees the request.
  const isOfServer = status !== undefined && status !== stations[0]?.reply?.status;
  const caught = stations[0]?.error === undefined ? '' : 'caught it, ';
  const sentBody = body.bytes === undefined ? '' : `, a body of ${count(body.bytes, 'byte')}`;
  const lines = [
    line(0, 0, '· parser', `HTTP/${httpVersion}, ${count(headers.length, 'header line')}${sentBody}`),
    ...stations.flatMap((station) => stationLines(station, 0, replied, withTimes)),
    ...(isOfServer ? [line(replied, 0, '· server', `${caught}answered ${status}`)] : []),
    line(replied, 0, '· write', end + (withTimes ? `, ${Math.round(took)} µs after the first stage` : '')),
  ];
  return laidOut(lines.toSorted((one, other) => one.at - other.at));
}

const line = (at: number, depth: number, head: string, rest = ''): Line => ({ at, depth, head, rest });

/** Returns the lines of a station. `end` is the time at which the first of its outer stations ended. */
function stationLines(station: Station, depth: number, end: number, withTimes: boolean): Line[] {
  const { label, kind, stations, calls, routes, entered, left = Infinity } = station;
  const name = kind === 'stage' || kind === label ? label : `${kind} ${label}`;
  const time = withTimes && left < Infinity ? `, ${Math.round(left - entered)} µs` : '';
  const outcome = outcomeText(station, `${time}${left > end && left < Infinity ? `, ${LATE}` : ''}`);
  if (stations.length + calls.length === 0) return [line(entered, depth, `· ${name}`, outcome)];
  const [first] = calls;
  return [
    line(entered, depth, `→ ${name}`, first && first.at <= left ? passedOn(first) : ''),
    ...(routes === undefined ? [] : verdictLines(routes, entered, depth + 1)),
    ...calls.flatMap((call, at) => {
      const isLate = call.at > left;
      if (at === 0 && !isLate) return [];
      const called = `called${at > 0 ? ' again' : ''}${isLate ? ` ${LATE}` : ''}`;
      return line(call.at, depth + 1, '· next', [called, passedOn(call)].filter(Boolean).join(', '));
    }),
    ...stations.flatMap((one) => stationLines(one, depth + 1, Math.min(left, end), withTimes)),
    line(left, depth, `← ${name}`, outcome),
  ];
}

const LATE = 'after the reply';

const passedOn = ({ changes }: NextCall): string => (changes.length > 0 ? `passed on with ${changes.join(', ')}` : '');

/** Returns a line with the number of routes that the index of routes proposes, and one line about each tried route. */
function verdictLines(verdicts: readonly RouteVerdict[], at: number, depth: number): Line[] {
  const proposed = verdicts.filter((one) => one.proposed).length;
  const rows = verdicts
    .filter(({ verdict }) => verdict !== 'untried')
    .map(({ verdict, methods, template, text }) => [`${verdict === 'taken' ? '✓' : '✗'} ${methods}`, template, text]);
  return [
    line(at, depth, '· index', `${proposed} of ${count(verdicts.length, 'route')} proposed`),
    ...inColumns(rows).map((head) => line(at, depth, head)),
  ];
}

/** Indents the lines and aligns their second columns. Lines without one do not change the width of the first. */
function laidOut(lines: readonly Line[]): string[] {
  const indented = lines.map(({ depth, head }) => `${'  '.repeat(depth)}${head}`);
  const width = Math.max(0, ...lines.map(({ rest }, at) => (rest === '' ? 0 : indented[at]!.length)));
  return lines.map(({ rest }, at) => (rest === '' ? indented[at]! : `${indented[at]!.padEnd(width)}  ${rest}`));
}

function outcomeText({ did, error, waited, reply, changes = [], refused }: Station, more: string): string {
  if (did === undefined) return 'has not ended';
  const result = did === 'threw' ? error : did === 'refused' ? `with ${error}` : reply?.status;
  const difference = changes.length === 0 ? '' : `: ${changes.join(', ')}`;
  const fault = refused === undefined ? '' : `; refused: ${refused}`;
  const manner = waited === undefined ? '' : waited ? ', waited' : ', synchronous';
  return `${did}${result === undefined ? '' : ` ${result}`}${manner}${more}${difference}${fault}`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Returns each row as a line. Pads each cell except the last to the width of its column, and adds two spaces. */
export function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at]!) : cell)).join('  '));
}
