/**
 * Lists the public surface: the compiler's declaration of each name that an entry exports, then the names in these
 * declarations that programs cannot import.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitDeclarations } from '../release/declarations.ts';
import { type ExportedName, exportedNames } from './exported-names.ts';

export const SURFACE = 'test/surface/public-surface.txt';

const HEAD =
  'What the entries of the package export, as the compiler declares it. `npm run surface` writes this file.\n';
const NOT_EXPORTED = '\nNamed in these declarations, and not exported:\n';

/** Returns the whole text. Throws if the sources do not compile. */
export function publicSurface(): string {
  const folder = mkdtempSync(join(tmpdir(), 'surface-'));
  try {
    emitDeclarations(folder, '--removeComments');
    return surfaceOf(exportedNames(), (file) => readFileSync(join(folder, file.replace(/\.ts$/, '.d.ts')), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `emitted` returns the compiler's output for a file below `src/`, without comments. */
function surfaceOf(
  exported: readonly Pick<ExportedName, 'name' | 'file' | 'specifier'>[],
  emitted: (file: string) => string,
): string {
  const names = new Set(exported.map(({ name }) => name));
  const declarations = new Map<string, string[]>();
  const others = new Map<string, readonly string[]>();
  // Compares code units, because the order of a locale can differ between machines.
  for (const { name, file, specifier } of [...exported].sort((one, next) => (one.name < next.name ? -1 : 1))) {
    const text = emitted(file);
    const declaration = declarationsIn(text).get(name);
    if (declaration === undefined)
      throw new Error(`src/${file} does not declare "${name}"; export it from its own file`);
    declarations.set(specifier, [...(declarations.get(specifier) ?? []), declaration]);
    const words = new Set(declaration.replace(/'[^'\n]*'/g, '').match(/\w+/g));
    for (const other of [...declarationsIn(text).keys(), ...importedIn(text)]) {
      if (words.has(other) && !names.has(other)) others.set(other, [...(others.get(other) ?? []), name]);
    }
  }
  const rest = [...others].sort().map(([name, users]) => `${name} in ${users.join(', ')}\n`);
  const entries = [...new Set(exported.map(({ specifier }) => specifier))].map((specifier) => {
    const listed = declarations.get(specifier)!;
    return `# ${specifier}: ${listed.length} names\n\n${listed.join('\n')}`;
  });
  return [HEAD, entries.join('\n'), NOT_EXPORTED, rest.join('')].join('\n');
}

/**
 * Returns the declarations of an emitted file by name. Overloads are one text.
 *
 * In such a file, each statement begins with a word in the first column. Its other lines are indented or begin with a
 * bracket.
 */
function declarationsIn(emitted: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  for (const statement of emitted.split(/^(?=[a-z])/m)) {
    const found = /^(?:export )?(?:declare )?((?:abstract )?(?:class|const|function|interface|type) (\w+)[^]*)$/.exec(
      statement,
    );
    if (found !== null) declarations.set(found[2]!, (declarations.get(found[2]!) ?? '') + found[1]!);
  }
  return declarations;
}

/** Returns the names that an emitted file imports from other files. */
const importedIn = (emitted: string): readonly string[] =>
  [...emitted.matchAll(/^import (?:type )?\{([^}]*)\} from '\.[^']+';$/gm)].flatMap((found) =>
    found[1]!.split(',').map((name) => name.trim().replace(/^type /, '')),
  );
