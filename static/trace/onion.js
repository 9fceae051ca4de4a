/**
 * Draws stations as boxes inside of one another. The upper edge of a box is the way in, its lower edge the way out.
 *
 * `steps` lists the edges in the order in which a request comes to them, for the player.
 */
import { element, statusClass, time } from './elements.js';

/** The picture of a recorded request: its element, and its steps. `chosen` is called with a station. */
export function drawRecording({ recording, routes }, chosen) {
  const steps = [];
  const total = Math.max(1, recording.took);
  const before = [
    line(
      'parser',
      'node:http',
      `${recording.method} ${recording.target} HTTP/${recording.httpVersion}`,
      steps,
      {
        label: 'parser',
        kind: 'parser',
        given: undefined,
        sent: recording.headers,
        body: recording.body,
      },
      chosen,
    ),
    line(
      'request validation',
      '',
      recording.refused ? `refused with ${recording.refused.status}: ${recording.refused.detail}` : 'passed on',
      steps,
      {
        label: 'request validation',
        kind: 'validation',
        took: recording.validationTook,
        error: recording.refused?.detail,
      },
      chosen,
    ),
  ];
  const boxes = recording.stations.map((station) => box(station, { routes, steps, total, chosen }));
  const { sent } = recording;
  const written = line(
    'write',
    '',
    sent ? `${sent.status}${sent.complete ? '' : ', the client left'}` : 'nothing: the connection is closed',
    steps,
    { label: 'write', kind: 'write', changes: sent?.changes },
    chosen,
  );
  return { drawn: element('div', { class: 'onion' }, ...before, ...boxes, written), steps };
}

/** The picture of a pipeline that no request passes. */
export function drawPipeline({ stages, routes }, chosen) {
  const nest = ([first, ...others]) => {
    if (first === undefined)
      return routeList(
        routes.map((one) => ({ ...one, verdict: 'none', text: one.name ?? '' })),
        'Name',
      );
    return element(
      'div',
      { class: 'box' },
      edge(
        { class: 'edge in', onclick: () => chosen({ ...first, kind: 'stage' }) },
        element('span', {}, first.label),
        place(first),
      ),
      nest(others),
    );
  };
  return element('div', { class: 'onion' }, nest(stages));
}

function box(station, drawing) {
  const { routes, steps, total, chosen } = drawing;
  const isRouting = station.label === 'routing' && station.plugin === undefined;
  const choose = () => chosen(station);
  const enter = edge(
    { class: 'edge in', onclick: choose },
    element('span', { class: 'name' }, nameOf(station)),
    place(station),
    station.passedChanges?.length ? element('em', {}, `passed on with ${station.passedChanges.join(', ')}`) : undefined,
  );
  steps.push({ element: enter, text: `into ${nameOf(station)}`, station });
  const made = element('div', { class: `box ${station.kind} ${outcomeClass(station)}` }, enter);
  if (isRouting) made.append(verdicts(routes));
  for (const inner of station.stations) made.append(box(inner, drawing));
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', `${Math.round((100 * (station.took ?? 0)) / total)}%`);
  const leave = edge(
    { class: 'edge out', onclick: choose },
    element('span', {}, outcome(station)),
    station.reply
      ? element('span', { class: statusClass(station.reply.status) }, String(station.reply.status))
      : undefined,
    element(
      'small',
      {},
      [station.waited ? 'waited' : 'synchronous', station.took === undefined ? '' : time(station.took)]
        .filter(Boolean)
        .join(', '),
    ),
    bar,
  );
  steps.push({ element: leave, text: `out of ${nameOf(station)}: ${outcome(station)}`, station });
  made.append(leave);
  return made;
}

function line(name, where, text, steps, station, chosen) {
  const made = edge(
    { class: 'edge alone', onclick: () => chosen(station) },
    element('span', { class: 'name' }, name),
    where === '' ? undefined : element('small', {}, where),
    element('span', {}, text),
  );
  steps.push({ element: made, text: `${name}: ${text}`, station });
  return made;
}

const edge = (attributes, ...children) => element('button', { type: 'button', ...attributes }, ...children);

const place = (station) => (station.place === undefined ? undefined : element('small', {}, station.place));

const nameOf = ({ kind, label }) => (kind === 'handler' || kind === 'route' ? `${kind} ${label}` : label);

const outcomeClass = ({ did, reply }) =>
  did === 'threw' || (did === 'passed on' && reply === undefined) ? 'failed' : '';

/** What a station did, in words. */
export function outcome({ did, error, reply, changes }) {
  if (did === 'threw') return `threw ${error}`;
  if (did === 'caught') return `caught ${error}`;
  if (did === 'passed on' && reply === undefined) return 'passed the error on';
  const added = did === 'passed on' && changes?.added.length ? `, + ${changes.added.join(', ')}` : '';
  return `${did ?? 'has not ended'}${added}`;
}

const MARKS = { taken: '✓', later: '–', rejected: '✗', none: '·' };
const SPOKEN = { taken: 'taken', later: 'not tried', rejected: 'not taken', none: '' };

function verdicts(routes) {
  const proposed = routes.filter((one) => one.proposed).length;
  const shown = routes.map((one) => (one.verdict === 'later' ? { ...one, text: 'an earlier route answers' } : one));
  return element(
    'div',
    { class: 'routes' },
    element('p', {}, `The index proposes ${proposed} of ${routes.length} routes.`),
    routeList(shown),
  );
}

function routeList(routes, last = 'Verdict') {
  const rows = routes.map(({ verdict, methods, template, text, proposed }, at) =>
    element(
      'tr',
      { class: `${verdict}${proposed ? ' proposed' : ''}` },
      element('td', {}, element('span', { 'aria-label': SPOKEN[verdict], role: 'img' }, MARKS[verdict]), ` ${at + 1}`),
      element('td', {}, methods),
      element('td', {}, `/${template}`),
      element('td', {}, text),
    ),
  );
  const heads = ['', 'Method', 'Template', last].map((text) => element('th', { scope: 'col' }, text));
  return element(
    'table',
    { class: 'verdicts' },
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows),
  );
}
