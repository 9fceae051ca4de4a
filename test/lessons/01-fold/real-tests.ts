/** Runs the real tests of the pipeline against the work of a learner. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REAL = new URL('../../core/pipeline/pipeline.test.ts', import.meta.url);
const REPLACED = '../../../src/core/pipeline/pipeline.ts';
const IMPORT = /^import .+ from '(.+)';$/gm;

/**
 * Returns a function that registers the tests. It loads a copy of their file, which imports the pipeline from `work`
 * and everything else from the original places.
 *
 * Load the file before the first test: a file loads asynchronously, and the runner would take a pause between two tests
 * for the end of all tests.
 */
export async function realTests(work: string): Promise<() => void> {
  const original = readFileSync(REAL, 'utf8');
  const imports = [...original.matchAll(IMPORT)].map(([line, path = '']) => {
    if (!path.startsWith('.')) return line;
    return line.replace(path, path === REPLACED ? work : new URL(path, REAL).href);
  });
  if (!original.includes(`'${REPLACED}'`)) throw new Error(`${REAL.pathname} does not import ${REPLACED}`);
  const copy = `${imports.join('\n')}\nexport default () => {\n${original.replace(IMPORT, '')}\n};\n`;
  const folder = temporaryFolder({ 'package.json': '{"type":"module"}' });
  const file = join(folder, 'real-tests.ts');
  writeFileSync(file, copy);
  const { default: register } = (await import(pathToFileURL(file).href)) as { readonly default: () => void };
  return register;
}
