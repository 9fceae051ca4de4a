/** Finds the blocks of code in the pages that tests run. */
import { textOf } from './source-files.ts';

/** The pages that show programs. */
const PAGES = ['README.md', 'src/core/routing/README.md', 'src/guide.md', 'src/extensions/collection/README.md'];

/** The texts of the blocks in this language behind the comment `<!-- mark -->`. */
export const blocksOf = (page: string, mark: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`<!-- ${mark} -->\\s*\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
    (found) => found[1]!,
  );

/** The programs of all pages that run. */
export const pagePrograms = (): string[] => PAGES.flatMap((page) => blocksOf(page, 'runs', 'ts'));
