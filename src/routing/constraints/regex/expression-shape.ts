/** What can be told of an expression by its tree alone, whatever characters its atoms take. */
import type { Tree } from './expression-tree.ts';

/** Can a tree take nothing? */
export function canBeEmpty(tree: Tree): boolean {
  switch (tree.kind) {
    case 'atom':
      return false;
    case 'choice':
      return tree.parts.some(canBeEmpty);
    case 'sequence':
      return tree.parts.every(canBeEmpty);
    case 'repeat':
      return tree.least === 0 || canBeEmpty(tree.part);
    default:
      return true;
  }
}

/** How many atoms a tree has when its counts are written out. */
export function sizeOf(tree: Tree): number {
  switch (tree.kind) {
    case 'atom':
      return 1;
    case 'choice':
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + sizeOf(part), 0);
    case 'repeat':
      return sizeOf(tree.part) * (tree.most < Infinity ? tree.most : Math.max(1, tree.least));
    default:
      return sizeOf(tree.part);
  }
}

/** The least number of characters that a tree takes. */
export function shortestOf(tree: Tree): number {
  switch (tree.kind) {
    case 'atom':
      return 1;
    case 'choice':
      return Math.min(...tree.parts.map(shortestOf));
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + shortestOf(part), 0);
    case 'repeat':
      return tree.least === 0 ? 0 : tree.least * shortestOf(tree.part);
    default:
      return 0;
  }
}

/** In how many ways one text could be read if all atoms took the same characters; past `limit` any larger number, as for a loop. */
export function waysThrough(tree: Tree, limit: number): number {
  switch (tree.kind) {
    case 'atom':
      return 1;
    case 'choice':
      return tree.parts.reduce((sum, part) => sum + waysThrough(part, limit), 0);
    case 'sequence':
      return tree.parts.reduce((product, part) => product * waysThrough(part, limit), 1);
    case 'repeat': {
      const ways = waysThrough(tree.part, limit);
      let sum = 0;
      for (let rounds = tree.least; rounds <= tree.most && sum <= limit; rounds++) sum += ways ** rounds;
      return sum;
    }
    default:
      return 1 + waysThrough(tree.part, limit);
  }
}

/** The texts of all atoms. */
export function textsIn(tree: Tree): readonly string[] {
  if (tree.kind === 'atom') return [tree.text];
  return 'parts' in tree ? tree.parts.flatMap(textsIn) : textsIn(tree.part);
}
