/** Bundles the program as one CommonJS file. It starts faster than modules, and `--require` can instrument it. */
import { build } from 'esbuild';
import type { EmbeddedFiles } from '../../src/plugins/files/folder.ts';
import { type BuildFacts, versionText } from './build-facts.ts';
import { ESBUILD_OPTIONS } from './esbuild-options.ts';

/** The embedded pages of a program, by the names that the sources declare for them. */
export type Pages = Readonly<Record<'EMBEDDED_PAGE' | 'EMBEDDED_TRACE', EmbeddedFiles>>;

/** Returns `head` with the text of the program. Without `pages`, the program reads its pages from `../static`. */
export async function programText(facts: BuildFacts, head: string, pages?: Pages): Promise<string> {
  const embedded = Object.entries(pages ?? {}).map(([name, files]) => [name, JSON.stringify(files)]);
  const { outputFiles } = await build({
    ...ESBUILD_OPTIONS,
    entryPoints: ['src/main.ts'],
    format: 'cjs',
    write: false,
    banner: { js: `${head}const moduleUrl = require('node:url').pathToFileURL(__filename).href;` },
    define: {
      BUILT_VERSION: JSON.stringify(versionText(facts)),
      PACKAGE_ROOT: '".."',
      'import.meta.url': 'moduleUrl',
      'import.meta.dirname': '__dirname',
      ...Object.fromEntries(embedded),
    },
  });
  // The comments with the names of the sources take 7 KB of the package, which has at most 5 MB.
  const text = outputFiles[0]!.text.replace(/^\/\/ src\/.*\n/gm, '');
  // Only comments have other characters. A single one would make V8 use two bytes for each character of the text.
  return text.replace(/[^\x00-\x7f]/g, '?');
}
