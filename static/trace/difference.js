/** Tells how two recordings of one request differ. */
import { element } from './elements.js';
import { outcome } from './onion.js';

/** A table of the stations and the header lines that are other in the second. */
export function differenceOf(own, other) {
  const rows = [
    ['Status', statusOf(own), statusOf(other)],
    ...rowsOf(outcomesOf(own), outcomesOf(other), 'not reached'),
    ...rowsOf(linesOf(own), linesOf(other), 'absent'),
  ].filter(([name, before, after]) => before !== after || name === 'Status');
  const isSame = rows.length === 1 && rows[0][1] === rows[0][2];
  if (isSame) return element('p', {}, `Nothing changes: both answer ${statusOf(own)}, by the same stations.`);
  const heads = ['', 'Order of the service', 'Your order'].map((text) => element('th', { scope: 'col' }, text));
  return element(
    'table',
    { class: 'pairs' },
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

const statusOf = ({ recording, refused }) => String(recording?.sent?.status ?? refused ?? 'none');

/** What each station did; one that was asked twice has what it did last. */
function outcomesOf({ recording }) {
  const outcomes = new Map();
  const visit = (station) => {
    const status = station.reply === undefined ? '' : ` ${station.reply.status}`;
    outcomes.set(station.label, `${outcome(station)}${status}`);
    station.stations.forEach(visit);
  };
  recording?.stations.forEach(visit);
  return outcomes;
}

/** The header lines of the reply, as the outermost stage returned it. Each reply has another id and time. */
function linesOf({ recording }) {
  const { reply } = recording?.stations[0] ?? {};
  const lines = (reply?.headers ?? []).filter(([name]) => name.toLowerCase() !== 'content-length');
  return new Map(
    [...lines, ['Body', reply?.body.text ?? reply?.body.kind ?? 'none']].map(([name, value]) => [name, steady(value)]),
  );
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
