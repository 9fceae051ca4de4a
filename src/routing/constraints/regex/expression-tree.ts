/**
 * What does the text of a regular expression repeat, and in which order? Its answer is a tree, as far as that decides the cost.
 *
 * `(\w+-?)*x` is a loop around a loop and an optional atom, then an atom. An atom takes one character; which ones is not read here:
 * its text is kept, and the engine is asked. `^`, `$`, `\b` and `\B` are written as looks of one character: `$` is `(?![^])`.
 */

/** A part of an expression. */
export type Tree =
  /** Takes one character. The text is an expression of its own. */
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly least: number; readonly most: number }
  | Look
  /** Takes what a group has taken, or nothing where it took nothing. */
  | { readonly kind: 'reference'; readonly part: Tree };

/** Looks ahead or behind. */
export interface Look {
  readonly kind: 'look';
  readonly part: Tree;
  readonly behind: boolean;
  readonly negative: boolean;
}

/** Reads the text of an expression that compiles with these flags: by code points with `u` or `v`, else by UTF-16 code units. */
export function expressionTree(source: string, flags: string): Tree {
  const unicode = /[uv]/.test(flags),
    sets = flags.includes('v');
  const named = unicode || /\(\?<(?![=!])/.test(source),
    groups = groupCount(source);
  /** The trees of the groups that have been closed, by number and by name. */
  const closed = new Map<string, Tree[]>();
  /** Openings of the `(?i:` around the part that is read. */
  const modifiers: string[] = [];
  let at = 0,
    opened = 0,
    behind = 0,
    modified = false;

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
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(term()));
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  };
  const repeated = (part: Tree): Tree => {
    const mark = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (mark === undefined) return part;
    if (mark[0] !== '{')
      return { kind: 'repeat', part, least: mark[0] === '+' ? 1 : 0, most: mark[0] === '?' ? 1 : Infinity };
    const [least, most = least] = mark.slice(1, mark.indexOf('}')).split(',');
    return { kind: 'repeat', part, least: Number(least), most: most === '' ? Infinity : Number(most) };
  };
  const term = (): Tree => {
    const look = take(/\(\?<?[=!]/y);
    if (look !== undefined) return looking(look.includes('<'), look.endsWith('!'));
    const group = take(/\((?:\?(?:<[^>]*>|[a-z-]*:))?/y);
    if (group !== undefined) return grouped(group);
    return assertion() ?? reference() ?? character();
  };
  const looking = (isBehind: boolean, negative: boolean): Tree => {
    if (isBehind) behind++;
    const part = choice();
    if (isBehind) behind--;
    at++;
    return { kind: 'look', part, behind: isBehind, negative };
  };
  const grouped = (opening: string): Tree => {
    const captures = opening === '(' || opening.startsWith('(?<'),
      modifies = /\w/.test(opening) && !captures;
    const names = captures ? [String(++opened), opening.slice(3, -1)] : [];
    if (modifies) modifiers.push(opening);
    modified ||= modifies;
    const part = choice();
    at++;
    if (modifies) modifiers.pop();
    for (const name of names) closed.set(name, [...(closed.get(name) ?? []), part]);
    return part;
  };
  const atom = (text: string): Tree => ({
    kind: 'atom',
    text: modifiers.join('') + text + ')'.repeat(modifiers.length),
  });
  const assertion = (): Tree | undefined => {
    const mark = take(/[\^$]|\\[bB]/y);
    if (mark === undefined) return undefined;
    const look = (text: string, isBehind: boolean, negative: boolean): Tree => ({
      kind: 'look',
      part: atom(text),
      behind: isBehind,
      negative,
    });
    if (mark === '^' || mark === '$')
      return look(isMultiline(flags, modifiers) ? '[^\\n\\r\\u2028\\u2029]' : '[^]', mark === '^', true);
    const between = (before: boolean, after: boolean): Tree => ({
      kind: 'sequence',
      parts: [look('\\w', true, !before), look('\\w', false, !after)],
    });
    return { kind: 'choice', parts: [between(true, mark === '\\B'), between(false, mark === '\\b')] };
  };
  const reference = (): Tree | undefined => {
    const number = /\\([1-9]\d*)/y;
    number.lastIndex = at;
    const isNumber = unicode || Number(number.exec(source)?.[1] ?? Infinity) <= groups;
    const mark = (isNumber ? take(/\\[1-9]\d*/y) : undefined) ?? (named ? take(/\\k<[^>]*>/y) : undefined);
    if (mark === undefined) return undefined;
    const parts = closed.get(mark[1] === 'k' ? mark.slice(3, -1) : mark.slice(1));
    // Before its group and inside it, a reference takes nothing: every round forgets what its groups took. A look behind is read from
    // right to left, and a modifier can change what the copy takes: there it may be anything.
    if (modified || (behind > 0 && parts === undefined)) return ANYTHING;
    if (parts === undefined) return NOTHING;
    return { kind: 'reference', part: parts.length === 1 ? parts[0]! : { kind: 'choice', parts } };
  };
  const character = (): Tree => {
    const text = (source[at] === '[' ? take(sets ? NESTED_CLASS : CLASS) : take(unicode ? UNICODE : UNITS))!;
    // A set of strings takes one character or several.
    if (sets && /\\q\{|\\p\{(?:RGI_\w+|Basic_Emoji|Emoji_Keycap_Sequence)\}/.test(text)) return ANYTHING;
    return atom(text === '\\' ? '\\\\' : text);
  };
  return choice();
}

const NOTHING: Tree = { kind: 'sequence', parts: [] };
const ANYTHING: Tree = { kind: 'repeat', part: { kind: 'atom', text: '[^]' }, least: 0, most: Infinity };
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
/** The classes of the flag `v`, one within another as deep as people write them. */
const NESTED_CLASS = nestedClass(6);
const UNICODE = /\\(?:[pPu]\{[^}]*\}|u(?:d[89ab]..\\ud[c-f]..|[\da-f]{4})|x..|c.|[^])|[^]/iuy;
// `\c` without a letter is a backslash before a `c`; `\1` without a group is an octal number.
const UNITS = /\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|(?=c)|[^])|[^]/iy;

function nestedClass(depth: number): RegExp {
  let text = '\\[(?:\\\\[^]|[^\\]\\\\[])*\\]';
  for (let level = 1; level < depth; level++) text = `\\[(?:\\\\[^]|[^\\]\\\\[]|${text})*\\]`;
  return new RegExp(text, 'uy');
}

/** How many groups capture: without `u`, `\2` is a reference only where there are two. */
const groupCount = (source: string): number =>
  source.match(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?!\?(?!<(?![=!])))/g)?.filter((found) => found === '(').length ?? 0;

/** Is the flag `m` on, inside these modifiers? */
function isMultiline(flags: string, modifiers: readonly string[]): boolean {
  const last = modifiers.findLast((modifier) => modifier.includes('m'));
  return last === undefined
    ? flags.includes('m')
    : last.indexOf('m') < (last.includes('-') ? last.indexOf('-') : Infinity);
}
