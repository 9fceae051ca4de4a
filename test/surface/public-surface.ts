/**
 * Writes down the public surface: each name that an entry of the package exports, as the compiler declares it, and
 * below them the names in these declarations that nobody can import.
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

/** The whole text. Throws when the sources do not compile. */
export function publicSurface(): string {
  const folder = mkdtempSync(join(tmpdir(), 'surface-'));
  try {
    emitDeclarations(folder, '--removeComments');
    return surfaceOf(exportedNames(), (file) => readFileSync(join(folder, file.replace(/\.ts$/, '.d.ts')), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `emitted` gives what the compiler wrote for a file below `src/`, without comments. */
function surfaceOf(
  exported: readonly Pick<ExportedName, 'name' | 'file' | 'specifier'>[],
  emitted: (file: string) => string,
): string {
  const names = new Set(exported.map(({ name }) => name));
  const declarations = new Map<string, string[]>();
  const others = new Map<string, readonly string[]>();
  // By code units: the order of a language may differ between machines.
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
 * The declarations of an emitted file, by name; overloads are one text.
 *
 * There, each statement begins in the first column with a word, and goes on indented or with a bracket.
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

/** What an emitted file imports from files beside it. */
const importedIn = (emitted: string): readonly string[] =>
  [...emitted.matchAll(/^import (?:type )?\{([^}]*)\} from '\.[^']+';$/gm)].flatMap((found) =>
    found[1]!.split(',').map((name) => name.trim().replace(/^type /, '')),
  );
