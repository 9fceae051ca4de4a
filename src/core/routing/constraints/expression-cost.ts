/**
 * Judges how the time of a regular expression grows with the length of the text (D31, D37).
 *
 * A matcher may try every way to read a text. The rule that bounds their number is short and errs to the safe side:
 * - In a repetition the next character tells how to go on: alternatives begin with different ones, and what may be left
 *   out or repeated begins otherwise than what follows it. If not, each round can multiply the ways: refused.
 * - Outside of repetitions the ways are counted, and too many are refused.
 * - A repetition multiplies the ways by the length if it can begin with a character of an earlier one, and all that
 *   stands between them can too. The degree is one more than the number of such repetitions.
 * - `\b` and lookarounds count as passed. What cannot be judged is refused.
 */

/** A count that can take more characters than these is a repetition: beside another, each character begins it anew. */
const MAX_COUNT = 32;
/**
 * The most ways to read a text while no repetition starts or ends, by the degree. Each may take the whole time again.
 * An address of IPv4 has 1,296, and most of them end at once.
 */
const MAX_WAYS = [2000, 16, 4];

/**
 * The degree with which the time can grow: 2 if as the square of the length, 1 if as the length, 0 if it has a bound.
 * In a search a match may begin anywhere, otherwise it is the whole text. The expression compiles with these flags.
 * Throws a `SyntaxError` with the reason if the time can grow exponentially, or if it cannot be judged.
 */
export function degreeOf(source: string, flags: string, isSearch = false): number {
  const part = parseExpression(source, flags);
  const whole = passed(part, { open: 0n, degree: 0 }).degree;
  // A search tries the whole from each character, as a repetition of any characters in front does. `^` ends that.
  const degree = isSearch ? Math.min(whole + 1, passed(part, { open: ANY, degree: 1 }).degree) : whole;
  const ways = waysOf(part, 0n, false);
  const maxWays = MAX_WAYS[degree] ?? Infinity;
  if (ways > maxWays) throw new SyntaxError(`one text can be read in ${ways} ways; at most ${maxWays} are allowed`);
  return degree;
}

/**
 * In how many ways one text can be read while no repetition starts or ends. `follow` are the characters that can follow
 * the part. Throws where a text can be read in two ways in a repetition.
 */
function waysOf(part: Part, follow: bigint, isInside: boolean): number {
  const { kind, parts, min, max } = part;
  const [one] = parts as [Part];
  if (kind === 'atom') return 1;
  if (kind === 'lookaround') return waysOf(one, 0n, false);
  if (kind === 'sequence') {
    let after = follow;
    return parts.reduceRight((ways, next) => {
      const own = waysOf(next, after, isInside);
      after = beginOf(next, after);
      return ways * own;
    }, 1);
  }
  if (kind === 'choice') {
    const ways = parts.map((next) => waysOf(next, follow, isInside));
    const alike = parts.map((next) => ways.filter((_, at) => parts[at] === next || areAlike(next, parts[at]!, follow)));
    if (isInside && alike.some((some) => some.length > 1))
      throw new SyntaxError(`in a repetition, two alternatives of "${part.text}" can begin alike`);
    return Math.max(...alike.map((some) => some.reduce((all, own) => all + own)));
  }
  const isEndless = isRepetition(part);
  if (one.shortest === 0 && (isEndless || (isInside && max > 1)))
    throw new SyntaxError(`"${part.text}" repeats what can be empty`);
  const isAlike = (isEndless || min < max) && (one.shortest === 0 || (one.first & follow) !== 0n);
  if (isInside && isAlike) throw new SyntaxError(`in a repetition, "${part.text}" can begin as what follows it`);
  const after = (max > 1 ? one.first : 0n) | (isInside || !isEndless ? follow : 0n);
  const ways = waysOf(one, after, isInside || isEndless);
  return isEndless ? ways * (isAlike ? 2 : 1) : ways ** max * (isAlike ? max - min + 1 : 1);
}

const isRepetition = ({ max, longest }: Part): boolean => max > 1 && longest > MAX_COUNT;
/** The characters that stand where a part begins. One that can be empty begins as what follows. */
const beginOf = ({ shortest, first }: Part, follow: bigint): bigint => (shortest === 0 ? first | follow : first);
const areAlike = (one: Part, other: Part, follow: bigint): boolean =>
  (beginOf(one, follow) & beginOf(other, follow)) !== 0n || one.shortest + other.shortest === 0;

/** What the parts in front of a place come to. */
interface Passed {
  /** The characters of the repetitions that can still take all that was passed behind them. */
  readonly open: bigint;
  readonly degree: number;
}

function passed(part: Part, before: Passed): Passed {
  const { kind, parts, min } = part;
  const [one = part] = parts;
  if (kind === 'sequence') return parts.reduce((place, next) => passed(next, place), before);
  if (kind === 'choice') return parts.map((next) => passed(next, before)).reduce(either);
  if (kind === 'lookaround') return { ...before, degree: passed(one, before).degree };
  const isShared = (before.open & one.first) !== 0n;
  const open = isShared ? before.open : 0n;
  if (kind === 'atom') return { ...before, open };
  const after = isRepetition(part)
    ? lookaroundsIn(one).reduce((place, next) => passed(next, place), {
        open: open | one.characters,
        degree: before.degree + (isShared || before.degree === 0 ? 1 : 0),
      })
    : passed(one, before);
  return min === 0 ? either(before, after) : after;
}

const either = (one: Passed, other: Passed): Passed => ({
  open: one.open | other.open,
  degree: Math.max(one.degree, other.degree),
});

const lookaroundsIn = (part: Part): readonly Part[] =>
  part.kind === 'lookaround' ? [part] : part.parts.flatMap(lookaroundsIn);

/**
 * A part of an expression, parsed as far as its cost takes. Which characters an atom takes is not parsed: the engine is
 * asked. `^` and `$` are atoms that take none, unless they match at every line.
 */
interface Part {
  readonly kind: 'atom' | 'sequence' | 'choice' | 'count' | 'lookaround';
  readonly parts: readonly Part[];
  /** Its source, for messages. */
  readonly text?: string | undefined;
  /** How often a count repeats its part. */
  readonly min: number;
  readonly max: number;
  /** The characters that it can begin with: a bit for each of ASCII, for `ſ` and for `K`, and one for all others. */
  readonly first: bigint;
  /** Those that it can take, without its lookarounds. */
  readonly characters: bigint;
  readonly shortest: number;
  readonly longest: number;
}

function partOf(kind: Part['kind'], parts: readonly Part[], min = 1, max = 1): Part {
  const isChoice = kind === 'choice';
  const sum = (lengths: readonly number[]): number => lengths.reduce((all, one) => all + one, 0);
  const least = parts.map((part) => part.shortest);
  const most = parts.map((part) => part.longest);
  const first = parts.reduceRight((set, part) => (isChoice ? part.first | set : beginOf(part, set)), 0n);
  const characters = kind === 'lookaround' ? 0n : parts.reduce((set, part) => set | part.characters, 0n);
  const shortest = isChoice ? Math.min(...least) : min * sum(least);
  // An empty part has no length however often it is repeated.
  const longest = isChoice ? Math.max(...most) : max * sum(most) || 0;
  return { kind, parts, min, max, first, characters, shortest, longest };
}

const EMPTY = partOf('sequence', []);
const ANY = -1n;
const SINGLE = [...Array(128).keys(), 0x17f, 0x212a].map((point) => String.fromCharCode(point));
/** What names no character beyond these by its number or property takes one of these if it takes any. */
const OTHERS = Array.from({ length: 0x81 }, (_, at) => String.fromCharCode(at + 0x80)).join('');

function atomOf(text: string, flags: string): Part {
  const [any, whole] = [text, `^(?:${text})$`].map((one) => new RegExp(one, flags.replace(/[dgmy]/g, '')));
  const takesOther = /\\[up]|[^\0-\x7f]/i.test(text) || any!.test(OTHERS);
  const taken = [takesOther, ...SINGLE.map((character) => whole!.test(character))];
  const first = BigInt(`0b${taken.map(Number).join('')}`);
  return { ...EMPTY, kind: 'atom', first, characters: first, shortest: 1, longest: 1 };
}

const COUNTS: Readonly<Record<string, string>> = { '*': '{0,}', '+': '{1,}', '?': '{0,1}' };
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
const OPENING = /\((?:\?(?:<?[=!]|<[^>]*>|:))?/y;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
const UNICODE_CHARACTER = /\\(?:[pPu]\{[^}]*\}|u(?:[dD][89abAB]..\\u[dD][c-fC-F]..|[\da-fA-F]{4})|x..|c.|[^])|[^]/uy;
// `\c` without a letter is a backslash before a `c`. `\1` without a group is an octal number. `\X41` begins with `X`.
const CHARACTER = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[0-3][0-7]{0,2}|[4-7][0-7]?|(?=c)|[^])|[^]/y;

/** The parts of an expression that compiles with these flags. Throws a `SyntaxError` for flags not known here. */
function parseExpression(source: string, flags: string): Part {
  const isUnicode = flags.includes('u');
  // The empty alternative is first: `(|){40}` would take for ever even here.
  const found = new RegExp(`|${source}`, flags).exec('')!;
  let isBackward = false;
  let at = 0;
  const take = (sticky: RegExp): string | undefined => {
    sticky.lastIndex = at;
    const taken = sticky.exec(source)?.[0];
    at += taken?.length ?? 0;
    return taken;
  };

  function choice(): Part {
    const start = at;
    const parts = [sequence()];
    while (take(/\|/y) !== undefined) parts.push(sequence());
    return parts.length === 1 ? parts[0]! : { ...partOf('choice', parts), text: source.slice(start, at) };
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && !/[|)]/.test(source[at]!)) {
      const start = at;
      const part = term();
      const quantifier = take(QUANTIFIER);
      take(/\?/y);
      const [min, max = min] = (COUNTS[quantifier!] ?? quantifier ?? '{1}').slice(1, -1).split(',');
      const counted = quantifier ? partOf('count', [part], Number(min), Number(max || Infinity)) : part;
      parts.push({ ...counted, text: source.slice(start, at) });
    }
    // A lookbehind is read from right to left.
    return partOf('sequence', isBackward ? parts.toReversed() : parts);
  }

  function term(): Part {
    const opening = take(OPENING);
    if (opening !== undefined) {
      const outer = isBackward;
      const isLookaround = /[=!]$/.test(opening);
      if (isLookaround) isBackward = opening.includes('<');
      const part = choice();
      isBackward = outer;
      at++;
      return isLookaround ? { ...EMPTY, kind: 'lookaround', parts: [part] } : part;
    }
    const assertion = take(/[\^$]|\\[bB]/y);
    if (assertion !== undefined)
      return assertion.length > 1 || flags.includes('m') ? EMPTY : { ...EMPTY, kind: 'atom' };
    const text = take(CLASS) ?? take(isUnicode ? UNICODE_CHARACTER : CHARACTER)!;
    const isNamed = text === '\\k' && found.groups !== undefined;
    const isNumbered = /^\\[1-9]/.test(text) && (isUnicode || found.length > 1);
    if (!isNamed && !isNumbered) return atomOf(text === '\\' ? '\\\\' : text, flags);
    // A reference to a group may take anything here.
    take(isNamed ? /<[^>]*>/y : /\d*/y);
    return partOf('count', [atomOf('[^]', flags)], 0, Infinity);
  }

  if (flags.includes('v') || /\(\?[a-z-]+:/.test(source))
    throw new SyntaxError('the flag "v" and flags inside of an expression cannot be judged');
  return choice();
}
