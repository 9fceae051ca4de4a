/**
 * Draws stages, the route and the handler as boxes inside of one another: each is a station. The upper edge of a box is
 * the way in, its lower edge the way out.
 *
 * A step is an edge to which a request comes; the steps stand in the order of its way.
 */
import { element, statusClass, time } from './elements.js';

/**
 * The picture of a recorded request, on the screen and on paper, and its steps. `chosen` is called with a station and
 * the edge of a click.
 */
export function drawRecording({ recording }, chosen) {
  const drawing = { chosen, steps: [], total: Math.max(1, recording.took) };
  const { method, target, httpVersion, headers, body, status, complete, replied = Infinity } = recording;
  const parser = { kind: 'parser', label: 'parser', place: 'node:http', lines: headers, body };
  const written = { kind: 'write', label: 'write' };
  const end =
    status === undefined ? 'nothing: the connection is closed' : `${status}${complete ? '' : ', not sent to its end'}`;
  const parts = [
    line(parser, `${method} ${target} HTTP/${httpVersion}`, -1, drawing),
    ...recording.stations.map((station) => box(station, drawing, 0, replied)),
    line(written, end, replied, drawing),
  ];
  const steps = drawing.steps.sort((one, other) => one.event - other.event);
  return { drawn: [element('div', { class: 'onion' }, ...parts), filmOf(steps)], steps };
}

/** The steps one after the other, for print. */
function filmOf(steps) {
  const frames = steps.map(({ element: edge, depth }) => {
    const frame = element('li', { class: edge.className }, ...edge.cloneNode(true).childNodes);
    frame.style.setProperty('--depth', depth);
    return frame;
  });
  return element('ol', { class: 'film' }, ...frames);
}

/** The picture of a pipeline that no request passes. */
export function drawPipeline({ stages, routes }, chosen) {
  const listed = routes.map((one) => ({ ...one, verdict: 'none', text: one.name ?? '' }));
  const nest = ([first, ...others], depth) => {
    const enter = edge('in visited', { ...first, kind: 'stage' }, chosen, named(first), placed(first));
    const inside = others.length > 0 ? [nest(others, depth + 1)] : [];
    // The last stage answers where no route does.
    if (others.length === 1) inside.unshift(routeList(numbered(listed), 'Name'));
    return element('div', { class: boxClass(depth) }, enter, ...inside);
  };
  return element('div', { class: 'onion' }, nest(stages, 0));
}

const LATE = 'after the reply';

/** `end` is the event in which the first of the stations around it left: what comes later comes after a reply. */
function box(station, drawing, depth, end) {
  const { steps, total, chosen } = drawing;
  const { entered, left = Infinity, took, waited, reply, calls, routes } = station;
  const passed = calls[0]?.entered < left && calls[0].changes.length > 0 ? passedText(calls[0]) : undefined;
  const enter = edge('in', station, chosen, named(station), placed(station), passed && element('em', {}, passed));
  const step = (way, event, element, text) =>
    steps.push({ event, element, name: `${way} ${askedName(station, way)}`, text, station, depth: depth + 1 });
  step('into', entered, enter, `into ${nameOf(station)}`);
  const made = element('div', { class: `${boxClass(depth)} ${station.kind} ${failureClass(station)}` }, enter);
  if (routes !== undefined) made.append(verdicts(routes));
  const inside = [
    ...calls.flatMap((call, at) => (at > 0 || call.entered > left ? callNote(call, at, left) : [])),
    ...station.stations.map((inner) => ({
      event: inner.entered,
      drawn: box(inner, drawing, depth + 1, Math.min(left, end)),
    })),
  ].sort((one, other) => one.event - other.event);
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true', title: 'Its share of the time of the request' });
  bar.style.setProperty('--share', `${Math.round((100 * (took ?? 0)) / total)}%`);
  const isLate = left > end && left < Infinity;
  const manner = [waited ? 'waited' : 'synchronous', took === undefined ? '' : time(took), isLate ? LATE : ''];
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
  const before = inside.filter(({ event }) => event < left);
  made.append(...before.map(({ drawn }) => drawn), leave, ...inside.slice(before.length).map(({ drawn }) => drawn));
  return made;
}

const passedText = ({ changes }) => `passed on with ${changes.join(', ')}`;

/** A call of `next` that is not the first, or comes after the reply. */
function callNote(call, at, left) {
  const words = ['next called', at > 0 ? 'again' : '', call.entered > left ? LATE : ''].filter(Boolean).join(' ');
  const text = call.changes.length === 0 ? words : `${words}, ${passedText(call)}`;
  return { event: call.entered, drawn: element('p', { class: 'call' }, text) };
}

/** A station with nothing inside that every request comes to. */
function line(station, text, event, { steps, chosen }) {
  const made = edge('alone', station, chosen, named(station), placed(station), element('span', {}, text));
  steps.push({ event, element: made, name: station.label, text: `${station.label}: ${text}`, station, depth: 0 });
  return made;
}

function edge(way, station, chosen, ...children) {
  const onclick = (event) => chosen(station, event.currentTarget);
  return element('button', { type: 'button', class: `edge ${way}`, onclick }, ...children);
}

const boxClass = (depth) => (depth % 2 === 0 ? 'box' : 'box odd');
const nameOf = ({ kind, label }) => (kind === 'handler' || kind === 'route' ? `${kind} ${label}` : label);
/** As it is named where the next step is asked for: once a route is taken there is one, and one handler. */
const askedName = (station, way) =>
  station.kind === 'handler' || (station.kind === 'route' && way === 'out of')
    ? `the ${station.kind}`
    : nameOf(station);
const named = (station) => element('span', { class: 'name' }, nameOf(station));
const placed = ({ place }) => (place === undefined ? undefined : element('small', {}, place));
const failureClass = ({ did, reply }) =>
  did === 'threw' || (did === 'passed on' && reply === undefined) ? 'failed' : '';

/** What a station did, in words. */
export function outcome({ did, error, refused, reply, changes, routes }) {
  const fault = refused === undefined ? '' : `; refused: ${refused}`;
  if (did === undefined) return 'has not ended';
  if (did === 'threw') return `threw ${error}`;
  if (did === 'caught') return `caught it${changes?.text ?? ''}${fault}`;
  if (did === 'passed on' && reply === undefined && error !== undefined) return 'passed the error on';
  const made = routes === undefined ? (changes?.text ?? '') : '';
  return `${did === 'ignored' ? 'answered, ignored the reply of next' : did}${made}${fault}`;
}

const MARKS = { taken: '✓', rejected: '✗', untried: '-', none: '·' };
const SPOKEN = { taken: 'taken', rejected: 'does not match', untried: 'not tried', none: 'route' };

/** The route that is taken. The others are folded. */
function verdicts(routes) {
  const rows = numbered(routes);
  const [taken, others] = [true, false].map((isTaken) => rows.filter((one) => (one.verdict === 'taken') === isTaken));
  const proposed = routes.filter((one) => one.proposed).length;
  const tried = others.filter((one) => one.verdict === 'rejected').length;
  const folded = element(
    'details',
    {},
    element('summary', {}, `${others.length} routes not taken: ${tried} tried, ${others.length - tried} not tried`),
    element('p', {}, `The index proposes ${proposed} of ${routes.length} routes to be tried, marked at their left.`),
    routeList(others),
  );
  return element('div', { class: 'routes' }, taken.length > 0 ? routeList(taken) : undefined, folded);
}

const numbered = (routes) => routes.map((one, at) => ({ ...one, number: at + 1 }));

function routeList(routes, last = 'Values, or reason') {
  const rows = routes.map(({ verdict, methods, template, text, proposed, number }) =>
    element(
      'tr',
      { class: `${verdict}${proposed ? ' proposed' : ''}` },
      element('td', {}, element('span', { 'aria-label': SPOKEN[verdict], role: 'img' }, MARKS[verdict]), ` ${number}`),
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
