/** The trace page: lists requests, draws the chosen one, and sends requests to a copy of the service. */
import { detailOf } from './detail.js';
import { differenceOf } from './difference.js';
import { byId, element, statusClass, time } from './elements.js';
import { drawPipeline, drawRecording } from './onion.js';
import { isOwn, listStages, orderShown } from './order.js';
import { load } from './player.js';
import { predict } from './predict.js';
import { readRecording } from './recording-file.js';
import * as service from './service.js';

/** As many as the service keeps. */
const KEPT = 50;
const HIDDEN = '(hidden)';

const list = byId('requests');
const beside = byId('beside');
const form = byId('request');
const hint = byId('detail').firstChild;
/** What gives the recording of each item of the list. */
const recordings = new WeakMap();
/** How many files were opened. */
let files = 0;
let chosenKey;
let chosenEdge;

/** Shows a station in the panel. Where that stands below the pipeline, the reader is led there, and back. */
function choose(station, edge) {
  tell(station, edge);
  chosenEdge = edge;
  const isBelow = matchMedia('(max-width: 68.75em)').matches;
  byId('back').hidden = !isBelow;
  if (isBelow) byId('detail-heading').focus();
}

function tell(station, edge) {
  byId('detail-heading').textContent = station.label;
  const { kind, label, plugin, place, given } = station;
  // Whoever predicts is told what is known on the way in.
  const isAhead = edge.matches('.asking .in');
  byId('detail').replaceChildren(...detailOf(isAhead ? { kind, label, plugin, place, given } : station));
  for (const other of document.querySelectorAll('.edge[aria-current]')) other.removeAttribute('aria-current');
  edge.setAttribute('aria-current', 'true');
}

/** What is shown: one request, or two side by side. */
let shown = [];
/** What comes later than another choice is not shown. */
let latest = 0;

const nameOf = ({ method, target }) => `${method} ${target}`;

/** Each has a name, and a recording unless the parser refused it. Two are compared. */
function show(asked, title, note, plays = false) {
  latest += 1;
  shown = asked.filter(({ recording }) => recording !== undefined);
  const isPair = asked.length > 1;
  byId('travel-heading').textContent = title;
  byId('travel-note').textContent = note;
  byId('detail-heading').textContent = 'Details';
  byId('detail').replaceChildren(hint);
  byId('difference').replaceChildren(...(isPair ? [differenceOf(...asked, title)] : []));
  beside.selectedIndex = 0;
  const drawings = shown.map((one) => drawRecording(one, choose));
  const isAsking = !isPair && byId('predict').checked;
  byId('predict').disabled = isPair;
  byId('prediction').hidden = !isAsking;
  document.body.classList.toggle('asking', isAsking);
  const columns = drawings.map(({ drawn }, at) =>
    element('div', {}, isPair ? element('h3', {}, shown[at].name) : undefined, ...drawn),
  );
  byId('onion').replaceChildren(...columns);
  load(
    drawings.map(({ steps }) => steps),
    plays && !isAsking,
    tell,
  );
  if (isAsking) predict(drawings[0].steps, pipeline.stages, pipeline.routes);
  keep();
}

/** Makes the link to the first of what is shown, as a file. */
function keep() {
  const link = byId('save');
  URL.revokeObjectURL(link.href);
  link.hidden = shown.length === 0;
  if (link.hidden) return;
  const { recording } = shown[0];
  link.download = `${nameOf(recording)
    .replace(/[^\w.]+/g, '-')
    .slice(0, 80)}.json`;
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify({ recording }, undefined, 1)], { type: 'application/json' }),
  );
}

async function showRequest(item) {
  const asked = ++latest;
  const { recording } = await recordings.get(item)();
  if (asked !== latest) return;
  mark(item.dataset.key);
  const note = `Request ${recording.requestId}, ${timeOf(recording)}, ${time(recording.took)} in all.`;
  show([{ recording, name: nameOf(recording) }], nameOf(recording), note);
  fill(recording);
}

const timeOf = ({ at }) => new Date(at).toLocaleTimeString();

/** The chosen request, and the one that is chosen to be compared with it. */
async function showBeside() {
  const at = beside.selectedIndex;
  const asked = ++latest;
  const second = at > 0 ? [(await recordings.get(list.children[at - 1])()).recording] : [];
  if (asked !== latest) return;
  const both = [shown[0].recording, ...second];
  show(
    both.map((recording) => ({ recording, name: `${nameOf(recording)}, ${timeOf(recording)}` })),
    both.map(nameOf).join(' | '),
    both.map((recording) => `Request ${recording.requestId}, ${timeOf(recording)}`).join(' | '),
  );
  beside.selectedIndex = at;
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

/** Marks the chosen request; none without a key. */
function mark(key) {
  chosenKey = key;
  for (const item of list.children) {
    if (item.dataset.key === key) item.firstChild.setAttribute('aria-current', 'true');
    else item.firstChild.removeAttribute('aria-current');
  }
}

/** Puts a request in front of the list, and of those to compare with. */
function add({ method, target, status, took }, key, recorded, from = '') {
  const onclick = () => showRequest(item).catch(failToShow);
  const button = element(
    'button',
    { type: 'button', onclick },
    element('span', { class: 'method' }, method),
    element('span', { class: 'target' }, target),
    element('span', { class: statusClass(status) }, String(status ?? 'none')),
    element('small', {}, `${time(took)}${from}`),
  );
  const item = element('li', { 'data-key': key }, button);
  recordings.set(item, recorded);
  list.prepend(item);
  beside.options[0].after(element('option', {}, `${nameOf({ method, target }).slice(0, 60)} ${status ?? ''}`));
  while (list.children.length > KEPT) drop(list.lastElementChild);
  byId('no-requests').hidden = true;
  return item;
}

function drop(item) {
  beside.options[1 + [...list.children].indexOf(item)].remove();
  item.remove();
}

const addRequest = (summary) => add(summary, String(summary.number), () => service.request(summary.number));

/** A recording that was handed in is listed like one of the service. */
async function openFile(file) {
  byId('opened').textContent = '';
  const traced = await readRecording(file);
  files += 1;
  await showRequest(add(traced.recording, `file ${files}`, async () => traced, `, ${file.name}`));
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
async function send() {
  if (!isOwn(orderShown())) return compare();
  const traced = await service.send(sentFromForm());
  const { recording } = traced;
  if (recording === undefined) return say(`The copy did not answer: ${traced.refused}`);
  mark();
  show(
    [{ ...traced, name: nameOf(recording) }],
    nameOf(recording),
    `Sent to a copy of the service, ${time(recording.took)} in all.`,
    true,
  );
  byId('travel').scrollIntoView({ block: 'start' });
  say(`The copy answered ${recording.sent?.status ?? 'nothing'}.`);
}

/** Sends it to two new copies, in both orders. */
async function compare() {
  const order = orderShown();
  // What is shown is of an order before.
  if (shown.length > 1) show(shown.slice(0, 1), nameOf(shown[0].recording), byId('travel-note').textContent);
  const asked = ++latest;
  if (isOwn(order)) return;
  const sent = sentFromForm();
  const own = await service.send({ ...sent, fresh: true });
  const other = await service.send({ ...sent, order, fresh: true });
  if (asked !== latest) return;
  say('');
  mark();
  const both = [
    { ...own, name: 'Order of the service' },
    { ...other, name: 'Your order' },
  ];
  show(both, nameOf(sent), 'Sent to two new copies.');
}

const say = (text) => (byId('sent').textContent = text);
const fail = (error) => say(error.message);
const failToShow = (error) => (byId('travel-note').textContent = error.message);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  send().catch(fail);
});
byId('reset').addEventListener('click', () =>
  service.reset().then(() => say('The next request makes a new copy.'), fail),
);

const pipeline = await service.pipeline();
byId('onion').replaceChildren(drawPipeline(pipeline, choose));
// Without a copy, nothing is sent to one.
if (!pipeline.copies) for (const part of document.querySelectorAll('.copies')) part.hidden = true;
listStages(pipeline.stages, () => compare().catch(fail));
byId('back').addEventListener('click', () => chosenEdge.focus());
beside.addEventListener('change', () => showBeside().catch(failToShow));
byId('predict').addEventListener('change', () => {
  show(shown, byId('travel-heading').textContent, byId('travel-note').textContent);
});
const file = byId('file');
byId('open').addEventListener('click', () => file.click());
file.addEventListener('change', () => {
  const [chosen] = file.files;
  if (chosen !== undefined) openFile(chosen).catch((error) => (byId('opened').textContent = error.message));
  // The same file may be chosen again.
  file.value = '';
});

/** Also what came in while nothing was connected. A service that was started anew has other requests. */
async function listAnew() {
  for (const item of [...list.children]) if (!item.dataset.key.startsWith('file')) drop(item);
  for (const summary of (await service.requests()).toReversed()) addRequest(summary);
  mark(chosenKey);
}

service.follow(addRequest, (isThere) => {
  byId('live').textContent = isThere ? 'live' : 'not connected';
  byId('live').classList.toggle('off', !isThere);
  if (isThere) listAnew().catch(fail);
});
