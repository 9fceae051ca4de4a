/** Shows the differences between two recordings. */
import { element } from './elements.js';
import { outcome } from './onion.js';

/** Returns a table of the stations and header lines that differ, with one column per recording. */
export function differenceOf(one, other, title) {
  const rows = [
    ['Status', statusOf(one), statusOf(other)],
    ...rowsOf(outcomesOf(one), outcomesOf(other), 'not reached'),
    ...rowsOf(linesOf(one), linesOf(other), 'absent'),
  ].filter(([name, before, after]) => before !== after || name === 'Status');
  if (rows.length === 1 && rows[0][1] === rows[0][2])
    return element('p', {}, `${title}: no difference. Both have the status ${statusOf(one)} and the same stages.`);
  const heads = ['', one.name, other.name].map((text) => element('th', { scope: 'col' }, text));
  return element(
    'table',
    { class: 'pairs' },
    element('caption', {}, `${title}: the differences`),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows.map(([name, ...cells]) => rowOf(name, cells))),
  );
}

const rowOf = (name, cells) =>
  element(
    'tr',
    name === 'Status' && cells[0] !== cells[1] ? { class: 'marked' } : {},
    element('th', { scope: 'row' }, name),
    ...cells.map((text) => element('td', {}, text)),
  );

const statusOf = ({ recording }) => String(recording.status ?? 'none');

/** The actions of each station, in all visits. */
function outcomesOf({ recording }) {
  const outcomes = new Map();
  const visit = (station) => {
    const status = station.reply === undefined ? '' : ` ${station.reply.status}`;
    const before = outcomes.has(station.label) ? `${outcomes.get(station.label)}, then ` : '';
    outcomes.set(station.label, `${before}${outcome(station)}${status}`);
    station.stations.forEach(visit);
  };
  recording.stations.forEach(visit);
  return outcomes;
}

/** Headers that are ignored: those of the connection, and those that differ in each reply. */
const IGNORED = /^(?:connection|keep-alive|transfer-encoding|content-length|date|x-request-id)$/i;

/** The header lines and the body of the outermost stage's reply. */
function linesOf({ recording }) {
  const { headers = [], body } = recording.stations[0]?.reply ?? {};
  const lines = new Map();
  for (const [name, value] of headers)
    if (!IGNORED.test(name)) lines.set(name, lines.has(name) ? `${lines.get(name)}, ${steady(value)}` : steady(value));
  return lines.set('Body', steady(body?.text ?? '') || 'none');
}

/** Replaces values that differ in each reply: keys of new items, entity tags and request ids. */
const steady = (text) =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'KEY')
    .replace(/"requestId":"[^"]*"/g, '"requestId":"ID"')
    .replace(/^(?:W\/)?"[^"]*"$/, 'TAG');

function rowsOf(one, other, absent) {
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.map((name) => [name, one.get(name) ?? absent, other.get(name) ?? absent]);
}
