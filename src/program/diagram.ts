/**
 * Draws a composed application as an SVG picture, for `npm run diagram`: its stages as they nest, the request on its
 * way in and the reply on its way out, and its routes in the order in which they are tried.
 */
import type { RunnableApplication, StageOrigin } from '../core/application/runnable-application.ts';
import type { Route } from '../core/routing/route.ts';

/** What is drawn. */
export type Drawn = Pick<RunnableApplication, 'stageOrigins' | 'routes'>;

/** Lengths are in pixels. */
const WIDTH = 900;
const MARGIN = 8;
const ROW = 30;
const ROUTE_ROW = 22;
/** How much further in each stage stands. */
const INSET = 12;
/** Where the columns of a route begin, from the left side of the innermost stage. */
const COLUMNS = { number: 12, methods: 40, template: 130, name: 400 };

/** It has a background of its own, since a page may be dark where the reader's system is not. */
const STYLE = `
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .route { font: 12px ui-monospace, monospace; }
    .note { fill: #4a525b; }
    .page { fill: #fff; }
    .layer { fill: #0969da; fill-opacity: .028; stroke: #0969da; stroke-opacity: .5; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .note { fill: #a9b4c0; }
      .page { fill: #0d1117; }
      .layer { fill: #4493f8; fill-opacity: .035; stroke: #4493f8; }
    }`;

/** What every request passes before the first stage. */
const BEFORE = [
  { label: 'parser', note: 'node:http' },
  { label: 'request validation', note: 'RFC 9112' },
];

/** The picture as text. The same application gives the same text. */
export function diagramOf({ stageOrigins, routes }: Drawn): string {
  const all = [...routes];
  const layers = [...BEFORE, ...stageOrigins.map(layerOf)];
  const inner = layers.length - 1;
  const routesTop = MARGIN + ROW * layers.length + 4;
  const routesBottom = routesTop + ROUTE_ROW * all.length + 6;
  const height = routesBottom + INSET * inner + MARGIN;
  const boxes = layers.map(({ label, note }, at) => {
    const [left, top] = [MARGIN + INSET * at, MARGIN + ROW * at];
    const [width, bottom] = [WIDTH - 2 * left, routesBottom + INSET * (inner - at)];
    return `  <rect class="layer" x="${left}" y="${top}" width="${width}" height="${bottom - top}" rx="6"/>
  <text x="${left + 12}" y="${top + 20}">${escaped(label)}</text>
  <text class="note" x="${left + width - 12}" y="${top + 20}" text-anchor="end">${escaped(note)}</text>`;
  });
  const left = MARGIN + INSET * inner;
  const lines = all.map((route, at) => routeLine(route, at, left, routesTop + ROUTE_ROW * at + 14));
  const title = `${layers.length} layers around ${all.length} routes`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
  <title>${title}</title>
  <style>${STYLE}
  </style>
  <rect class="page" width="${WIDTH}" height="${height}" rx="6"/>
${boxes.join('\n')}
${lines.join('\n')}
</svg>`;
}

function layerOf({ name, plugin, place = '' }: StageOrigin): { label: string; note: string } {
  if (plugin === undefined) return { label: name, note: name === 'routing' ? 'the first route that matches' : '' };
  return { label: name === '' ? place : name, note: `${plugin}${/^outer/.test(place) ? ', outer' : ''}` };
}

function routeLine({ method = '*', template, name = '' }: Route, at: number, left: number, y: number): string {
  const cell = (column: keyof typeof COLUMNS, text: string, style = 'route'): string =>
    `  <text class="${style}" x="${left + COLUMNS[column]}" y="${y}">${escaped(text)}</text>`;
  const methods = [method].flat().join(', ').toUpperCase();
  return [
    cell('number', String(at + 1), 'route note'),
    cell('methods', methods),
    cell('template', template.text),
    cell('name', name, 'route note'),
  ].join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
