/** Finds the programs in the pages and prepares them, so that tests and readers can run each one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { withLibrary } from '../support/program.ts';
import { filesIn, textOf } from './source-files.ts';

/** The pages of the guide: each block of a program and each command on them is run. */
export const GUIDE: readonly string[] = [
  'README',
  'operations',
  'schemas',
  'checks',
  'translated-errors',
  'replies',
  'uploads',
  'security',
  'login',
  'stores',
  'serving',
  'plugins',
  'write-plugins',
  'restyle-the-page',
  'add-a-field',
]
  .map((name) => `src/guide/${name}.md`)
  .concat(filesIn('src/shelf').filter((path) => path.endsWith('.md') && !/\/(?:redis|sqlite)\//.test(path)));

/** Other pages with programs. Their commands start servers or need a network, and are not run. */
export const OTHERS: readonly string[] = ['README.md', 'src/guide/routing.md', 'src/guide/lasting-stores.md'];

/** One block of code on a page. */
export interface Block {
  readonly page: string;
  /** Its number among the programs of the page, or among its commands. */
  readonly number: number;
  readonly language: 'ts' | 'js' | 'sh';
  readonly text: string;
  /** The reason in `<!-- not run: … -->` before the block; undefined for a block that runs. */
  readonly notRun: string | undefined;
}

/** Returns the programs of a page in TypeScript or JavaScript, or its commands, in their order. */
export function blocksOf(page: string, ...languages: readonly Block['language'][]): readonly Block[] {
  const pattern = new RegExp(`(?:^<!-- (.+) -->\\n)?^\`\`\`(${languages.join('|')})\\n([^]*?)^\`\`\``, 'gm');
  return [...textOf(page).matchAll(pattern)].map(([, mark, language, text], at) => ({
    page,
    number: at + 1,
    language: language as Block['language'],
    text: text!,
    notRun: mark?.match(/^not run: (.+)$/)?.[1],
  }));
}

/** Returns the TypeScript programs of all pages, without those that are marked as not run. */
export const pagePrograms = (): readonly string[] =>
  [...GUIDE, ...OTHERS].flatMap((page) =>
    blocksOf(page, 'ts').flatMap(({ notRun, text }) => (notRun === undefined ? [text] : [])),
  );

/** Returns the file name in the first line of a program, such as `// even.mjs`. */
export const fileNameOf = ({ text }: Block): string | undefined => /^\/\/ ([\w-]+\.m?js)\n/.exec(text)?.[1];

/** Keeps every import, as Node does. So a program that imports a type without the word `type` fails here as well. */
const COMPILER_OPTIONS = { verbatimModuleSyntax: true };

/** Writes the program as JavaScript into the folder, and returns the URL of the file. */
export function written(program: Block, folder: string): string {
  const file = join(folder, fileNameOf(program) ?? `program-${program.number}.mjs`);
  const { code } = transformSync(withLibrary(program.text), {
    loader: 'ts',
    tsconfigRaw: { compilerOptions: COMPILER_OPTIONS },
  });
  writeFileSync(file, code);
  return pathToFileURL(file).href;
}

/** Returns the lines that a program must print: the comments after its calls of `console.log`. */
export const printedBy = ({ text }: Block): readonly string[] =>
  [...text.matchAll(/console\.log\([^]*?\);\s+\/\/ (.+)$/gm)].map(([, line]) => line!);
