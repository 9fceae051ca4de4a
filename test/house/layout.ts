/** Reads the layout of `src/` from its page. */
import { textOf } from './source-files.ts';

const page = textOf('src/README.md');

/** The folders of the core, each after the folders that it may import: `core/log`. */
export const CORE: readonly string[] = [...page.matchAll(/^\| `(core\/[\w-]+)` \|/gm)].map(([, path]) => path!);

/** Returns the names in the paragraph with this first word: `cors`. */
const namesIn = (paragraph: string): readonly string[] => {
  const [text = ''] = new RegExp(`^\\*\\*${paragraph}\\.?\\*\\*[^]*?\\n\\n`, 'm').exec(page) ?? [];
  return [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
};

export const PLUGINS: readonly string[] = namesIn('Plugins').map((name) => `plugins/${name}`);

export const SHELF: readonly string[] = namesIn('Shelf').map((name) => `shelf/${name}`);

/** The folders that other plugins may import. */
export const LIBRARIES: readonly string[] = namesIn('Libraries').map((name) => `plugins/${name}`);
