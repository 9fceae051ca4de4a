/** The trace page: lists requests, draws the chosen one, and compares two of them. */
import { detailOf } from './detail.js';
import { differenceOf } from './difference.js';
import { byId, element, statusClass, time } from './elements.js';
import { drawPipeline, drawRecording } from './onion.js';
import { load } from './player.js';
import { predict } from './predict.js';
import { readRecording } from './recording-file.js';
import * as service from './service.js';

/** As many as the service keeps. */
const KEPT = 50;

const list = byId('requests');
const beside = byId('beside');
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

/** Each has a recording and a name. Two are compared. */
function show(asked, title, note) {
  latest += 1;
  shown = asked;
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
    tell,
  );
  if (isAsking) predict(drawings[0].steps, pipeline.stages, pipeline.routes);
  keep();
}

/** Makes the link to the first of what is shown, as a file. */
function keep() {
  const link = byId('save');
  URL.revokeObjectURL(link.href);
  link.hidden = false;
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

/** Marks the chosen request. */
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

const failToShow = (error) => (byId('travel-note').textContent = error.message);

const pipeline = await service.pipeline();
byId('onion').replaceChildren(drawPipeline(pipeline, choose));
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
  if (isThere) listAnew().catch(failToShow);
});
