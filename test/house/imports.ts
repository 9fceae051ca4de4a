/** Reads the imports of the sources, types included. */
import { posix } from 'node:path';
import { filesIn, textOf } from './source-files.ts';

/** What one file imports: paths from the root for relative imports, else the text as it is written. */
export interface Imports {
  readonly file: string;
  readonly imported: readonly string[];
}

/** The texts behind `from` and in `import(…)`. */
const importsIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (found) => (found[1] ?? found[2] ?? found[3])!,
  );

/** `./b.ts` in `src/http/a.ts` is `src/http/b.ts`; a package is what it is. */
export const resolved = (file: string, imported: string): string =>
  imported.startsWith('.') ? posix.join(posix.dirname(file), imported) : imported;

/** The imports of every file of `src/`. */
export const importsOfSources = (): readonly Imports[] =>
  filesIn('src')
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, imported: importsIn(textOf(file)).map((one) => resolved(file, one)) }));

/** Every circle of a graph: lists of nodes that can reach each other. Each node is visited once for each start. */
export function circlesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reachable = (start: string): Set<string> => {
    const reached = new Set<string>();
    const open = [...(edges.get(start) ?? [])];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (reached.has(node)) continue;
      reached.add(node);
      open.push(...(edges.get(node) ?? []));
    }
    return reached;
  };
  const reach = new Map([...edges.keys()].map((node) => [node, reachable(node)] as const));
  const circles = new Map<string, string[]>();
  for (const [node, reached] of reach) {
    if (!reached.has(node)) continue;
    const circle = [...reached].filter((other) => reach.get(other)?.has(node)).sort();
    circles.set(circle.join(' '), circle);
  }
  return [...circles.values()];
}
