/** Loads a module of `src/` or `test/` as `compile.ts` has compiled it. JavaScript, for it is what loads TypeScript. */
import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url).href;
const COMPILED = `${process.env.BUILT_FOR_TESTS}/compiled/`;

export function load(url, context, next) {
  if (!url.startsWith(ROOT) || !/\.ts(?:\?|$)/.test(url)) return next(url, context);
  const file = COMPILED + decodeURI(url.slice(ROOT.length)).replace(/\.ts(?:\?.*)?$/, '.js');
  if (!existsSync(file)) return next(url, context);
  return { format: 'module', source: readFileSync(file), shortCircuit: true };
}
