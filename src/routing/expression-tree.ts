/**
 * The text of a regular expression → a tree of what it repeats, as far as that decides about its running time.
 *
 * `(\w+-?)*x` is a loop around a loop and an optional atom, then an atom. Which characters an atom takes is not read here: the atom
 * is kept as text and asked. Only expressions that compile are read.
 */

/** A part of an expression. */
export type Tree =
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly least: number; readonly most: number }
  /** Looks ahead or back: judged as an expression of its own. */
  | { readonly kind: 'look'; readonly part: Tree };

/** Reads the text of an expression that compiles. Throws a `SyntaxError` where it uses what is not known here. */
export function expressionTree(source: string): Tree {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found?.[0];
  };
  const choice = (): Tree => {
    const parts = [sequence()];
    while (take(/\|/y) !== undefined) parts.push(sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  };
  const sequence = (): Tree => {
    const parts: Tree[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(atom()));
    return { kind: 'sequence', parts };
  };
  const repeated = (part: Tree): Tree => {
    const mark = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (mark === undefined) return part;
    const [, least, most] = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})/.exec(mark)!;
    if (mark[0] === '{')
      return {
        kind: 'repeat',
        part,
        least: Number(least),
        most: most === undefined && !mark.includes(',') ? Number(least) : most === '' ? Infinity : Number(most),
      };
    return { kind: 'repeat', part, least: mark[0] === '+' ? 1 : 0, most: mark[0] === '?' ? 1 : Infinity };
  };
  const atom = (): Tree => {
    const look = take(/\(\?<?[=!]/y);
    if (look !== undefined || take(/\((?:\?(?:<[^>]*>|[a-z-]*:))?/iy) !== undefined) {
      const part = choice();
      at++;
      return look === undefined ? part : { kind: 'look', part };
    }
    if (take(/[\^$]|\\[bB]/y) !== undefined) return { kind: 'nothing' };
    // What a reference to a group takes is not known before it runs: it may be anything.
    if (take(/\\(?:[1-9]\d*|k<[^>]*>)/y) !== undefined) return { kind: 'atom', text: '[^]' };
    const text = take(/\[(?:\\.|[^\]\\])*\]|\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|./isuy)!;
    return { kind: 'atom', text };
  };
  const tree = choice();
  if (at < source.length) throw new SyntaxError(`the expression "${source}" cannot be read from "${source.slice(at)}" on`);
  return tree;
}
