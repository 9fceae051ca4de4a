/** The trace page: lists requests, draws the chosen one, and compares two of them. */
import { detailOf } from './detail.js';
import { differenceOf } from './difference.js';
import { byId, element, statusClass, time } from './elements.js';
import { drawPipeline, drawRecording } from './onion.js';
import { load } from './player.js';
import { predict } from './predict.js';
import { readRecording } from './recording-file.js';
import * as service from './service.js';

/** Milliseconds between two questions for new requests. */
const PACE = 1000;

const list = byId('requests');
const beside = byId('beside');
const hint = byId('detail').firstChild;
/** For each item of the list, a function that returns its recording. */
const recordings = new WeakMap();
/** The number of opened files. */
let files = 0;
let chosenEdge;

/** Shows a station in the panel. If the panel is below the pipeline, the focus moves to it, and a button leads back. */
function choose(station, edge) {
  showStation(station, edge);
  chosenEdge = edge;
  const isBelow = matchMedia('(max-width: 68.75em)').matches;
  byId('back').hidden = !isBelow;
  if (isBelow) byId('detail-heading').focus();
}

function showStation(station, edge) {
  byId('detail-heading').textContent = station.label;
  const { kind, label, plugin, given } = station;
  // During a prediction, the panel shows only what is known on the way in.
  const isAhead = edge.matches('.asking .in');
  byId('detail').replaceChildren(...detailOf(isAhead ? { kind, label, plugin, given } : station));
  for (const other of document.querySelectorAll('.edge[aria-current]')) other.removeAttribute('aria-current');
  edge.setAttribute('aria-current', 'true');
}

/** The shown requests: one, or two side by side. Each has a recording and a name. */
let shown = [];
/** The number of the last choice. A recording that arrives after a later choice is not shown. */
let latest = 0;

const nameOf = ({ method, target }) => `${method} ${target}`;

/** Shows one request, or compares two. */
function show(chosen, title, note) {
  latest += 1;
  shown = chosen;
  const isPair = chosen.length > 1;
  byId('travel-heading').textContent = title;
  byId('travel-note').textContent = note;
  byId('detail-heading').textContent = 'Details';
  byId('detail').replaceChildren(hint);
  byId('difference').replaceChildren(...(isPair ? [differenceOf(...chosen, title)] : []));
  beside.selectedIndex = 0;
  const drawings = shown.map((request) => drawRecording(request, choose));
  const isAsking = !isPair && byId('predict').checked;
  byId('predict').disabled = isPair;
  byId('prediction').hidden = !isAsking;
  document.body.classList.toggle('asking', isAsking);
  const columns = drawings.map(({ drawn }, at) =>
    element('div', {}, isPair ? element('h3', {}, shown[at].name) : undefined, drawn),
  );
  byId('onion').replaceChildren(...columns);
  load(
    drawings.map(({ steps }) => steps),
    showStation,
  );
  if (isAsking) predict(drawings[0].steps, pipeline.stages, pipeline.routes);
  updateSaveLink();
}

/** Updates the link that saves the first shown request as a file. */
function updateSaveLink() {
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
  const choice = ++latest;
  const { recording } = await recordings.get(item)();
  if (choice !== latest) return;
  mark(item.dataset.key);
  const note = `Request ${recording.requestId}, ${timeOf(recording)}, ${time(recording.took)} in all.`;
  show([{ recording, name: nameOf(recording) }], nameOf(recording), note);
}

const timeOf = ({ at }) => new Date(at).toLocaleTimeString();

/** Shows the chosen request, and the request to compare with beside it. */
async function showBeside() {
  const at = beside.selectedIndex;
  const choice = ++latest;
  const second = at > 0 ? [(await recordings.get(list.children[at - 1])()).recording] : [];
  if (choice !== latest) return;
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
  for (const item of list.children) {
    if (item.dataset.key === key) item.firstChild.setAttribute('aria-current', 'true');
    else item.firstChild.removeAttribute('aria-current');
  }
}

/** Adds a request to the beginning of the list, and of the selection for comparing. */
function add({ method, target, status, took }, key, readRecord, from = '') {
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
  recordings.set(item, readRecord);
  list.prepend(item);
  beside.options[0].after(element('option', {}, `${nameOf({ method, target }).slice(0, 60)} ${status ?? ''}`));
  byId('no-requests').hidden = true;
  return item;
}

function drop(item) {
  beside.options[1 + [...list.children].indexOf(item)].remove();
  item.remove();
}

/** Adds the recording in a file to the list, like the recordings of the service, and shows it. */
async function openFile(file) {
  byId('opened').textContent = '';
  const content = await readRecording(file);
  files += 1;
  await showRequest(add(content.recording, `file ${files}`, async () => content, `, ${file.name}`));
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
  // Otherwise choosing the same file again would not be a change.
  file.value = '';
});

/** Adds the new requests of the service to the list, and drops those that the service no longer stores. */
async function refresh() {
  // A service that has restarted counts its requests from 1 again.
  const keyOf = ({ number, at }) => `${number} ${at}`;
  const summaries = await service.requests();
  const keys = new Set(summaries.map(keyOf));
  for (const item of [...list.children])
    if (!keys.delete(item.dataset.key) && !item.dataset.key.startsWith('file')) drop(item);
  for (const summary of summaries.toReversed())
    if (keys.has(keyOf(summary))) add(summary, keyOf(summary), () => service.request(summary.number));
}

async function follow() {
  const isThere = await refresh().then(
    () => true,
    () => false,
  );
  byId('live').textContent = isThere ? 'live' : 'not connected';
  byId('live').classList.toggle('off', !isThere);
  setTimeout(follow, PACE);
}
await follow();
