/** Reads which names `src/index.ts` exports, and the file that declares each. */
import { textOf } from '../house/source-files.ts';

export interface ExportedName {
  readonly name: string;
  /** Its path below `src/`. */
  readonly file: string;
  readonly isType: boolean;
}

/** In the order of the file. Throws for an export of another form than `export { a, type B } from './file.ts';`. */
export function exportedNames(index = textOf('src/index.ts')): readonly ExportedName[] {
  const statements = index.replace(/\/\*[^]*?\*\//g, '').split(/(?<=;)/);
  return statements.map((statement) => statement.trim()).flatMap((one) => (one === '' ? [] : namesIn(one)));
}

function namesIn(statement: string): readonly ExportedName[] {
  const [, all, list, file] = /^export (type )?\{([^{}]+)\} from '\.\/([^']+)';$/.exec(statement) ?? [];
  const names = (list ?? '').split(',').map((name) => name.trim());
  if (names.at(-1) === '') names.pop();
  if (names.length === 0 || !names.every((name) => /^(?:type )?\w+$/.test(name)))
    throw new Error(`Not of the form export { a, type B } from './file.ts'; – ${statement}`);
  return names.map((name) => ({
    name: name.replace(/^type /, ''),
    file: file!,
    isType: all !== undefined || name.startsWith('type '),
  }));
}
