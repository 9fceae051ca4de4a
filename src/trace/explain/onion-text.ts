/**
 * Writes the stations of one request as lines, indented as they nest: `→` on the way in, `←` on the way out, `·` for
 * what has nothing inside.
 *
 *     → problems     src/pipeline/problems.ts:20
 *       → routing    src/routing/routing.ts:16
 *       ← routing    threw HttpProblem 400: The request has no body, synchronous
 *     ← problems     caught it, answered 400, synchronous: + Content-Type
 */

import { writeReply } from '../../http/reply/write-reply.ts';
import { validateRequest } from '../../http/validate-request.ts';
import type { RouteVerdict } from '../recording/route-verdicts.ts';
import { sourcePlaces } from '../recording/source-places.ts';
import type { Recording, Station } from '../views/station.ts';
import { inColumns } from './columns.ts';

/** What is written, and how. */
export interface Onion {
  readonly recording: Recording;
  /** What each route says to what the routes were asked, or would have been. */
  readonly verdicts: readonly RouteVerdict[];
  /** With the microseconds that each station took. */
  readonly withTimes: boolean;
}

/** A line: how deep it stands, its first column, and the others. */
type Line = { readonly depth: number; readonly head: string; readonly rest: readonly string[] };

/** The lines, from the parser to the written reply. */
export function onionLines(onion: Onion): string[] {
  const { recording, withTimes } = onion;
  const { httpVersion, headers, refused, stations, sent, validationTook } = recording;
  const [validation, write] = sourcePlaces([validateRequest, writeReply]);
  const verdict = refused === undefined ? 'passed on' : `refused with ${refused.status}: ${refused.detail}`;
  const time = (took: number | undefined): string => (withTimes && took !== undefined ? `, ${took} µs` : '');
  const lines: Line[] = [
    leaf(0, 'parser', `HTTP/${httpVersion}, ${count(headers.length, 'header line')}`),
    leaf(0, 'request validation', validation, `${verdict}, synchronous${time(validationTook)}`),
    ...stations.flatMap((station) => stationLines(station, 0, onion, time)),
  ];
  const written = sent && `${sent.status}${sent.changes.text}${sent.complete ? '' : '; not sent to its end'}`;
  const sentAfter = withTimes ? `, ${recording.took} µs after the head of the request` : '';
  lines.push(leaf(0, 'write', write, `${written ?? 'nothing: the connection is closed'}${sentAfter}`));
  return laidOut(lines);
}

function stationLines(station: Station, depth: number, onion: Onion, time: (took?: number) => string): Line[] {
  const { label, place, kind, stations, passedChanges = [], reply } = station;
  const isRouting = kind === 'stage' && station.plugin === undefined && label === 'routing';
  const name = kind === 'handler' || kind === 'route' ? `${kind} ${label}` : label;
  const read = kind === 'body' && station.did === 'read' ? ` ${count(onion.recording.body?.bytes ?? 0, 'byte')}` : '';
  const outcome = `${outcomeText(station, read)}${time(station.took)}`;
  if (stations.length === 0 && !isRouting && kind !== 'route') return [leaf(depth, name, place, outcome)];
  const changed = passedChanges.length === 0 ? [] : [`passed on with ${passedChanges.join(', ')}`];
  const inner: Line[] = stations.flatMap((one) => stationLines(one, depth + 1, onion, time));
  if (isRouting) inner.unshift(...verdictLines(onion.verdicts, depth + 1));
  if (kind === 'route' && reply !== undefined)
    inner.push(leaf(depth + 1, 'reply', `${reply.status}${station.changes?.text ?? ''}`));
  return [
    { depth, head: `→ ${name}`, rest: [...(place === undefined ? [] : [place]), ...changed] },
    ...inner,
    { depth, head: `← ${name}`, rest: [outcome] },
  ];
}

const leaf = (depth: number, name: string, ...rest: (string | undefined)[]): Line => ({
  depth,
  head: `· ${name}`,
  rest: rest.filter((cell) => cell !== undefined),
});

/** How many routes the index proposes, and what each route says. */
export function verdictLines(verdicts: readonly RouteVerdict[], depth: number): Line[] {
  const proposed = verdicts.filter((one) => one.proposed).length;
  const marks = { taken: '✓', later: '-', rejected: '✗' } as const;
  const rows = verdicts.map(({ verdict, methods, template, text }) => [`${marks[verdict]} ${methods}`, template, text]);
  return [
    leaf(depth, 'index', `${proposed} of ${count(verdicts.length, 'route')} proposed`),
    ...inColumns(rows).map((head) => ({ depth, head, rest: [] })),
  ];
}

/** Indents the lines. The first column is as wide as the widest line that has a second. */
export function laidOut(lines: readonly Line[]): string[] {
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
  const isMade = kind === 'end' || (kind === 'stage' && (did === 'passed on' || station.stations.length === 0));
  const fault = error === undefined ? '' : `: ${error}`;
  return `${did}${read}${status}, ${manner}${isMade ? made : ''}${fault}`;
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
