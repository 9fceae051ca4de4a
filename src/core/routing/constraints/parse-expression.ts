/**
 * Parses a regular expression as far as its cost takes (`expression-cost.ts`). Which characters an atom takes is not
 * parsed: the engine is asked. `^` and `$` are atoms that take none, unless they match at every line.
 */

/** A part of an expression. */
export interface Part {
  readonly kind: 'atom' | 'sequence' | 'choice' | 'count' | 'lookaround';
  readonly parts: readonly Part[];
  /** Its source, for messages. */
  readonly text?: string;
  /** How often a count repeats its part. */
  readonly min: number;
  readonly max: number;
  /** The characters that it can begin with: a bit for each of ASCII, for `ſ` and for `K`, and one for all others. */
  readonly first: bigint;
  readonly shortest: number;
  readonly longest: number;
}

type Lengths = readonly [shortest: number, longest: number];

const partOf = (kind: Part['kind'], parts: readonly Part[], first: bigint, [shortest, longest]: Lengths): Part => ({
  ...{ kind, parts, first, shortest, longest, min: 1, max: 1 },
});

function sequenceOf(parts: readonly Part[]): Part {
  const first = parts.reduceRight((set, part) => (part.shortest === 0 ? part.first | set : part.first), 0n);
  const lengths = parts.reduce<Lengths>((all, part) => [all[0] + part.shortest, all[1] + part.longest], [0, 0]);
  return partOf('sequence', parts, first, lengths);
}

function choiceOf(parts: readonly Part[]): Part {
  const first = parts.reduce((set, part) => set | part.first, 0n);
  const lengths = [parts.map((part) => part.shortest), parts.map((part) => part.longest)] as const;
  return partOf('choice', parts, first, [Math.min(...lengths[0]), Math.max(...lengths[1])]);
}

const countOf = (part: Part, min: number, max: number): Part => ({
  ...partOf('count', [part], part.first, [part.shortest * min, part.longest * max || 0]),
  ...{ min, max },
});

const SINGLE = [...Array(128).keys(), 0x17f, 0x212a].map((point) => String.fromCharCode(point));
let others = ''; // made for the first expression: a program without any starts without it

function atomOf(text: string, flags: string): Part {
  const [any, whole] = [text, `^(?:${text})$`].map((one) => new RegExp(one, flags.replace(/[dgmy]/g, '')));
  others ||= Array.from({ length: 0xff80 }, (_, at) => String.fromCharCode(at + 0x80))
    .filter((unit) => !/[\ud800-\udfff\u017f\u212a]/.test(unit))
    .join('');
  // What names characters by number or property may take some beyond those that are asked about.
  const takesOther = /\\[up]|[^\0-\x7f]/i.test(text) || any!.test(others);
  const taken = [takesOther, ...SINGLE.map((character) => whole!.test(character))];
  const first = BigInt(`0b${taken.map(Number).join('')}`);
  return partOf('atom', [], first, [1, 1]);
}

const COUNTS: Readonly<Record<string, string>> = { '*': '{0,}', '+': '{1,}', '?': '{0,1}' };
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
const OPENING = /\((?:\?(?:<?[=!]|<[^>]*>|:))?/y;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
const UNICODE_CHARACTER = /\\(?:[pPu]\{[^}]*\}|u(?:[dD][89abAB]..\\u[dD][c-fC-F]..|[\da-fA-F]{4})|x..|c.|[^])|[^]/uy;
// `\c` without a letter is a backslash before a `c`. `\1` without a group is an octal number. `\X41` begins with `X`.
const CHARACTER = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[0-3][0-7]{0,2}|[4-7][0-7]?|(?=c)|[^])|[^]/y;

/** The parts of an expression that compiles with these flags. Throws a `SyntaxError` for flags not known here. */
export function parseExpression(source: string, flags: string): Part {
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
    return parts.length === 1 ? parts[0]! : { ...choiceOf(parts), text: source.slice(start, at) };
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && !/[|)]/.test(source[at]!)) {
      const start = at;
      const part = term();
      const quantifier = take(QUANTIFIER);
      take(/\?/y);
      const [min, max = min] = (COUNTS[quantifier!] ?? quantifier ?? '').slice(1, -1).split(',');
      const counted = quantifier === undefined ? part : countOf(part, Number(min), max === '' ? Infinity : Number(max));
      parts.push({ ...counted, text: source.slice(start, at) });
    }
    // A lookbehind is read from right to left.
    return sequenceOf(isBackward ? parts.toReversed() : parts);
  }

  function term(): Part {
    const opening = take(OPENING);
    if (opening === undefined) return assertion() ?? character();
    const outer = isBackward;
    const isLookaround = /[=!]$/.test(opening);
    if (isLookaround) isBackward = opening.includes('<');
    const part = choice();
    isBackward = outer;
    at++;
    return isLookaround ? partOf('lookaround', [part], 0n, [0, 0]) : part;
  }

  function assertion(): Part | undefined {
    const mark = take(/[\^$]|\\[bB]/y);
    if (mark === undefined) return undefined;
    return mark.length > 1 || flags.includes('m') ? sequenceOf([]) : partOf('atom', [], 0n, [0, 0]);
  }

  /** A character, a class, or a reference to a group, which may take anything here. */
  function character(): Part {
    const text = take(CLASS) ?? take(isUnicode ? UNICODE_CHARACTER : CHARACTER)!;
    const isNamed = text === '\\k' && found.groups !== undefined;
    const isNumbered = /^\\[1-9]/.test(text) && (isUnicode || found.length > 1);
    if (!isNamed && !isNumbered) return atomOf(text === '\\' ? '\\\\' : text, flags);
    take(isNamed ? /<[^>]*>/y : /\d*/y);
    return countOf(atomOf('[^]', flags), 0, Infinity);
  }

  if (flags.includes('v') || /\(\?[a-z-]+:/.test(source))
    throw new SyntaxError('the flag "v" and flags inside of an expression cannot be judged');
  return choice();
}
