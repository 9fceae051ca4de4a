/** Creates random routes of every form, and paths that almost match them. The same seed gives the same routes. */
import type { RouteOptions } from '../../../src/core/routing/route.ts';

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface RandomRoute extends RouteOptions {
  readonly template: string;
}

const WORDS = ['a', 'b', 'api', 'todo', 'Todo', 'ü', 'a b', 'x.y', '%', 'ß', '日本'];
const TEXTS = ['', 'a b', ...'a A b api API todo 1 42 x.y x. a-b a-b-c Ü ü % a/b ẞ 日本 ...x -'.split(' ')];
const CONSTRAINTS = ['', '', '', '', ':int', ':alpha', ':minlength(2)', ':regex(a|b|1)', ':required', ':int:max(9)'];

/** Picks one item of a list. */
export const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!;

export function randomRoute(random: () => number): RandomRoute {
  const segments: string[] = [];
  const defaults: Record<string, string | null> = {};
  const length = Math.floor(random() * 5);
  let names = 0;
  const name = (): string => `p${++names}`;
  for (let depth = 0; depth < length; depth++) {
    const last = depth === length - 1;
    const form = random();
    if (form < 0.4) segments.push(pick(random, WORDS));
    else if (form < 0.6) segments.push(`{${name()}${pick(random, CONSTRAINTS)}}`);
    else if (form < 0.68) segments.push(`{${name()}${pick(random, CONSTRAINTS)}=${pick(random, ['a', '1', 'api'])}}`);
    else if (form < 0.74) segments.push(`{${name()}${pick(random, CONSTRAINTS)}?}`);
    else if (form < 0.8) {
      const parameter = name();
      segments.push(`{${parameter}}`);
      defaults[parameter] = pick(random, ['a', null, '1']);
    } else if (form < 0.88 && last)
      segments.push(`{*${name()}${pick(random, CONSTRAINTS)}${pick(random, ['', '', '=a'])}}`);
    else {
      const form = pick(random, ['#-#', 'a#', '#b', '#.#', '#.?', 'x#.?', '.?', '#-#.?', '#aa#']);
      segments.push(
        [...form]
          .map((part) =>
            part === '#' ? `{${name()}${random() < 0.2 ? ':alpha' : ''}}` : part === '?' ? `{${name()}?}` : part,
          )
          .join(''),
      );
    }
  }
  if (random() < 0.1) defaults['other'] = 'x';
  return {
    template: segments.join('/') + (segments.length > 0 && random() < 0.05 ? '/' : ''),
    ...(random() < 0.3 && { method: pick(random, ['GET', 'POST', ['GET', 'HEAD'], 'put']) }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(random() < 0.05 && { constraints: { [`p${Math.max(1, names)}`]: pick(random, ['int', 'a|b', 'required']) } }),
  };
}

/** Returns a path that almost matches one of the routes, with some percent-encoding. */
export function randomPath(random: () => number, routes: readonly RandomRoute[]): string {
  const { template } = pick(random, routes);
  const pieces =
    random() < 0.15
      ? []
      : template
          .split('/')
          .map((segment) =>
            segment.startsWith('{*')
              ? pick(random, ['', 'a/b', 'a//b/', '1'])
              : segment.replaceAll(/\{[^}]*\}/g, () => encoded(random, pick(random, TEXTS))),
          );
  while (random() < 0.3)
    pieces.splice(Math.floor(random() * (pieces.length + 1)), 0, encoded(random, pick(random, TEXTS)));
  if (random() < 0.2) pieces.pop();
  const path = pieces
    .map((piece) =>
      /[^\x21-\x7e]|%(?![\dA-F]{2})/.test(piece) ? piece.split('/').map(encodeURIComponent).join('/') : piece,
    )
    .join('/');
  const cased = random() < 0.2 ? path.replaceAll(/(?<![%\dA-F])[a-z]/g, (letter) => letter.toUpperCase()) : path;
  return `/${cased}${random() < 0.15 ? '/' : ''}`;
}

const encoded = (random: () => number, text: string): string =>
  random() < 0.1
    ? [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
    : encodeURIComponent(text);
