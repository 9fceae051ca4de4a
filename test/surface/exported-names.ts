/** Reads which names the entries of the package export, and the file that declares each. */
import { posix } from 'node:path';
import { textOf } from '../house/source-files.ts';
import { entries } from '../release/entries.ts';

export interface ExportedName {
  readonly name: string;
  /** What a program imports to have it: `todo-item-service/http`. */
  readonly specifier: string;
  /** The path of the file that declares it, below `src/`. */
  readonly file: string;
  readonly isType: boolean;
}

/** Those of all entries. Throws for a re-export of another form than `export { a, type B } from './file.ts';`. */
export const exportedNames = (): readonly ExportedName[] =>
  entries().flatMap(({ specifier, source }) => namesOf(textOf(source), source, specifier));

/** Those of one entry: what it declares itself, and what it exports from other files. */
function namesOf(text: string, source: string, specifier: string): readonly ExportedName[] {
  const plain = text.replace(/\/\*[^]*?\*\//g, '');
  const own = [...plain.matchAll(/^export (?:abstract |async )?(class|const|function|interface|type) (\w+)/gm)];
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
  const [, all, list, file] = /^export (type )?\{([^{}]+)\} from '(\.[^']+)';$/.exec(statement) ?? [];
  const names = (list ?? '').split(',').map((name) => name.trim());
  if (names.at(-1) === '') names.pop();
  if (names.length === 0 || !names.every((name) => /^(?:type )?\w+$/.test(name)))
    throw new Error(`Not of the form export { a, type B } from './file.ts'; – ${statement}`);
  return names.map((name) => ({
    name: name.replace(/^type /, ''),
    specifier,
    file: below(posix.join(posix.dirname(source), file!)),
    isType: all !== undefined || name.startsWith('type '),
  }));
}
