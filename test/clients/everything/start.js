/** The application that uses everything, as a process of its own, and its documents. */
import { readFile } from 'node:fs/promises';
import typescript from 'typescript';
import { printedBy, startProcess } from '../service.js';

const MAIN = 'test/clients/everything/main.ts';

/** Starts it with these flags. `stop()` rejects when it complained, of a reply that is not as described for example. */
export const startEverything = (...flags) => startProcess(MAIN, flags, /(http:\S+)/);

/** The document with these flags: `2.0` or `3.1`. */
export const describeEverything = (flags, format) => printedBy(MAIN, ...flags, '--describe', format);

/** What `drive/sent.ts` exports, for a client that is not compiled. */
export async function sentValues() {
  const source = await readFile(new URL('../drive/sent.ts', import.meta.url), 'utf8');
  const { outputText } = typescript.transpileModule(source, {
    compilerOptions: { module: 'esnext', target: 'es2022' },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

export const PLAIN = { name: 'everything-camelCase', flags: [] };
export const SPELT = { name: 'everything-PascalCase', flags: ['--naming', 'PascalCase', '--base-path', '/service/v2'] };
