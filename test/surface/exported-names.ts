/** Reads the exported names of the package's entries, and the file that declares each name. */
import { posix } from 'node:path';
import { textOf } from '../house/source-files.ts';
import { entries } from '../release/entries.ts';

export interface ExportedName {
  readonly name: string;
  /** The entry that exports it: `todo-item-service/http`. */
  readonly specifier: string;
  /** The path below `src/` of the file that declares it. */
  readonly file: string;
  readonly isType: boolean;
}

/** Returns the names of all entries. Throws unless each re-export has the form `export { a, B } from './file.ts';`. */
export const exportedNames = (): readonly ExportedName[] =>
  entries().flatMap(({ specifier, source }) => namesOf(textOf(source), source, specifier));

/** Returns the names of one entry: its own declarations and its re-exports. */
function namesOf(text: string, source: string, specifier: string): readonly ExportedName[] {
  const plain = text.replace(/\/\*[^]*?\*\//g, '');
  const own = [...plain.matchAll(/^export (?:abstract |async )?(class|const|function\*?|interface|type) (\w+)/gm)];
  const statements = [...plain.matchAll(/^export (?:type )?(?:\{|\*)[^;]*;/gm)];
  return [
    ...new Map(
      own.map(([, kind, name]) => [
        name!,
        { name: name!, specifier, file: below(source), isType: kind === 'interface' || kind === 'type' },
      ]),
    ).values(),
    ...statements.flatMap(([statement]) => namesIn(statement, source, specifier)),
  ];
}

const below = (source: string): string => posix.relative('src', source);

function namesIn(statement: string, source: string, specifier: string): readonly ExportedName[] {
  const [, all, list, file] = /^export (type )?\{([^{}]*)\} from '(\.[^']+)';$/.exec(statement) ?? [];
  const names = (list ?? '').split(',').map((name) => name.trim());
  if (names.at(-1) === '') names.pop();
  if (list === undefined || !names.every((name) => /^(?:type )?\w+$/.test(name)))
    throw new Error(`Not of the form export { a, type B } from './file.ts'; – ${statement}`);
  return names.map((name) => ({
    name: name.replace(/^type /, ''),
    specifier,
    file: below(posix.join(posix.dirname(source), file!)),
    isType: all !== undefined || name.startsWith('type '),
  }));
}
