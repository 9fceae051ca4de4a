/** A table of GETs that floor and service answer byte for byte alike. */
import { goalCell } from '../goals.mjs';
import { openLoad } from './load.mjs';
import { table } from './markdown.mjs';
import { inRounds, speeds } from './rounds.mjs';
import { median, number, spread } from './statistics.mjs';

const HEAD = [
  'request',
  'server',
  'requests/s',
  'processor µs/request',
  'generator busy',
  'middle half',
  'ratio to floor',
  'goal',
];

/**
 * `lines`: name and headers of each request; `servers`: running ones, the floor first, each with the path of a line.
 */
export async function filesTable(name, servers, lines, { quick, rounds = quick ? 4 : 9 }) {
  const slice = quick ? 120 : 500;
  const rows = [];
  for (const { line, path, headers, peers = true } of lines) {
    const opened = [];
    for (const server of servers.filter(({ peer }) => peers || !peer)) {
      const request = { path: server.pathOf?.(path) ?? path, headers: await headers(server) };
      const load = await openLoad({ server, requests: [request], connections: 32 });
      await load.slice(quick ? 250 : 1000);
      opened.push({ name: server.name, load });
    }
    const figures = await inRounds(opened, rounds, async ({ name: server, load }) => {
      const figure = await load.slice(slice);
      if (figure.bad + figure.broken > 0)
        throw new Error(`${server}, ${line}: ${figure.bad} answers are errors, ${figure.broken} connections broke`);
      return figure;
    });
    for (const { load } of opened) await load.close();
    for (const [server, turns] of figures) {
      const of = (key) => turns.map((turn) => turn[key]);
      const ratios = speeds(
        figures.get('floor').map(({ microseconds }) => microseconds),
        of('microseconds'),
      );
      const ratio = median(ratios);
      rows.push([
        server === 'floor' ? `**${line}**` : '',
        server,
        number(median(of('perSecond'))),
        number(median(of('microseconds')), 1),
        `${Math.round(median(of('busy')) * 100)} %`,
        spread(ratios),
        `**${number(ratio, 2)}**`,
        server === 'ours' ? goalCell(name, line, ratio) : '',
      ]);
    }
  }
  return `${table(HEAD, rows)}\n`;
}
