/**
 * Judges what a regular expression can cost, and how long a value may be that it is tried on (D31, D37).
 *
 * A matcher may try every way to read a text. The rule that bounds their number is short and errs to the safe side:
 * - In a repetition the next character tells how to go on: alternatives begin with different ones, and what may be left
 *   out or repeated begins otherwise than what follows it. If not, each round can multiply the ways: refused.
 * - Of two repetitions in a row the second multiplies the ways by the length, if both share a character and what stands
 *   between them shares one with the first. The degree is one more than the most of these links in a row.
 * - `\b` and lookarounds count as passed. What cannot be judged is refused.
 */

/** The steps that one value may cost, and all values of one request together: about a tenth of a second. */
const MAX_COST = 10_000_000;
/** So many steps for each character count for nothing: what grows with the request needs no other bound. */
const FREE_STEPS = 32;

/** How long a value may be, and why. */
export interface LengthBound {
  /** In UTF-16 code units. A value of this length costs ten million steps; `Infinity` where none does. */
  readonly maxLength: number;
  /** The cost of one value grows as `length^degree`; 0 where nothing repeats without an end. */
  readonly degree: number;
}

/** The steps that were counted for the values of one request. */
export interface Spending {
  spentSteps: number;
}

/**
 * Counts the steps of a value of this length against those that its request has left (D37). Returns false where they
 * are too many: then the value must not be judged.
 */
export function spend({ degree, maxLength }: LengthBound, length: number, spending: Spending): boolean {
  if (maxLength === Infinity) return true;
  const steps = MAX_COST * (length / maxLength) ** degree - FREE_STEPS * length;
  if (steps <= 0) return true;
  if (spending.spentSteps + steps > MAX_COST) return false;
  spending.spentSteps += steps;
  return true;
}

/** Whether texts of every length cost no more than the steps that count for nothing. */
export const isFree = ({ degree, maxLength }: LengthBound): boolean => degree < 2 && maxLength >= MAX_COST / FREE_STEPS;

/**
 * The cost of an expression on a whole value, with flags with which it compiles. Throws a `SyntaxError` where the cost
 * can grow exponentially (D31), where it cannot be judged, and where no match is as short as `maxLength`.
 */
export function expressionCost(source: string, flags: string): LengthBound {
  const part = parseExpression(source, flags);
  try {
    const cost = costOf(part, ({ max, longest }) => max > 1 && longest === Infinity);
    return cost.degree === 0 ? cost : costOf(part, isLong);
  } catch {
    // `.{0,600}.{0,600}` has too many ways. Read as `.*.*` it can be bounded by the length of the value.
    return costOf(part, (count) => isLong(count) || (count.max > 1 && count.max > count.min));
  }
}

type IsEndless = (count: Part) => boolean;

/** A search for `a{0,60000}b` takes 60,000 steps from each character: beside a repetition, a long count is one too. */
const isLong: IsEndless = ({ max, longest }) => max > 1 && longest > FREE_STEPS;

function costOf(part: Part, isEndless: IsEndless): LengthBound {
  const degree = degreeOf(part, isEndless);
  // Of `length^degree` ways one in `degree` factorial is possible: repetitions in a row end in their order.
  let factor = waysOf(part, 0n, isEndless, false);
  for (let number = 2; number <= degree; number++) factor /= number;
  const maxPower = MAX_COST / Math.max(1, factor);
  if (degree === 0 && maxPower > part.longest) return { degree, maxLength: Infinity };
  let maxLength = degree === 0 ? 0 : Math.ceil(maxPower ** (1 / degree));
  while (maxLength > 0 && maxLength ** degree >= maxPower) maxLength--;
  if (maxLength === 0) throw new SyntaxError('one text can be read in millions of ways');
  if (maxLength >= part.shortest) return { degree, maxLength };
  throw new SyntaxError(`it takes ${part.shortest} characters or more, and their cost grows as length^${degree}`);
}

/**
 * In how many ways one text can be read while no repetition starts or ends. `follow` are the characters that can follow
 * the part. Throws where a text can be read in two ways in a repetition.
 */
function waysOf(part: Part, follow: bigint, isEndless: IsEndless, isInside: boolean): number {
  const { kind, parts, min, max } = part;
  const [one] = parts as [Part];
  if (kind === 'atom') return 1;
  if (kind === 'lookaround') return waysOf(one, 0n, isEndless, false);
  if (kind === 'sequence') {
    let after = follow;
    return parts.reduceRight((ways, next) => {
      const own = waysOf(next, after, isEndless, isInside);
      after = beginOf(next, after);
      return ways * own;
    }, 1);
  }
  if (kind === 'choice') {
    const ways = parts.map((next) => waysOf(next, follow, isEndless, isInside));
    const alike = parts.map((next) => ways.filter((_, at) => parts[at] === next || areAlike(next, parts[at]!, follow)));
    if (isInside && alike.some((some) => some.length > 1))
      throw new SyntaxError(`in a repetition, two alternatives of "${part.text}" can begin alike`);
    return Math.max(...alike.map((some) => some.reduce((all, own) => all + own)));
  }
  const isRepetition = isEndless(part);
  if (one.shortest === 0 && (isRepetition || (isInside && max > 1)))
    throw new SyntaxError(`"${part.text}" repeats what can be empty`);
  const isAlike = (isRepetition || min < max) && (one.shortest === 0 || (one.first & follow) !== 0n);
  if (isInside && isAlike) throw new SyntaxError(`in a repetition, "${part.text}" can begin as what follows it`);
  const after = (max > 1 ? one.first : 0n) | (isInside || !isRepetition ? follow : 0n);
  const ways = waysOf(one, after, isEndless, isInside || isRepetition);
  return isRepetition ? ways * (isAlike ? 2 : 1) : ways ** max * (isAlike ? max - min + 1 : 1);
}

/** The characters that stand where a part begins. One that can be empty begins as what follows. */
const beginOf = ({ shortest, first }: Part, follow: bigint): bigint => (shortest === 0 ? first | follow : first);
const areAlike = (one: Part, other: Part, follow: bigint): boolean =>
  (beginOf(one, follow) & beginOf(other, follow)) !== 0n || one.shortest + other.shortest === 0;

/** The repetitions that a later one may be linked to: the links up to each, by its characters, and the most so far. */
interface Links {
  readonly open: ReadonlyMap<bigint, number>;
  readonly most: number;
}

/** One more than the most links in a row, or 0 without a repetition. */
function degreeOf(whole: Part, isEndless: IsEndless): number {
  let degree = 0;
  const linksAfter = (part: Part, before: Links): Links => {
    const { kind, parts, min } = part;
    const characters = charactersIn(part);
    const shared = new Map([...before.open].filter(([set]) => (set & characters) !== 0n));
    if (kind === 'atom') return { ...before, open: shared };
    if (kind === 'sequence') return parts.reduce((links, one) => linksAfter(one, links), before);
    if (kind === 'choice') return parts.map((one) => linksAfter(one, before)).reduce(joined);
    if (kind === 'lookaround') return joined(before, { ...linksAfter(parts[0]!, before), open: new Map() });
    if (!isEndless(part))
      return min === 0 ? joined(before, linksAfter(parts[0]!, before)) : linksAfter(parts[0]!, before);
    const most = Math.max(before.most, ...Array.from(shared.values(), (count) => count + 1));
    degree = Math.max(degree, most + 1);
    const links = { open: new Map([...shared, [characters, most]]), most };
    for (const lookaround of lookaroundsIn(parts[0]!)) linksAfter(lookaround, links);
    return min === 0 ? joined(before, links) : links;
  };
  linksAfter(whole, { open: new Map(), most: 0 });
  return degree;
}

function joined(one: Links, other: Links): Links {
  const open = new Map(one.open);
  for (const [set, links] of other.open) open.set(set, Math.max(links, open.get(set) ?? 0));
  return { open, most: Math.max(one.most, other.most) };
}

const charactersIn = ({ kind, parts, first }: Part): bigint =>
  kind === 'lookaround' ? 0n : parts.reduce((set, part) => set | charactersIn(part), first);
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
  readonly shortest: number;
  readonly longest: number;
}

function partOf(kind: Part['kind'], parts: readonly Part[], min = 1, max = 1): Part {
  const isChoice = kind === 'choice';
  const sum = (lengths: readonly number[]): number => lengths.reduce((all, one) => all + one, 0);
  const least = parts.map((part) => part.shortest);
  const most = parts.map((part) => part.longest);
  const first = parts.reduceRight((set, part) => (isChoice ? part.first | set : beginOf(part, set)), 0n);
  const shortest = isChoice ? Math.min(...least) : min * sum(least);
  // An empty part has no length however often it is repeated.
  const longest = isChoice ? Math.max(...most) : max * sum(most) || 0;
  return { kind, parts, min, max, first, shortest, longest };
}

const EMPTY = partOf('sequence', []);
const SINGLE = [...Array(128).keys(), 0x17f, 0x212a].map((point) => String.fromCharCode(point));
/** What names no character beyond these by its number or property takes one of these if it takes any. */
const OTHERS = Array.from({ length: 0x81 }, (_, at) => String.fromCharCode(at + 0x80)).join('');

function atomOf(text: string, flags: string): Part {
  const [any, whole] = [text, `^(?:${text})$`].map((one) => new RegExp(one, flags.replace(/[dgmy]/g, '')));
  const takesOther = /\\[up]|[^\0-\x7f]/i.test(text) || any!.test(OTHERS);
  const taken = [takesOther, ...SINGLE.map((character) => whole!.test(character))];
  return { ...EMPTY, kind: 'atom', first: BigInt(`0b${taken.map(Number).join('')}`), shortest: 1, longest: 1 };
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
