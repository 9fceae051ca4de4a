/**
 * Estimates how the time of a regular expression grows with the length of the text (D31, D37).
 *
 * The regular expression engine may try every way to read a text. These rules limit the number of ways. They also
 * reject some harmless expressions:
 *
 * - Inside a repetition, the next character must decide how to continue. Alternatives must begin with different
 *   characters. An optional or repeated part must not begin with a character with which the part after it can begin.
 *   Otherwise each round could multiply the ways, and the expression is rejected.
 * - Outside of repetitions the ways are counted. An expression with too many ways is rejected.
 * - A repetition multiplies the time by the length if it can begin with a character of an earlier repetition, and if
 *   all parts between them can match that character too. The time then grows with a power of the length. The exponent,
 *   the degree, is 0 without repetitions; otherwise it is 1 plus the number of such repetitions.
 * - `\b` and lookarounds are assumed to match. An expression with the flag `v`, or with flags inside, is
 *   rejected.
 */

/**
 * A quantified part that can match more characters than this is treated as a repetition. For example, after another
 * repetition, the engine would try `a{0,60000}b` from each character of the text (D64).
 */
const MAX_COUNT = 32;
/**
 * The maximum number of ways to read a text, by degree. The rounds of a repetition are not counted as ways, because the
 * degree covers them. Each way may take the time of the degree again. An expression for an IPv4 address has 1,296 ways,
 * and most of them fail at once.
 */
const MAX_WAYS = [2000, 16, 4];

/**
 * Returns the degree: 2 if the time can grow as the square of the length, 1 if it can grow as the length, 0 if it is
 * bounded. In a search, a match may begin anywhere in the text; otherwise the expression must match the whole text. The
 * expression must compile with these flags. Throws a `SyntaxError` with the reason if the time can grow exponentially,
 * or if the growth cannot be estimated.
 */
export function degreeOf(source: string, flags: string, isSearch = false): number {
  const part = parseExpression(source, flags);
  const whole = passed(part, { open: 0n, degree: 0 }).degree;
  // A search tries the expression from each character, as if a repetition of any character came first. An expression
  // that begins with `^` is tried only once.
  const degree = isSearch ? Math.min(whole + 1, passed(part, { open: ANY, degree: 1 }).degree) : whole;
  const ways = waysOf(part, 0n, false);
  const maxWays = MAX_WAYS[degree] ?? Infinity;
  if (ways > maxWays) throw new SyntaxError(`one text can be read in ${ways} ways; at most ${maxWays} are allowed`);
  return degree;
}

/**
 * Returns the number of ways that `MAX_WAYS` limits. `follow` holds the characters that can follow the part. Throws if
 * a text can be read in two ways inside a repetition.
 */
function waysOf(part: Part, follow: bigint, isInside: boolean): number {
  const { kind, parts, min, max } = part;
  const [inner] = parts as [Part];
  if (kind === 'atom') return 1;
  if (kind === 'lookaround') return waysOf(inner, 0n, false);
  if (kind === 'sequence') {
    let after = follow;
    return parts.reduceRight((ways, next) => {
      const nextWays = waysOf(next, after, isInside);
      after = beginOf(next, after);
      return ways * nextWays;
    }, 1);
  }
  if (kind === 'choice') {
    const ways = parts.map((next) => waysOf(next, follow, isInside));
    const alike = parts.map((next) => ways.filter((_, at) => parts[at] === next || areAlike(next, parts[at]!, follow)));
    if (isInside && alike.some((group) => group.length > 1))
      throw new SyntaxError(`in a repetition, two alternatives of "${part.text}" can begin alike`);
    return Math.max(...alike.map((group) => group.reduce((all, each) => all + each)));
  }
  const isEndless = isRepetition(part);
  if (inner.shortest === 0 && (isEndless || (isInside && max > 1)))
    throw new SyntaxError(`"${part.text}" repeats a part that can be empty`);
  const isAlike = (isEndless || min < max) && (inner.shortest === 0 || (inner.first & follow) !== 0n);
  if (isInside && isAlike) throw new SyntaxError(`in a repetition, "${part.text}" can begin like the part after it`);
  const after = (max > 1 ? inner.first : 0n) | (isInside || !isEndless ? follow : 0n);
  const ways = waysOf(inner, after, isInside || isEndless);
  return isEndless ? ways * (isAlike ? 2 : 1) : ways ** max * (isAlike ? max - min + 1 : 1);
}

const isRepetition = ({ max, longest }: Part): boolean => max > 1 && longest > MAX_COUNT;
/** Returns the characters with which a part can begin. If the part can be empty, they include those in `follow`. */
const beginOf = ({ shortest, first }: Part, follow: bigint): bigint => (shortest === 0 ? first | follow : first);
const areAlike = (left: Part, right: Part, follow: bigint): boolean =>
  (beginOf(left, follow) & beginOf(right, follow)) !== 0n || left.shortest + right.shortest === 0;

/** The result of the parts before a position in the expression. */
interface Passed {
  /** The characters of earlier repetitions that every part between these repetitions and the position can match too. */
  readonly open: bigint;
  /** The degree of the parts before the position. */
  readonly degree: number;
}

function passed(part: Part, before: Passed): Passed {
  const { kind, parts, min } = part;
  const [inner = part] = parts;
  if (kind === 'sequence') return parts.reduce((place, next) => passed(next, place), before);
  if (kind === 'choice') return parts.map((next) => passed(next, before)).reduce(either);
  if (kind === 'lookaround') return { ...before, degree: passed(inner, before).degree };
  const isShared = (before.open & inner.first) !== 0n;
  const open = isShared ? before.open : 0n;
  if (kind === 'atom') return { ...before, open };
  const after = isRepetition(part)
    ? lookaroundsIn(inner).reduce((place, next) => passed(next, place), {
        open: open | inner.characters,
        degree: before.degree + (isShared || before.degree === 0 ? 1 : 0),
      })
    : passed(inner, before);
  return min === 0 ? either(before, after) : after;
}

const either = (left: Passed, right: Passed): Passed => ({
  open: left.open | right.open,
  degree: Math.max(left.degree, right.degree),
});

const lookaroundsIn = (part: Part): readonly Part[] =>
  part.kind === 'lookaround' ? [part] : part.parts.flatMap(lookaroundsIn);

/**
 * A part of an expression, parsed only as far as its cost requires. An atom is not parsed further: the engine tests
 * which characters it matches. `^` and `$` are atoms without characters, unless they match at every line.
 */
interface Part {
  readonly kind: 'atom' | 'sequence' | 'choice' | 'count' | 'lookaround';
  readonly parts: readonly Part[];
  /** The source, for messages. */
  readonly text?: string | undefined;
  /** How often a part of the kind `count` repeats its inner part. */
  readonly min: number;
  readonly max: number;
  /**
   * The characters with which the part can begin: one bit for each ASCII character, one for `ſ` (U+017F), one for the
   * Kelvin sign (U+212A), and one for all other characters together. `ſ` and the Kelvin sign have separate bits,
   * because they can match the ASCII letters `s` and `k` ignoring case.
   */
  readonly first: bigint;
  /** The characters that the part can match, without its lookarounds; the bits are the same as in `first`. */
  readonly characters: bigint;
  readonly shortest: number;
  readonly longest: number;
}

function partOf(kind: Part['kind'], parts: readonly Part[], min = 1, max = 1): Part {
  const isChoice = kind === 'choice';
  const sum = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + length, 0);
  const least = parts.map((part) => part.shortest);
  const most = parts.map((part) => part.longest);
  const first = parts.reduceRight((set, part) => (isChoice ? part.first | set : beginOf(part, set)), 0n);
  const characters = kind === 'lookaround' ? 0n : parts.reduce((set, part) => set | part.characters, 0n);
  const shortest = isChoice ? Math.min(...least) : min * sum(least);
  // The length of an empty part stays 0, although `Infinity * 0` is `NaN`.
  const longest = isChoice ? Math.max(...most) : max * sum(most) || 0;
  return { kind, parts, min, max, first, characters, shortest, longest };
}

const EMPTY = partOf('sequence', []);
const ANY = -1n;
const SINGLE = [...Array(128).keys(), 0x17f, 0x212a].map((point) => String.fromCharCode(point));
/** If an atom without `\u` and `\p` matches a character that is not in `SINGLE`, it also matches one of these. */
const OTHERS = Array.from({ length: 0x81 }, (_, at) => String.fromCharCode(at + 0x80)).join('');

function atomOf(text: string, flags: string): Part {
  const [any, whole] = [text, `^(?:${text})$`].map((pattern) => new RegExp(pattern, flags.replace(/[dgmy]/g, '')));
  const takesOther = /\\[up]|[^\0-\x7f]/i.test(text) || any!.test(OTHERS);
  const matches = [takesOther, ...SINGLE.map((character) => whole!.test(character))];
  const first = BigInt(`0b${matches.map(Number).join('')}`);
  return { ...EMPTY, kind: 'atom', first, characters: first, shortest: 1, longest: 1 };
}

const COUNTS: Readonly<Record<string, string>> = { '*': '{0,}', '+': '{1,}', '?': '{0,1}' };
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
const OPENING = /\((?:\?(?:<?[=!]|<[^>]*>|:))?/y;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
const UNICODE_CHARACTER = /\\(?:[pPu]\{[^}]*\}|u(?:[dD][89abAB]..\\u[dD][c-fC-F]..|[\da-fA-F]{4})|x..|c.|[^])|[^]/uy;
// If no letter follows `\c`, it matches a backslash and then a `c`. If the expression has no group, `\1` is an octal
// character code. `\X` is the letter `X`, so `\X41` matches `X41`.
const CHARACTER = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[0-3][0-7]{0,2}|[4-7][0-7]?|(?=c)|[^])|[^]/y;

/** Parses an expression that compiles with these flags. Throws a `SyntaxError` for unsupported flags. */
function parseExpression(source: string, flags: string): Part {
  const isUnicode = flags.includes('u');
  // This match of the empty text only counts the groups. The empty alternative comes first, so that it matches at once:
  // without it, `(|){40}` would take for ever even with an empty text.
  const groups = new RegExp(`|${source}`, flags).exec('')!;
  let isBackward = false;
  let at = 0;
  const take = (sticky: RegExp): string | undefined => {
    sticky.lastIndex = at;
    const found = sticky.exec(source)?.[0];
    at += found?.length ?? 0;
    return found;
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
    const isNamed = text === '\\k' && groups.groups !== undefined;
    const isNumbered = /^\\[1-9]/.test(text) && (isUnicode || groups.length > 1);
    if (!isNamed && !isNumbered) return atomOf(text === '\\' ? '\\\\' : text, flags);
    // A reference to a group is treated like `[^]*`, which matches any text.
    take(isNamed ? /<[^>]*>/y : /\d*/y);
    return partOf('count', [atomOf('[^]', flags)], 0, Infinity);
  }

  if (flags.includes('v') || /\(\?[a-z-]+:/.test(source))
    throw new SyntaxError('the flag "v" and flags inside of an expression cannot be judged');
  return choice();
}
