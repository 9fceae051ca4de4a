/** Creates elements of the page. Data of requests is always inserted as text, never as markup. */

/** Returns an element with attributes, listeners (`onclick`) and children. Undefined ones are omitted. */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) created.addEventListener(key.slice(2), value);
    else created.setAttribute(key, value === true ? '' : value);
  }
  created.append(...children.filter((child) => child !== undefined && child !== ''));
  return created;
}

/** Returns the element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** Returns a table of names and values. `marked` has a sign for each lower-case name that is highlighted. */
export function pairs(rows, marked = new Map()) {
  const lines = rows.map(([name, value]) => {
    const mark = marked.get(name.toLowerCase());
    return element(
      'tr',
      mark && { class: 'marked' },
      element('th', { scope: 'row' }, mark ? `${mark} ` : '', name),
      element('td', {}, value),
    );
  });
  return element('table', { class: 'pairs' }, element('tbody', {}, ...lines));
}

/** Returns the CSS classes for a status, which depend on its first digit. */
export const statusClass = (status) => `status s${String(status ?? 0)[0]}`;

/** Formats microseconds for people. */
export const time = (microseconds) =>
  microseconds < 1000
    ? `${Math.round(microseconds)} µs`
    : `${(microseconds / 1000).toFixed(microseconds < 10_000 ? 2 : 1)} ms`;
