/** Makes the text of `todo.cjs`: the whole service in one file, the pages in it. */
import { brotliCompressSync } from 'node:zlib';
import type { BuildFacts } from './build-facts.ts';
import { embeddedPage, embeddedTrace } from './embedded-page.ts';
import { bundledProgram } from './program.ts';
import { RUN_TEXT } from './run-text.ts';
import { aloneText } from './start-text.ts';

/**
 * The program is compressed, since the file would be longer than 0.85 MB otherwise (D89). `npm run build` makes the
 * same program in a readable form.
 */
export async function oneFile(facts: BuildFacts): Promise<string> {
  const { program, onDemand } = await bundledProgram(facts);
  return `${aloneText(facts)}
const { brotliDecompressSync } = require('node:zlib');
const pages = ${JSON.stringify([embeddedPage(facts), embeddedTrace(facts)], undefined, 1)};
const packed = {
  'program.js': '${packed(program)}',
  'on-demand.js': '${packed(onDemand)}',
};
const textOf = (name) => brotliDecompressSync(Buffer.from(packed[name], 'base64')).toString('latin1');
${RUN_TEXT}
run(textOf('program.js'), () => textOf('on-demand.js'), pages);
`;
}

/** The places of the sources are left out, their lines are not: nobody reads the program here. */
function packed(text: string): string {
  const short = text.replace(/^ *\/\/ src\/.*$/gm, '').replace(/^( *)"src\/[^"]+"\(\) \{$/gm, '$1f() {');
  return brotliCompressSync(short).toString('base64');
}
