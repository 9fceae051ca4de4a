/** Reads the public entries of the package from `package.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-facts.ts';

export interface Entry {
  /** The specifier that a program imports: `todo-item-service/http`. */
  readonly specifier: string;
  /** The name of its module in `dist/library/`: `http`. */
  readonly module: string;
  /** The path of its source from the root: `src/http.ts`. */
  readonly source: string;
}

/** Returns all entries with types, the main entry first. */
export function entries(): readonly Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  };
  return Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === 'string'
      ? []
      : [
          {
            specifier: name + path.slice(1),
            module: entry.default.replace(/^\.\/dist\/library\/(.+)\.js$/, '$1'),
            source: entry.types.replace(/^\.\/dist\/library\/(.+)\.d\.ts$/, 'src/$1.ts'),
          },
        ],
  );
}
