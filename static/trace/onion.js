/**
 * Draws the stations (stages, the route, and the input, the handler and the reply of an operation) as nested boxes. The
 * upper edge of a box is the way in, its lower edge is the way out.
 *
 * A step is an edge that the request reaches. The steps are in the order of their times.
 */
import { element, statusClass, time } from './elements.js';

/** Returns the picture of a recorded request, and its steps. A click calls `chosen` with the station and the edge. */
export function drawRecording({ recording }, chosen) {
  const drawing = { chosen, steps: [], total: Math.max(1, recording.took) };
  const { method, target, httpVersion, headers, body, status, complete, stations } = recording;
  const replied = stations[0]?.left ?? Infinity;
  const parser = { kind: 'parser', label: 'parser', lines: headers, body };
  const written = { kind: 'write', label: 'write' };
  const end =
    status === undefined ? 'nothing: the connection is closed' : `${status}${complete ? '' : ', not sent to its end'}`;
  // The server answers if no stage catches an error, or if no stage sees the request.
  const isOfServer = status !== undefined && status !== stations[0]?.reply?.status;
  const caught = stations[0]?.error === undefined ? '' : 'caught it, ';
  const server = { kind: 'server', label: 'server', error: stations[0]?.error };
  const parts = [
    line(parser, `${method} ${target} HTTP/${httpVersion}`, -1, drawing),
    ...stations.map((station) => box(station, drawing, 0, replied)),
    isOfServer ? line(server, `${caught}answered ${status}`, replied, drawing) : undefined,
    line(written, end, replied, drawing),
  ];
  const steps = drawing.steps.sort((one, other) => one.at - other.at);
  return { drawn: element('div', { class: 'onion' }, ...parts), steps };
}

/** Returns the picture of the pipeline without a request. */
export function drawPipeline({ stages, routes }, chosen) {
  const listed = routes.map((route) => ({ ...route, verdict: 'none', text: route.name ?? '' }));
  const nest = ([first, ...others], depth) => {
    const enter = edge('in visited', { ...first, kind: 'stage' }, chosen, named(first));
    const inside = others.length > 0 ? [nest(others, depth + 1)] : [];
    // The routes are drawn before the last stage, which answers if no route matches.
    if (others.length === 1) inside.unshift(routeList(numbered(listed), 'Name'));
    return element('div', { class: boxClass(depth) }, enter, ...inside);
  };
  return element('div', { class: 'onion' }, nest(stages, 0));
}

const LATE = 'after the reply';

/** `end` is the time of the first outer station's end. */
function box(station, drawing, depth, end) {
  const { steps, total, chosen } = drawing;
  const { entered, left = Infinity, waited, reply, calls, routes } = station;
  const passed = calls[0]?.at <= left && calls[0].changes.length > 0 ? passedText(calls[0]) : undefined;
  const enter = edge('in', station, chosen, named(station), passed && element('em', {}, passed));
  const step = (way, at, element, text) =>
    steps.push({ at, element, name: `${way} ${askedName(station, way)}`, text, station });
  step('into', entered, enter, `into ${nameOf(station)}`);
  const drawn = element('div', { class: `${boxClass(depth)} ${station.kind} ${failureClass(station)}` }, enter);
  if (routes !== undefined) drawn.append(verdicts(routes));
  const inside = [
    ...calls.flatMap((call, number) => (number > 0 || call.at > left ? callNote(call, number, left) : [])),
    ...station.stations.map((inner) => ({
      at: inner.entered,
      drawn: box(inner, drawing, depth + 1, Math.min(left, end)),
    })),
  ].sort((one, other) => one.at - other.at);
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true', title: 'Its share of the time of the request' });
  const took = left < Infinity ? left - entered : 0;
  bar.style.setProperty('--share', `${Math.round((100 * took) / total)}%`);
  const isLate = left > end && left < Infinity;
  const manner = [waited ? 'waited' : waited === false ? 'synchronous' : '', time(took), isLate ? LATE : ''];
  const leave = edge(
    'out',
    station,
    chosen,
    element('span', {}, element('span', { class: 'name' }, nameOf(station)), ` ${outcome(station)}`),
    reply && element('span', { class: statusClass(reply.status) }, String(reply.status)),
    element('small', {}, station.did === undefined ? '' : manner.filter(Boolean).join(', ')),
    bar,
  );
  step('out of', left, leave, `out of ${nameOf(station)}: ${outcome(station)}${isLate ? `, ${LATE}` : ''}`);
  const before = inside.filter(({ at }) => at <= left);
  const after = inside.slice(before.length);
  drawn.append(...before.map((part) => part.drawn), leave, ...after.map((part) => part.drawn));
  return drawn;
}

const passedText = ({ changes }) => `passed on with ${changes.join(', ')}`;

/** A note for a call of `next` that is not the first or comes after the reply. */
function callNote(call, number, left) {
  const words = ['next called', number > 0 ? 'again' : '', call.at > left ? LATE : ''].filter(Boolean).join(' ');
  const text = call.changes.length === 0 ? words : `${words}, ${passedText(call)}`;
  return { at: call.at, drawn: element('p', { class: 'call' }, text) };
}

/** A station of every request that has no inner stations: the parser and the write. */
function line(station, text, at, { steps, chosen }) {
  const drawn = edge('alone', station, chosen, named(station), element('span', {}, text));
  steps.push({ at, element: drawn, name: station.label, text: `${station.label}: ${text}`, station });
  return drawn;
}

function edge(way, station, chosen, ...children) {
  const onclick = (event) => chosen(station, event.currentTarget);
  return element('button', { type: 'button', class: `edge ${way}`, onclick }, ...children);
}

const boxClass = (depth) => (depth % 2 === 0 ? 'box' : 'box odd');
const nameOf = ({ kind, label }) => (kind === 'handler' || kind === 'route' ? `${kind} ${label}` : label);
/** The name as an answer of the prediction. The taken route and its handler are unique, so their labels are omitted. */
const askedName = (station, way) =>
  station.kind === 'handler' || (station.kind === 'route' && way === 'out of')
    ? `the ${station.kind}`
    : nameOf(station);
const named = (station) => element('span', { class: 'name' }, nameOf(station));
const FAILURES = ['threw', 'refused', 'passed the error on'];
const failureClass = ({ did }) => (FAILURES.includes(did) ? 'failed' : '');

/** Returns the action of a station as text. */
export function outcome({ did, error, refused, changes = [] }) {
  if (did === undefined) return 'has not ended';
  const difference = changes.length === 0 ? '' : `: ${changes.join(', ')}`;
  const fault = refused === undefined ? '' : `; refused: ${refused}`;
  const result = did === 'threw' ? ` ${error}` : did === 'refused' ? ` with ${error}` : '';
  return `${did}${result}${difference}${fault}`;
}

const MARKS = { taken: '✓', rejected: '✗', untried: '-', none: '·' };
const MARK_LABELS = { taken: 'taken', rejected: 'does not match', untried: 'not tried', none: 'route' };

/** The taken route, and the other routes, which are folded. */
function verdicts(routes) {
  const rows = numbered(routes);
  const [taken, others] = [true, false].map((isTaken) => rows.filter((row) => (row.verdict === 'taken') === isTaken));
  const proposed = routes.filter((route) => route.proposed).length;
  const tried = others.filter((route) => route.verdict === 'rejected').length;
  const folded = element(
    'details',
    {},
    element('summary', {}, `${others.length} routes not taken: ${tried} tried, ${others.length - tried} not tried`),
    element(
      'p',
      {},
      `The index proposes ${proposed} of ${routes.length} routes, which have a mark on the left. Others are not tried.`,
    ),
    routeList(others),
  );
  return element('div', { class: 'routes' }, taken.length > 0 ? routeList(taken) : undefined, folded);
}

const numbered = (routes) => routes.map((route, at) => ({ ...route, number: at + 1 }));

function routeList(routes, last = 'Values, or reason') {
  const rows = routes.map(({ verdict, methods, template, text, proposed, number }) =>
    element(
      'tr',
      { class: `${verdict}${proposed ? ' proposed' : ''}` },
      element(
        'td',
        {},
        element('span', { 'aria-label': MARK_LABELS[verdict], role: 'img' }, MARKS[verdict]),
        ` ${number}`,
      ),
      element('td', {}, methods),
      element('td', {}, template),
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
