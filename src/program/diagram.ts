/**
 * Draws a composed application as an SVG picture, for `npm run diagram`: its stages as they nest, the request on its
 * way in and the reply on its way out, and its routes in the order in which they are tried.
 */
import type { RunnableApplication } from '../core/application/application.ts';
import type { StageOrigin } from '../core/operations/instrument.ts';

/** What is drawn. */
export type Drawn = Pick<RunnableApplication, 'stageOrigins' | 'routes'>;

/** Lengths are in pixels. */
const WIDTH = 900;
const MARGIN = 8;
const ROW = 30;
const ROUTE_ROW = 22;
/** How much further in each stage stands. */
const INSET = 12;

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

/** The picture as text. The same application gives the same text. */
export function diagramOf({ stageOrigins, routes }: Drawn): string {
  const all = [...routes];
  const layers = [
    { label: 'parser', note: 'node:http' },
    { label: 'request validation', note: 'RFC 9112' },
    ...stageOrigins.map(layerOf),
  ];
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
  const lines = all.flatMap(({ method = '*', template, name = '' }, at) => {
    const methods = [method].flat().join(', ').toUpperCase();
    // A cell of a route: where it begins, and what it shows.
    const cells = [
      [12, String(at + 1), ' note'],
      [40, methods, ''],
      [130, template.text, ''],
      [400, name, ' note'],
    ] as const;
    const y = routesTop + ROUTE_ROW * at + 14;
    return cells.map(
      ([x, text, style]) => `  <text class="route${style}" x="${left + x}" y="${y}">${escaped(text)}</text>`,
    );
  });
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

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
