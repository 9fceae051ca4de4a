/** Makes the text of `todo.cjs`: the whole service in one file, the pages in it. */
import { brotliCompressSync } from 'node:zlib';
import type { BuildFacts } from './build-facts.ts';
import { embeddedPage, embeddedTrace } from './embedded-page.ts';
import { bundledProgram } from './program.ts';
import { aloneText } from './start-text.ts';

/**
 * The program is compressed, since the file would be longer than 0.8 MB otherwise (D89). `npm run build` makes the same
 * program in a readable form.
 */
export async function oneFile(facts: BuildFacts): Promise<string> {
  // The places of the sources are left out, their lines are not: nobody reads the program here.
  const text = (await bundledProgram(facts))
    .replace(/^\/\/ src\/.*$/gm, '')
    .replace(/^ {2}"src\/[^"]+"\(\) \{$/gm, '  f() {');
  const program = brotliCompressSync(text).toString('base64');
  return `${aloneText(facts)}
const Module = require('node:module');
const { brotliDecompressSync } = require('node:zlib');
const page = ${JSON.stringify(embeddedPage(facts), undefined, 1)};
const trace = ${JSON.stringify(embeddedTrace(facts), undefined, 1)};
const program = brotliDecompressSync(Buffer.from('${program}', 'base64')).toString('latin1');
// A module of its own: in a single executable this file can import what is built into Node, and nothing else. Lines in
// stacks are those of dist/program.js in the package.
const path = require('node:path').join(__dirname, 'program.js');
const start = new Module(path);
// In parentheses: V8 compiles it at once then, and does not read it twice.
start._compile('module.exports = (function (EMBEDDED_PAGE, EMBEDDED_TRACE) {' + program + '});', path);
start.exports(page, trace);
`;
}
