/** Asks for the next step before it is shown. After a wrong answer it asks a helpful question; the user can try again. */
import { byId, element } from './elements.js';
import { reveal, show } from './player.js';

const form = byId('prediction');
const next = byId('next');
const result = byId('judged');

/** The questions by the direction of the answer and the direction of the correct step. */
const QUESTIONS = {
  'in in': 'What does the request pass before that?',
  'in out': 'The request goes no further in here. Who ends next?',
  'out in': 'Before that, the request goes further in. What does it reach next?',
  'out out': 'The request is inside several stations. Which of them is the innermost?',
};
const direction = (name) => (/^(?:out|server|write)/.test(name) ? 'out' : 'in');

/** A question that helps after a wrong answer. */
function questionAbout(name) {
  const isAmong = (candidates) => candidates.some((step) => step.name === name);
  const ways = `${direction(name)} ${direction(steps[at + 1].name)}`;
  if (isAmong(steps.slice(at + 1))) return QUESTIONS[ways];
  if (isAmong(steps.slice(0, at + 1))) return 'The request has passed that already. What comes next?';
  return ways === 'in in' || ways === 'out out' ? 'Does the request reach that at all?' : QUESTIONS[ways];
}

let steps = [];
let at = 0;
let tries = 0;
/** The number of answers that were right at the first try. */
let right = 0;

/** Begins a prediction with the first step. The possible answers come from the stages, the routes and the steps. */
export function predict(requestSteps, stages, routes) {
  steps = requestSteps;
  at = tries = right = 0;
  const labels = [...stages.map(({ label }) => label), 'input', 'the handler', 'reply'];
  const groups = {
    In: labels.map((label) => `into ${label}`),
    Route: routes.map(({ methods, template }) => `into route ${methods} ${template}`),
    Out: [...['the route', ...labels].map((label) => `out of ${label}`), 'server', 'write'],
  };
  // A recording from a file may belong to another application, with other stages and routes.
  for (const { name, station } of steps.slice(1))
    groups[direction(name) === 'out' ? 'Out' : station.kind === 'route' ? 'Route' : 'In'].push(name);
  next.replaceChildren(
    element('option', { value: '' }, 'choose'),
    ...Object.entries(groups).map(([label, names]) =>
      element('optgroup', { label }, ...[...new Set(names)].map((name) => element('option', {}, name))),
    ),
  );
  result.textContent = '';
  go(0);
}

function go(to) {
  at = to;
  tries = 0;
  next.value = '';
  const isEnd = at === steps.length - 1;
  for (const control of form.elements) control.disabled = isEnd;
  show(at);
  reveal(at);
  if (!isEnd) return;
  document.body.classList.remove('asking');
  byId('predict').focus();
  result.textContent += ` ${right} of ${at} at the first try.`;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { name, text } = steps[at + 1];
  tries += 1;
  if (next.value !== name) {
    result.textContent = `No. ${questionAbout(next.value)}`;
    return;
  }
  if (tries === 1) right += 1;
  result.textContent = `Yes: ${text}.`;
  go(at + 1);
});
byId('skip').addEventListener('click', () => {
  result.textContent = `It is: ${steps[at + 1].text}.`;
  go(at + 1);
});
// In a select, Enter does not submit the form.
next.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  form.requestSubmit();
});
