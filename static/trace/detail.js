/**
 * Shows the details of a station, for example a stage, a route or a handler: the context that came in, its changes, and
 * the reply that went out.
 */
import { element, pairs, statusClass, time } from './elements.js';
import { outcome } from './onion.js';

/** Returns the elements of the panel. */
export function detailOf(station) {
  const { kind, plugin, given, calls = [], reply, changes = [], error, refused, entered, left } = station;
  const facts = [
    plugin === undefined ? undefined : ['Plugin', plugin],
    station.did === undefined ? undefined : ['Did', error === undefined ? outcome(station) : station.did],
    station.waited === undefined ? undefined : ['Manner', station.waited ? 'waited (a promise)' : 'synchronous'],
    left === undefined
      ? undefined
      : ['Time', `${time(left - entered)}; without inner stations ${time(ownTime(station))}`],
  ].filter((fact) => fact !== undefined);
  const parts = [];
  if (TEXTS[kind] !== undefined) parts.push(element('p', { class: 'hint' }, TEXTS[kind]));
  if (facts.length > 0) parts.push(pairs(facts));
  for (const fault of [error, refused]) if (fault !== undefined) parts.push(element('p', { class: 'error' }, fault));
  if (station.lines !== undefined)
    parts.push(element('h3', {}, 'Header lines'), pairs(station.lines), ...bodyParts(station.body));
  if (given !== undefined) parts.push(element('h3', {}, 'The context that came in'), ...contextParts(given));
  for (const [at, { changes: passedChanges }] of calls.entries()) {
    parts.push(element('h3', {}, at === 0 ? 'What it passed on' : `What it passed on in call ${at + 1} of next`));
    parts.push(
      passedChanges.length === 0
        ? element('p', { class: 'hint' }, 'The same context.')
        : element('ul', {}, ...passedChanges.map((text) => element('li', {}, text))),
    );
  }
  const title = kind === 'handler' ? 'What the handler returned' : 'The reply that went out';
  if (reply !== undefined) parts.push(element('h3', {}, title), ...replyParts(reply, changes));
  return parts;
}

const TEXTS = {
  parser:
    'The parser of Node, node:http, reads the head. A request that it refuses does not reach a stage. The input of an ' +
    'operation waits for the body.',
  input:
    'The operation reads its parameters and its body, and compares them with their declaration. If they differ, the ' +
    'handler does not run.',
  reply:
    'The operation makes the reply of what the handler returned: it writes the value, adds headers and checks the ' +
    'conditions of the request, such as If-None-Match.',
  server: 'The server answers if no stage catches an error, or if no stage sees the request.',
  write: 'The head and the body go to the socket.',
};

/** The time without that of inner stations, which may overlap each other and end after the station. */
function ownTime({ entered, left, stations }) {
  let rest = left - entered;
  let covered = entered;
  for (const inner of stations) {
    const [from, to] = [Math.max(covered, inner.entered), Math.min(left, inner.left ?? Infinity)];
    if (to > from) rest -= to - from;
    covered = Math.max(covered, to);
  }
  return rest;
}

function contextParts({ method, path, basePath, query, headers, slots }) {
  const line = [
    ['Method', method],
    ['Path', path],
    ['Base path', basePath],
    ['Query', query],
    ['Slots', slots.join(', ')],
  ].filter(([, value]) => value !== '');
  return [pairs(line), element('details', {}, element('summary', {}, 'Headers'), pairs(Object.entries(headers)))];
}

function replyParts(reply, changes) {
  const [ofLines, others] = [true, false].map((isOfLine) => changes.filter((one) => /^[+~] /.test(one) === isOfLine));
  const marks = new Map(ofLines.map((change) => [change.slice(2).toLowerCase(), change[0]]));
  return [
    element(
      'p',
      {},
      element('span', { class: statusClass(reply.status) }, String(reply.status)),
      ` ${others.join(', ')}`,
    ),
    reply.headers.length === 0 ? undefined : pairs(reply.headers, marks),
    ...bodyParts(reply.body),
  ].filter((part) => part !== undefined);
}

function bodyParts(body) {
  if (body === undefined || body.kind === 'none') return [];
  const size = body.bytes === undefined ? 'a stream' : `${body.bytes} byte${body.bytes === 1 ? '' : 's'}`;
  const text = body.text === undefined ? undefined : element('pre', { tabindex: '0' }, formatted(body.text));
  const cut = body.isCut ? ', of which these are the first 4,096 characters' : '';
  return [element('p', { class: 'hint' }, `Body: ${size}${cut}`), text].filter((part) => part !== undefined);
}

/** Indents JSON. Other text, including JSON that was cut, does not change. */
function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
