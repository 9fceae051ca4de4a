/** Reads the layout of `src/` from the page that shows it, and the public entries from `package.json`. */
import { textOf } from './source-files.ts';

const page = textOf('src/README.md');

/** The rooms of the core, each after those that it may import: `core/log`. */
export const CORE: readonly string[] = [...page.matchAll(/^\| `(core\/[\w-]+)` \|/gm)].map(([, room]) => room!);

/** The extensions: `extensions/cors`. */
export const EXTENSIONS: readonly string[] = [
  ...(/^\*\*Extensions\*\*[^]*?\n\n/m.exec(page)?.[0] ?? '').matchAll(/`([\w-]+)`/g),
].map(([, name]) => `extensions/${name}`);

/** The sources of the public entries, `src/index.ts` first. */
export function entries(): readonly string[] {
  const { exports } = JSON.parse(textOf('package.json')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.types.replace('./dist/library/', 'src/').replace(/\.d\.ts$/, '.ts')],
  );
}
