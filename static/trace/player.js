/** Moves along the steps of a request, one at a time, by hand or by itself. */
import { byId } from './elements.js';

/** How long a step takes while it plays, in milliseconds. */
const PACE = 260;

const slider = byId('step');
const button = byId('play');
const caption = byId('caption');
let steps = [];
let timer;
let tell;

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Shows these steps; `plays` lets the request travel at once. `chosen` is called with the station of a chosen step. */
export function load(loaded, plays, chosen) {
  stop();
  steps = loaded;
  tell = chosen;
  byId('player').hidden = steps.length === 0;
  slider.max = String(steps.length - 1);
  slider.value = '0';
  if (plays && !isStill()) play();
  else show(steps.length - 1);
}

/** Marks the step, and those before it, and tells its station. */
function show(at) {
  slider.value = String(at);
  for (const [number, { element }] of steps.entries()) {
    element.classList.toggle('visited', number <= at);
    element.classList.toggle('here', number === at && at < steps.length - 1);
  }
  const { text } = steps[at] ?? { text: '' };
  caption.textContent = `${at + 1} of ${steps.length}: ${text}`;
  slider.setAttribute('aria-valuetext', caption.textContent);
}

function play() {
  let at = Number(slider.value) < steps.length - 1 ? Number(slider.value) : 0;
  button.textContent = 'Pause';
  show(at);
  timer = setInterval(() => {
    at += 1;
    if (at >= steps.length) return stop();
    show(at);
    reveal(at);
  }, PACE);
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  button.textContent = 'Play';
}

function reveal(at) {
  const behavior = isStill() ? 'auto' : 'smooth';
  steps[at]?.element.scrollIntoView({ block: 'nearest', behavior });
}

button.addEventListener('click', () => (timer === undefined ? play() : stop()));
slider.addEventListener('input', () => {
  stop();
  show(Number(slider.value));
  reveal(Number(slider.value));
  const { station, element } = steps[Number(slider.value)];
  tell(station, element);
});
