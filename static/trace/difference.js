/** Tells how two recordings differ. */
import { element } from './elements.js';
import { outcome } from './onion.js';

/** A table of the stages, routes and handlers and of the header lines that differ, below the names of both. */
export function differenceOf(one, other, title) {
  const rows = [
    ['Status', statusOf(one), statusOf(other)],
    ...rowsOf(outcomesOf(one), outcomesOf(other), 'not reached'),
    ...rowsOf(linesOf(one), linesOf(other), 'absent'),
  ].filter(([name, before, after]) => before !== after || name === 'Status');
  if (rows.length === 1 && rows[0][1] === rows[0][2])
    return element('p', {}, `${title}: no difference. Both answer ${statusOf(one)}, by the same stages.`);
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

/** What each stage, route and handler did, each time that it was asked. */
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

/** Header lines of the connection, and those that are other in each reply. */
const OTHERS = /^(?:connection|keep-alive|transfer-encoding|content-length|date|x-request-id)$/i;

/** Header lines and body of the reply of the outermost stage. */
function linesOf({ recording }) {
  const { headers = [], body } = recording.stations[0]?.reply ?? {};
  const lines = new Map();
  for (const [name, value] of headers)
    if (!OTHERS.test(name)) lines.set(name, lines.has(name) ? `${lines.get(name)}, ${steady(value)}` : steady(value));
  return lines.set('Body', steady(body?.text ?? '') || 'none');
}

/** The text without what is other each time: keys of new items, entity tags and ids of requests. */
const steady = (text) =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'KEY')
    .replace(/"requestId":"[^"]*"/g, '"requestId":"ID"')
    .replace(/^(?:W\/)?"[^"]*"$/, 'TAG');

function rowsOf(own, other, absent) {
  const names = [...new Set([...own.keys(), ...other.keys()])];
  return names.map((name) => [name, own.get(name) ?? absent, other.get(name) ?? absent]);
}
