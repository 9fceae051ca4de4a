/** A list of stages that can be put into another order: by dragging, or with the arrow keys. */
import { byId, element } from './elements.js';

const list = byId('stages');
const own = byId('own-order');
let dragged;

/** Shows the stages; `changed` is called after each change of their order. */
export function listStages(stages, changed) {
  const tell = () => {
    own.disabled = isOwn(orderShown());
    changed();
  };
  const item = ({ number, label, plugin }) =>
    element(
      'li',
      { 'data-number': String(number) },
      element(
        'button',
        {
          type: 'button',
          'aria-label': `${label}, move with the arrow keys`,
          onpointerdown: (event) => {
            dragged = { item: event.currentTarget.parentElement, before: orderShown().join() };
            event.currentTarget.setPointerCapture(event.pointerId);
            dragged.item.classList.add('dragged');
          },
          onpointermove: (event) => dragged && moveTo(event.clientY),
          onpointerup: () => drop(tell),
          onpointercancel: () => drop(tell),
          onkeydown: (event) => moveBy(event, tell),
        },
        element('span', { class: 'grip', 'aria-hidden': 'true' }, '⠿'),
        element('span', {}, label),
        plugin === undefined ? element('small', {}, 'in every application') : undefined,
      ),
    );
  list.replaceChildren(...stages.map(item));
  own.addEventListener('click', () => {
    const items = [...list.children].sort((a, b) => Number(a.dataset.number) - Number(b.dataset.number));
    list.append(...items);
    tell();
  });
}

/** The numbers of the stages as they stand. */
export const orderShown = () => [...list.children].map(({ dataset }) => Number(dataset.number));

/** Do the stages stand as in the service? */
export const isOwn = (order) => order.every((number, at) => number === at);

function moveTo(y) {
  const { item } = dragged;
  for (const other of list.children) {
    if (other === item) continue;
    const { top, height } = other.getBoundingClientRect();
    const isAbove = Boolean(other.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (isAbove && y < top + height / 2) return other.before(item);
    if (!isAbove && y > top + height / 2) other.after(item);
  }
}

function drop(tell) {
  if (dragged === undefined) return;
  const { item, before } = dragged;
  dragged = undefined;
  item.classList.remove('dragged');
  if (orderShown().join() !== before) tell();
}

/** Tells a reader who does not see the list where the stage stands now. */
function say(item) {
  const at = [...list.children].indexOf(item) + 1;
  byId('moved').textContent = `${item.textContent.replace('⠿', '')}: ${at} of ${list.children.length}`;
}

function moveBy(event, tell) {
  const item = event.currentTarget.parentElement;
  const other = { ArrowUp: item.previousElementSibling, ArrowDown: item.nextElementSibling }[event.key];
  if (other === undefined) return;
  event.preventDefault();
  if (other === null) return;
  if (event.key === 'ArrowUp') other.before(item);
  else other.after(item);
  event.currentTarget.focus();
  say(item);
  tell();
}
