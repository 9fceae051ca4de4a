/**
 * Writes the stations of one request as lines, indented as they nest: `→` on the way in, `←` on the way out, `·` for
 * what has nothing inside.
 *
 *     → problems     src/core/pipeline/problems.ts:20
 *       → routing    src/core/routing/routing.ts:16
 *       ← routing    threw HttpProblem 400: The request has no body, synchronous
 *     ← problems     caught it, answered 400, synchronous: + Content-Type
 */
import { validateRequest, writeReply } from '../../instrument.ts';
import type { Recording, RouteVerdict, Station } from './recording.ts';
import { sourcePlaces } from './source-places.ts';

/** What is written, and how. */
interface Onion {
  readonly recording: Recording;
  /** With the microseconds that each station took. */
  readonly withTimes: boolean;
}

/** A line: how deep it stands, its first column, and the others. */
type Line = { readonly depth: number; readonly head: string; readonly rest: readonly string[] };
/** The lines of one event. */
type Told = { readonly event: number; readonly lines: readonly Line[] };

/** The lines, from the parser to the written reply, in the order of what happened. */
export function onionLines({ recording, withTimes }: Onion): string[] {
  const { httpVersion, headers, refused, stations, sent, validationTook, replied = Infinity } = recording;
  const [validation, write] = sourcePlaces([validateRequest, writeReply]);
  const verdict = refused === undefined ? 'passed on' : `refused with ${refused.status}: ${refused.detail}`;
  const time = (took: number | undefined): string => (withTimes && took !== undefined ? `, ${took} µs` : '');
  const written = sent && `${sent.status}${sent.changes.text}${sent.complete ? '' : '; not sent to its end'}`;
  const sentAfter = withTimes ? `, ${recording.took} µs after the head of the request` : '';
  const body = count(recording.body?.bytes ?? 0, 'byte');
  const told: readonly Told[] = [
    ...stations.flatMap((station) => toldOf(station, { depth: 0, body, time, end: replied })),
    {
      event: replied,
      lines: [leaf(0, 'write', write, `${written ?? 'nothing: the connection is closed'}${sentAfter}`)],
    },
  ];
  return laidOut([
    leaf(0, 'parser', `HTTP/${httpVersion}, ${count(headers.length, 'header line')}`),
    leaf(0, 'request validation', validation, `${verdict}, synchronous${time(validationTook)}`),
    ...told.toSorted((one, other) => one.event - other.event).flatMap(({ lines }) => lines),
  ]);
}

/** What stands around a station. */
interface Around {
  readonly depth: number;
  /** The event in which the first of the stations around it left. */
  readonly end: number;
  /** The length of the body of the request. */
  readonly body: string;
  readonly time: (took?: number) => string;
}

function toldOf(station: Station, around: Around): Told[] {
  const { label, place, kind, stations, calls, routes, reply, entered, left = Infinity } = station;
  const { depth, time, body, end } = around;
  const name = kind === 'handler' || kind === 'route' ? `${kind} ${label}` : label;
  const read = kind === 'body' && station.did === 'read' ? ` ${body}` : '';
  const late = left > end && left < Infinity ? `, ${LATE}` : '';
  const outcome = `${outcomeText(station, read)}${time(station.took)}${late}`;
  const isAlone = left === entered + 1 || left === Infinity;
  if (isAlone && calls.length === 0 && routes === undefined && kind !== 'route')
    return [{ event: entered, lines: [leaf(depth, name, place, outcome)] }];
  const [first] = calls;
  const isPlain = first !== undefined && first.entered < left && first.changes.length > 0;
  const changed = isPlain ? [`passed on with ${first.changes.join(', ')}`] : [];
  const way = { depth, head: `→ ${name}`, rest: [...(place === undefined ? [] : [place]), ...changed] };
  const made =
    kind === 'route' && reply !== undefined
      ? [leaf(depth + 1, 'reply', `${reply.status}${station.changes?.text ?? ''}`)]
      : [];
  return [
    { event: entered, lines: [way, ...(routes === undefined ? [] : verdictLines(routes, depth + 1))] },
    ...calls.flatMap((call, at) => {
      const isLate = call.entered > left;
      if (at === 0 && !isLate) return [];
      const changes = call.changes.length === 0 ? '' : `, passed on with ${call.changes.join(', ')}`;
      return {
        event: call.entered,
        lines: [leaf(depth + 1, 'next', `called${at > 0 ? ' again' : ''}${isLate ? ` ${LATE}` : ''}${changes}`)],
      };
    }),
    ...stations.flatMap((one) => toldOf(one, { ...around, depth: depth + 1, end: Math.min(left, end) })),
    { event: left, lines: [...made, { depth, head: `← ${name}`, rest: [outcome] }] },
  ];
}

const LATE = 'after the reply';

const leaf = (depth: number, name: string, ...rest: (string | undefined)[]): Line => ({
  depth,
  head: `· ${name}`,
  rest: rest.filter((cell) => cell !== undefined),
});

/** How many routes the index proposes, and what each route says. */
function verdictLines(verdicts: readonly RouteVerdict[], depth: number): Line[] {
  const proposed = verdicts.filter((one) => one.proposed).length;
  const marks = { taken: '✓', rejected: '✗', untried: '-' } as const;
  const rows = verdicts.map(({ verdict, methods, template, text }) => [
    `${marks[verdict]} ${methods}`,
    template,
    verdict === 'untried' ? `not tried: ${text}` : text,
  ]);
  return [
    leaf(depth, 'index', `${proposed} of ${count(verdicts.length, 'route')} proposed`),
    ...inColumns(rows).map((head) => ({ depth, head, rest: [] })),
  ];
}

/** Indents the lines. The first column is as wide as the widest line that has a second. */
function laidOut(lines: readonly Line[]): string[] {
  const indented = lines.map(({ depth, head }) => `${'  '.repeat(depth)}${head}`);
  const width = Math.max(0, ...lines.map(({ rest }, at) => (rest.length > 0 ? indented[at]!.length : 0)));
  return lines.map(({ rest }, at) =>
    [rest.length > 0 ? indented[at]!.padEnd(width) : indented[at], ...rest].join('  '),
  );
}

function outcomeText(station: Station, read: string): string {
  const { did, waited, error, reply, changes, kind } = station;
  const made = changes?.text ?? '';
  const manner = waited ? 'waited' : 'synchronous';
  const status = reply === undefined ? '' : ` ${reply.status}`;
  if (did === undefined) return 'has not ended';
  if (did === 'threw') return `threw ${error}, ${manner}`;
  if (did === 'returned nothing') return `returned nothing, ${manner}${error === undefined ? '' : `: ${error}`}`;
  if (did === 'caught') return `caught it, answered${status}, ${manner}${made}`;
  if (did === 'passed on' && reply === undefined) return `passed the error on, ${manner}`;
  const isMade = kind === 'end' || (kind === 'stage' && (did === 'passed on' || station.routes === undefined));
  const fault = error === undefined ? '' : `: ${error}`;
  return `${did}${read}${status}, ${manner}${isMade ? made : ''}${fault}`;
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;

/** Each row as a line: its cells, all but the last filled up to the widest of their column, two spaces between. */
export function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries())
      if (at < row.length - 1) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at]!) : cell)).join('  '));
}
