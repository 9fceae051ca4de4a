/**
 * Parses the source of a regular expression into a tree.
 *
 * The characters that an atom takes are not parsed: the atom keeps its text for the engine to decide. `^`, `$`, `\b`
 * and `\B` become lookarounds at one character: `$` is `(?![^])`.
 */
import type { Lookaround, Tree } from './expression-tree.ts';

/** The tree of an expression that compiles with these flags. */
export const parseExpression = (source: string, flags: string): Tree => new Parser(source, flags).choice();

const NOTHING: Tree = { kind: 'sequence', parts: [] };
const ANYTHING: Tree = { kind: 'repeat', part: { kind: 'atom', text: '[^]' }, min: 0, max: Infinity };

const LOOKAROUND = /\(\?<?[=!]/y;
const GROUP = /\((?:\?(?:<[^>]*>|[a-z-]*:))?/y;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const ASSERTION = /[\^$]|\\[bB]/y;
const REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y;
const NAMED_GROUP = /\(\?<(?![=!])/;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
/** A class of the flag `v`, with up to five classes nested in each other. */
const NESTED_CLASS = nestedClass(6);
const UNICODE_CHARACTER = /\\(?:[pPu]\{[^}]*\}|u(?:d[89ab]..\\ud[c-f]..|[\da-f]{4})|x..|c.|[^])|[^]/iuy;
// `\c` without a letter is a backslash before a `c`. `\1` without a group is an octal number.
const CHARACTER = /\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|(?=c)|[^])|[^]/iy;
/** In a class of the flag `v`: members that can be strings of several characters. */
const STRINGS = /\\q\{|\\p\{(?:RGI_\w+|Basic_Emoji|Emoji_Keycap_Sequence)\}/;

class Parser {
  readonly #source: string;
  readonly #flags: string;
  readonly #isUnicode: boolean;
  /** The trees of the closed groups, by number and by name. */
  readonly #groups = new Map<string, Tree[]>();
  /** The openings of the enclosing groups that change flags, such as `(?i:`. */
  readonly #modifiers: string[] = [];
  #hasModifiers = false;
  #openedGroups = 0;
  #openLookbehinds = 0;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
    this.#isUnicode = /[uv]/.test(flags);
  }

  choice(): Tree {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!))
      parts.push(this.#quantified(this.#term()));
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  #quantified(part: Tree): Tree {
    const quantifier = this.#take(QUANTIFIER);
    if (quantifier === undefined) return part;
    if (quantifier[0] === '?') return { kind: 'repeat', part, min: 0, max: 1 };
    if (quantifier[0] !== '{') return { kind: 'repeat', part, min: quantifier[0] === '+' ? 1 : 0, max: Infinity };
    const [min, max = min] = quantifier.slice(1, quantifier.indexOf('}')).split(',');
    return { kind: 'repeat', part, min: Number(min), max: max === '' ? Infinity : Number(max) };
  }

  #term(): Tree {
    const lookaround = this.#take(LOOKAROUND);
    if (lookaround !== undefined) return this.#lookaround(lookaround);
    const group = this.#take(GROUP);
    if (group !== undefined) return this.#group(group);
    return this.#assertion() ?? this.#reference() ?? this.#character();
  }

  #lookaround(opening: string): Tree {
    const behind = opening.includes('<');
    if (behind) this.#openLookbehinds++;
    const part = this.choice();
    if (behind) this.#openLookbehinds--;
    this.#at++;
    return { kind: 'lookaround', part, behind, negative: opening.endsWith('!') };
  }

  #group(opening: string): Tree {
    const captures = opening === '(' || opening.startsWith('(?<');
    const modifies = !captures && /\w/.test(opening);
    const names = captures ? [String(++this.#openedGroups), opening.slice(3, -1)] : [];
    if (modifies) this.#modifiers.push(opening);
    this.#hasModifiers ||= modifies;
    const part = this.choice();
    this.#at++;
    if (modifies) this.#modifiers.pop();
    for (const name of names) this.#groups.set(name, [...(this.#groups.get(name) ?? []), part]);
    return part;
  }

  #assertion(): Tree | undefined {
    const mark = this.#take(ASSERTION);
    if (mark === undefined) return undefined;
    if (mark === '^' || mark === '$')
      return this.#lookAt(this.#isMultiline() ? '[^\\n\\r\\u2028\\u2029]' : '[^]', mark === '^', true);
    const between = (isWordBefore: boolean, isWordAfter: boolean): Tree => ({
      kind: 'sequence',
      parts: [this.#lookAt('\\w', true, !isWordBefore), this.#lookAt('\\w', false, !isWordAfter)],
    });
    return { kind: 'choice', parts: [between(true, mark === '\\B'), between(false, mark === '\\b')] };
  }

  #lookAt(character: string, behind: boolean, negative: boolean): Lookaround {
    return { kind: 'lookaround', part: this.#atom(character), behind, negative };
  }

  #reference(): Tree | undefined {
    const start = this.#at;
    const text = this.#take(REFERENCE);
    if (text === undefined) return undefined;
    const isName = text[1] === 'k';
    const name = text.slice(isName ? 3 : 1, isName ? -1 : undefined);
    if (!this.#isUnicode && (isName ? !NAMED_GROUP.test(this.#source) : Number(name) > groupCount(this.#source))) {
      this.#at = start;
      return undefined;
    }
    const parts = this.#groups.get(name);
    // Before its group and inside it a reference takes nothing, because each iteration resets its groups. A lookbehind
    // reads from right to left, and a modifier can change what the reference takes. In both cases it may take anything.
    if (this.#hasModifiers || (this.#openLookbehinds > 0 && parts === undefined)) return ANYTHING;
    if (parts === undefined) return NOTHING;
    return { kind: 'reference', part: parts.length === 1 ? parts[0]! : { kind: 'choice', parts } };
  }

  #character(): Tree {
    const isClass = this.#source[this.#at] === '[';
    const hasSets = this.#flags.includes('v');
    const character = this.#isUnicode ? UNICODE_CHARACTER : CHARACTER;
    const text = this.#take(isClass ? (hasSets ? NESTED_CLASS : CLASS) : character)!;
    if (hasSets && STRINGS.test(text)) return ANYTHING;
    return this.#atom(text === '\\' ? '\\\\' : text);
  }

  #atom(text: string): Tree {
    return { kind: 'atom', text: this.#modifiers.join('') + text + ')'.repeat(this.#modifiers.length) };
  }

  /** Is the flag `m` on, or set by a modifier? */
  #isMultiline(): boolean {
    const last = this.#modifiers.findLast((modifier) => modifier.includes('m'));
    return last === undefined ? this.#flags.includes('m') : /^[^-]*m/.test(last);
  }

  #take(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const text = sticky.exec(this.#source)?.[0];
    if (text !== undefined) this.#at = sticky.lastIndex;
    return text;
  }
}

function nestedClass(depth: number): RegExp {
  let text = '\\[(?:\\\\[^]|[^\\]\\\\[])*\\]';
  for (let level = 1; level < depth; level++) text = `\\[(?:\\\\[^]|[^\\]\\\\[]|${text})*\\]`;
  return new RegExp(text, 'uy');
}

/** The number of capturing groups: without the flag `u`, `\2` is a reference only where there are two. */
const groupCount = (source: string): number =>
  source.match(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?!\?(?!<(?![=!])))/g)?.filter((found) => found === '(').length ?? 0;
