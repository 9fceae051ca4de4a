/** The trace page: lists requests, draws the chosen one, and sends requests to a copy of the service. */
import { detailOf } from './detail.js';
import { differenceOf } from './difference.js';
import { byId, element, statusClass, time } from './elements.js';
import { drawPipeline, drawRecording } from './onion.js';
import { isOwn, listStages, orderShown } from './order.js';
import { load } from './player.js';
import * as service from './service.js';

/** As many as the service keeps. */
const KEPT = 50;
const HIDDEN = '(hidden)';

const list = byId('requests');
const form = byId('request');
let chosenNumber;
let chosenEdge;

/** Shows a station in the panel. Where that stands below the stations, the reader is led there, and back. */
function choose(station, edge) {
  tell(station, edge);
  chosenEdge = edge;
  const isBelow = matchMedia('(max-width: 68.75em)').matches;
  byId('back').hidden = !isBelow;
  if (isBelow) byId('detail-heading').focus();
}

function tell(station, edge) {
  byId('detail-heading').textContent = station.label;
  byId('detail').replaceChildren(...detailOf(station));
  for (const other of document.querySelectorAll('.edge[aria-current]')) other.removeAttribute('aria-current');
  edge.setAttribute('aria-current', 'true');
}

/** What is shown last: a comparison that comes later than another choice is not shown. */
let latest = 0;

function show(traced, heading, note, plays) {
  latest += 1;
  byId('difference').replaceChildren();
  byId('travel-heading').textContent = heading;
  byId('travel-note').textContent = note;
  const { drawn, steps } = drawRecording(traced, choose);
  byId('onion').replaceChildren(drawn);
  load(steps, plays, tell);
}

async function showRequest(number) {
  const traced = await service.request(number);
  const { recording } = traced;
  chosenNumber = number;
  mark();
  const note = `Request ${recording.requestId}, ${new Date(recording.at).toLocaleTimeString()}, ${time(recording.took)} in all.`;
  show(traced, `${recording.method} ${recording.target}`, note, false);
  fill(recording);
}

/** The request into the form; without what is hidden, and what the client writes itself. */
function fill({ method, target, headers, body }) {
  const own = /^(?:host|connection|content-length|transfer-encoding|user-agent|sec-.*|referer|accept-encoding)$/i;
  form.elements.method.value = method;
  form.elements.target.value = target;
  const lines = headers.filter(([name, value]) => !own.test(name) && !value.includes(HIDDEN));
  form.elements.headers.value = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
  form.elements.body.value = body?.isCut ? '' : (body?.text ?? '');
  if (body?.isCut) say('Its body is too long to be kept whole: write another.');
  else if (`${target}${body?.text ?? ''}`.includes(HIDDEN)) say(`Write again what is ${HIDDEN}.`);
}

function mark() {
  for (const button of list.querySelectorAll('button')) {
    if (Number(button.dataset.number) === chosenNumber) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
}

function item({ number, method, target, status, took }) {
  return element(
    'li',
    {},
    element(
      'button',
      {
        type: 'button',
        'data-number': String(number),
        onclick: () => showRequest(number).catch((error) => (byId('travel-note').textContent = error.message)),
      },
      element('span', { class: 'method' }, method),
      element('span', { class: 'target' }, target),
      element('span', { class: statusClass(status) }, String(status ?? 'none')),
      element('small', {}, time(took)),
    ),
  );
}

function add(summary) {
  list.prepend(item(summary));
  while (list.children.length > KEPT) list.lastElementChild.remove();
  byId('no-requests').hidden = true;
}

function sentFromForm() {
  const lines = form.elements.headers.value.split('\n').filter((line) => line.trim() !== '');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`"${line}" is no header line; write Name: value`);
    return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
  });
  const { method, target, body } = form.elements;
  return { method: method.value.trim(), target: target.value.trim(), headers, body: body.value };
}

/** Sends what the form has and shows how it travels. */
async function sendAgain() {
  const order = orderShown();
  const traced = await service.send({ ...sentFromForm(), order });
  if (traced.recording === undefined) return say(`The copy did not answer: ${traced.refused}`);
  chosenNumber = undefined;
  mark();
  const { method, target, took, sent } = traced.recording;
  const where = isOwn(order) ? 'a copy of the service' : 'a copy of the service with the stages in your order';
  show(traced, `${method} ${target}`, `Sent to ${where}, ${time(took)} in all.`, true);
  byId('travel').scrollIntoView({ block: 'start' });
  say(`The copy answered ${sent?.status ?? 'nothing'}.`);
}

/** Sends it to two new copies, in both orders, and tells what is other. */
async function compare(order) {
  latest += 1;
  byId('difference').replaceChildren();
  if (isOwn(order)) return;
  const asked = latest;
  const sent = sentFromForm();
  const own = await service.send({ ...sent, fresh: true });
  const other = await service.send({ ...sent, order, fresh: true });
  if (asked !== latest) return;
  say('');
  if (other.recording !== undefined) {
    chosenNumber = undefined;
    mark();
    const { method, target } = other.recording;
    show(other, `${method} ${target}`, 'Sent to a copy of the service with the stages in your order.', true);
  }
  byId('difference').replaceChildren(differenceOf(own, other));
}

const say = (text) => (byId('sent').textContent = text);
const fail = (error) => say(error.message);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  sendAgain().catch(fail);
});
byId('reset').addEventListener('click', () =>
  service.reset().then(() => say('The next request makes a new copy.'), fail),
);

const pipeline = await service.pipeline();
byId('onion').replaceChildren(drawPipeline(pipeline, choose));
// Without a copy, nothing is sent to one.
if (!pipeline.copies) for (const part of document.querySelectorAll('.copies')) part.hidden = true;
listStages(pipeline.stages, (order) => {
  compare(order).catch((error) => byId('difference').replaceChildren(error.message));
});
byId('back').addEventListener('click', () => chosenEdge.focus());

/** Also what came in while nothing was connected. A service that was started anew has other requests. */
async function listAnew() {
  list.replaceChildren();
  for (const summary of (await service.requests()).toReversed()) add(summary);
  mark();
}

service.follow(add, (isThere) => {
  byId('live').textContent = isThere ? 'live' : 'not connected';
  byId('live').classList.toggle('off', !isThere);
  if (isThere) listAnew().catch(fail);
});
