/** Moves through the steps of one request, or of two at the same time, manually or automatically. */
import { byId } from './elements.js';

/** Milliseconds per step while it plays. */
const PACE = 260;

const slider = byId('step');
const button = byId('play');
const caption = byId('caption');
/** The steps of each request. */
let tracks = [];
let last = 0;
let timer;
let stationChosen;

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Loads the steps of each request. When the user moves to a step, `chosen` gets its station and its edge. */
export function load(stepsOfRequests, chosen) {
  stop();
  tracks = stepsOfRequests;
  stationChosen = chosen;
  last = Math.max(0, ...tracks.map((steps) => steps.length - 1));
  byId('player').hidden = false;
  slider.max = String(last);
  show(last);
}

/** Marks the step and all earlier steps. */
export function show(at) {
  slider.value = String(at);
  for (const steps of tracks)
    for (const [number, { element }] of steps.entries()) {
      element.classList.toggle('visited', number <= at);
      element.classList.toggle('here', number === at && at < last);
    }
  caption.textContent = `${at + 1} of ${last + 1}: ${tracks.map((steps) => stepOf(steps, at).text).join(' | ')}`;
  slider.setAttribute('aria-valuetext', caption.textContent);
}

/** The shorter of two requests stays at its last step. */
const stepOf = (steps, at) => steps[Math.min(at, steps.length - 1)];

function play() {
  let at = Number(slider.value) < last ? Number(slider.value) : 0;
  button.textContent = 'Pause';
  show(at);
  timer = setInterval(() => {
    at += 1;
    if (at > last) return stop();
    show(at);
    reveal(at);
  }, PACE);
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  button.textContent = 'Play';
}

/** Scrolls to the step. */
export function reveal(at) {
  const behavior = isStill() ? 'auto' : 'smooth';
  stepOf(tracks[0], at).element.scrollIntoView({ block: 'nearest', behavior });
}

button.addEventListener('click', () => (timer === undefined ? play() : stop()));
slider.addEventListener('input', () => {
  stop();
  const at = Number(slider.value);
  show(at);
  reveal(at);
  const { station, element } = stepOf(tracks[0], at);
  stationChosen(station, element);
});
