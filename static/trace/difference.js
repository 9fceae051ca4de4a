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
  const { method, target } = own.recording ?? other.recording ?? {};
  const isSame = rows.length === 1 && rows[0][1] === rows[0][2];
  if (isSame)
    return element(
      'p',
      {},
      `Nothing changes for ${method} ${target}: both answer ${statusOf(own)}, by the same stations.`,
    );
  const heads = ['', 'Order of the service', 'Your order'].map((text) => element('th', { scope: 'col' }, text));
  return element(
    'table',
    { class: 'pairs' },
    element('caption', {}, `${method} ${target}`),
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

/** What each station did, each time that it was asked. */
function outcomesOf({ recording }) {
  const outcomes = new Map();
  const visit = (station) => {
    const status = station.reply === undefined ? '' : ` ${station.reply.status}`;
    const before = outcomes.has(station.label) ? `${outcomes.get(station.label)}, then ` : '';
    outcomes.set(station.label, `${before}${outcome(station)}${status}`);
    station.stations.forEach(visit);
  };
  recording?.stations.forEach(visit);
  return outcomes;
}

/** Header lines of the connection, and those that are other in each reply. */
const OTHERS = /^(?:connection|keep-alive|transfer-encoding|content-length|date|x-request-id)$/i;

/** The header lines and the body of the reply as it was sent: not every reply is made by a station. */
function linesOf({ recording, body = '' }) {
  const lines = new Map();
  for (const [name, value] of recording?.sent?.headers ?? [])
    if (!OTHERS.test(name)) lines.set(name, lines.has(name) ? `${lines.get(name)}, ${steady(value)}` : steady(value));
  return lines.set('Body', steady(body) || 'none');
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
