/**
 * Loads TypeScript. A module of `src/` or `test/` comes from the output of `compile.ts`. Any other module, such as a
 * plugin that a test has written, is compiled now. This file is JavaScript because it loads TypeScript.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const ROOT = new URL('../../', import.meta.url).href;
const COMPILED = `${process.env.BUILT_FOR_TESTS}/compiled/`;

export function load(url, context, next) {
  if (!url.startsWith('file:') || !/\.ts(?:\?|$)/.test(url)) return next(url, context);
  const file = COMPILED + decodeURI(url.slice(ROOT.length)).replace(/\.ts(?:\?.*)?$/, '.js');
  const isCompiled = url.startsWith(ROOT) && existsSync(file);
  const source = isCompiled ? readFileSync(file) : compiledNow(fileURLToPath(url.replace(/\?.*$/, '')));
  return { format: 'module', source, shortCircuit: true };
}

function compiledNow(path) {
  const options = { loader: 'ts', format: 'esm', target: 'node20', sourcefile: path, sourcemap: 'inline' };
  return transformSync(readFileSync(path, 'utf8'), { ...options, sourcesContent: false }).code;
}
