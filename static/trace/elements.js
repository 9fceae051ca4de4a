/** Makes elements of the page. Texts of requests are always text and never markup. */

/** An element with attributes, listeners (`onclick`), and children. Those that are undefined are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== ''));
  return made;
}

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** A table of names and values; rows whose name is in `marked` are marked with a sign and a text. */
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

/** The class of a status: its first digit. */
export const statusClass = (status) => `status s${String(status ?? 0)[0]}`;

/** Microseconds as people read them. */
export const time = (microseconds) =>
  microseconds < 1000 ? `${microseconds} µs` : `${(microseconds / 1000).toFixed(microseconds < 10_000 ? 2 : 1)} ms`;
