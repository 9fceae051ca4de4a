/** Reads the layout of `src/` from the page that shows it. */
import { textOf } from './source-files.ts';

const page = textOf('src/README.md');

/** The rooms of the core, each after those that it may import: `core/log`. */
export const CORE: readonly string[] = [...page.matchAll(/^\| `(core\/[\w-]+)` \|/gm)].map(([, room]) => room!);

/** The extensions: `extensions/cors`. */
export const EXTENSIONS: readonly string[] = [
  ...(/^\*\*Extensions\*\*[^]*?\n\n/m.exec(page)?.[0] ?? '').matchAll(/`([\w-]+)`/g),
].map(([, name]) => `extensions/${name}`);
