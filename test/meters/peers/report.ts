/** Prints what each library answers in a way of its own, as it answers now, and the lines of each program. */
import { readFileSync } from 'node:fs';
import { type Ask, LIBRARIES as NAMES, of, type Row, send } from '../row.ts';
import { NATURES, ROWS } from '../rows.ts';
import { LIBRARIES } from './libraries.ts';

const TITLES = { own: 'here', fastify: 'Fastify', hono: 'Hono' };
const line = (cells: readonly (number | string)[]): void => console.log(`| ${cells.join(' | ')} |`);
const head = (cells: readonly string[]): void => {
  console.log('');
  line(cells);
  line(cells.map(() => '---'));
};

/** The status, where the faults are, and the headers that the row asks for. */
async function answered(ask: Ask, row: Row): Promise<string> {
  const reply = await send(ask, row);
  const text = await reply.text();
  const { errors = [] } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
    errors?: { pointer?: string; parameter?: string }[];
  };
  const places = errors.map(({ pointer, parameter }) => pointer || parameter || '');
  const headers = Object.keys(of(row.answers ?? {}, 'own')).filter((name) => reply.headers.has(name));
  return [String(reply.status), ...new Set(places), ...headers.map((name) => `${name}: ${reply.headers.get(name)}`)]
    .join(' ')
    .trim();
}

const asked = new Map<string, string[]>(NATURES.map(({ asks }) => [asks, []]));
for (const library of NAMES) {
  const ask = await LIBRARIES[library]();
  for (const row of ROWS) await send(ask, row);
  for (const row of NATURES) asked.get(row.asks)!.push(await answered(ask, row));
}
head(['Asked', ...NAMES.map((name) => TITLES[name])]);
for (const [asks, answers] of asked) line([asks, ...answers]);

/** The lines of a program that are neither blank nor a comment. */
const linesOf = (...paths: readonly string[]): number =>
  paths
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
    .join('\n')
    .replace(/^ *(?:\/\/.*|\/\*[^]*?\*\/)$/gm, '')
    .split('\n')
    .filter((text) => text.trim() !== '').length;

const HALF = ['../application.ts', '../model.ts'];
head(['Lines of code', ...NAMES.map((name) => TITLES[name])]);
line(['sites, meters, readings', linesOf(...HALF), linesOf('fastify.ts'), linesOf('hono.ts')]);
line(['imports, exports, live readings', linesOf('../bulk.ts'), '–', '–']);
line(['stores, which all three use', linesOf('../store.ts', '../memory-store.ts', '../sqlite-store.ts'), '–', '–']);
