/** Reads the layout of `src/` from its page. */
import { textOf } from './source-files.ts';

const page = textOf('src/README.md');

/** The folders of the core, each after the folders that it may import: `core/log`. */
export const CORE: readonly string[] = [...page.matchAll(/^\| `(core\/[\w-]+)` \|/gm)].map(([, path]) => path!);

/** Returns the extensions in the paragraph with this first word: `extensions/cors`. */
const extensionsIn = (paragraph: string): readonly string[] => {
  const [text = ''] = new RegExp(`^\\*\\*${paragraph}\\*\\*[^]*?\\n\\n`, 'm').exec(page) ?? [];
  return [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => `extensions/${name}`);
};

export const EXTENSIONS = extensionsIn('Extensions');

/** The extensions that other extensions may import. */
export const LIBRARIES = extensionsIn('Libraries');
