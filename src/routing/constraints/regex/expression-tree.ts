/**
 * Declares the syntax tree of an expression, and measures it as if every atom took the same characters.
 *
 * `(\w+-?)*x` is a sequence of a repeat and an atom; in the repeat stand a repeated and an optional atom.
 */

/** A part of an expression. */
export type Tree =
  /** Takes one character. The text is an expression of its own, which tells the characters. */
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly min: number; readonly max: number }
  | Lookaround
  /** Takes what a group has taken, or nothing where the group took nothing. */
  | { readonly kind: 'reference'; readonly part: Tree };

/** A lookahead or a lookbehind. */
export interface Lookaround {
  readonly kind: 'lookaround';
  readonly part: Tree;
  readonly behind: boolean;
  readonly negative: boolean;
}

/** The texts of all atoms. */
export function textsIn(tree: Tree): readonly string[] {
  if (tree.kind === 'atom') return [tree.text];
  return 'parts' in tree ? tree.parts.flatMap(textsIn) : textsIn(tree.part);
}

/** The number of atoms when all counts are unrolled. */
export const sizeOf = (tree: Tree): number =>
  measured(tree, {
    repeat: (part, min, max) => part * (max < Infinity ? max : Math.max(1, min)),
    other: (part) => part,
  });

/** The length of the shortest match. */
export const shortestMatch = (tree: Tree): number =>
  measured(tree, {
    choice: (parts) => Math.min(...parts),
    repeat: (part, min) => part * min || 0,
    other: () => 0,
  });

/** In how many ways one text can match. Above `limit`, as for an unbounded repeat, the number is not exact. */
export const waysThrough = (tree: Tree, limit: number): number =>
  measured(tree, {
    sequence: (parts) => parts.reduce((product, ways) => product * ways, 1),
    repeat(part, min, max) {
      let ways = 0;
      for (let count = min; count <= max && ways <= limit; count++) ways += part ** count;
      return ways;
    },
    other: (part) => 1 + part,
  });

/** Measures a part from the measures of its own parts: a choice or a sequence by their sum unless it says otherwise. */
interface Measure {
  choice?(parts: readonly number[]): number;
  sequence?(parts: readonly number[]): number;
  repeat(part: number, min: number, max: number): number;
  other(part: number): number;
}

/** The measure of a tree; that of an atom is 1. */
function measured(tree: Tree, measure: Measure): number {
  if (tree.kind === 'atom') return 1;
  if ('parts' in tree) return (measure[tree.kind] ?? sum)(tree.parts.map((part) => measured(part, measure)));
  const part = measured(tree.part, measure);
  return tree.kind === 'repeat' ? measure.repeat(part, tree.min, tree.max) : measure.other(part);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
