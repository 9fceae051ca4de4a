/** Moves along the steps of a request, one at a time, by hand or by itself. */
import { byId } from './elements.js';

/** How long a step takes while it plays, in milliseconds. */
const PACE = 260;

const slider = byId('step');
const button = byId('play');
const caption = byId('caption');
let steps = [];
let timer;

/** Shows these steps; `plays` lets the request travel at once. */
export function load(loaded, plays) {
  stop();
  steps = loaded;
  byId('player').hidden = steps.length === 0;
  slider.max = String(steps.length - 1);
  slider.value = '0';
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (plays && !still) play();
  else show(steps.length - 1);
}

/** Marks the step, and those before it. */
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
    steps[at].element.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, PACE);
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  button.textContent = 'Play';
}

button.addEventListener('click', () => (timer === undefined ? play() : stop()));
slider.addEventListener('input', () => {
  stop();
  show(Number(slider.value));
});
