/** Bundles the program, in CommonJS: it starts a tenth faster than modules, and `--require` can watch it load. */
import { readFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';
import { type BuildFacts, versionText } from './build-facts.ts';
import { ESBUILD_OPTIONS } from './esbuild-options.ts';

const LATE = /\bawait import\('(\.\/[^']+)'\)/g;

/**
 * Makes ordinary imports of those that `src/main.ts` makes late, when a setting asks for them. For late ones esbuild
 * puts every module that the program has too into a function of its own, and the service starts a tenth later. What is
 * imported only declares, and does nothing until it is called.
 */
const earlyImports: Plugin = {
  name: 'early imports',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/main\.ts$/ }, ({ path }) => {
      const imported: string[] = [];
      const text = readFileSync(path, 'utf8').replace(LATE, (_, from: string) => {
        imported.push(`import * as late${imported.length} from '${from}';`);
        return `late${imported.length - 1}`;
      });
      if (imported.length === 0) throw new Error(`Cannot bundle "${path}": it has no late import; remove this plugin`);
      return { contents: `${text}\n${imported.join('\n')}`, loader: 'ts' };
    });
  },
};

/** The text of the program, in strict mode, for a file in a folder of the package. */
export async function bundledProgram(facts: BuildFacts): Promise<string> {
  const { outputFiles } = await build({
    ...ESBUILD_OPTIONS,
    entryPoints: ['src/main.ts'],
    plugins: [earlyImports],
    write: false,
    format: 'cjs',
    define: {
      BUILT_VERSION: JSON.stringify(versionText(facts)),
      PACKAGE_ROOT: '".."',
      'import.meta.url': 'moduleUrl',
    },
    banner: {
      js: `'use strict';const moduleUrl=require('node:url').pathToFileURL(__filename).href;`,
    },
  });
  return outputFiles[0]!.text;
}
