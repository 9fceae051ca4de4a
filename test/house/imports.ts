/** Reads the imports of the sources, types included. */
import { posix } from 'node:path';
import { filesIn, textOf } from './source-files.ts';

/** The imports of one file. Relative imports become paths from the root. */
export interface Imports {
  readonly file: string;
  readonly imported: readonly string[];
}

/** Returns the texts after `from` and in `import(…)`. */
const importsIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (found) => (found[1] ?? found[2] ?? found[3])!,
  );

/** Resolves `./b.ts` in `src/core/a.ts` to `src/core/b.ts`. The name of a package stays unchanged. */
export const resolved = (file: string, imported: string): string =>
  imported.startsWith('.') ? posix.join(posix.dirname(file), imported) : imported;

/** Returns the imports of every file of `src/`. */
export const importsOfSources = (): readonly Imports[] =>
  filesIn('src')
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, imported: importsIn(textOf(file)).map((path) => resolved(file, path)) }));

/** Returns every cycle of a graph as a list of nodes that can reach each other. */
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
