/**
 * Which characters does each atom of an expression take? The engine decides: it is asked about one character of every kind.
 *
 * Characters are of one kind as long as no atom can tell them apart. Where kinds begin is known from the expression itself: at each of
 * its characters and behind it, at the ends of `\s`, `\w` and of the Unicode properties it names, and with the flag `i` at every
 * character that has a case. So the answer is exact for all 1,114,112 characters, from a few hundred questions.
 */

/** The kinds of characters of an expression as bits, and the sets of its atoms. */
export class CharacterSets {
  /** Neither a character before nor behind: the bit for the edge of the value. */
  readonly edge = 1n;
  /** Every character, and the edge. */
  readonly all: bigint;
  readonly #sets = new Map<string, bigint>();

  /** `texts` are the atoms of an expression with this source and these flags. */
  constructor(texts: readonly string[], source: string, flags: string) {
    const points = kindStarts(source, texts, flags),
      kinds = new Map<string, bigint>();
    const patterns = Array.from(
      new Set(texts),
      (text) => [text, new RegExp(`^(?:${text})$`, flags.replace(/[dgmy]/g, ''))] as const,
    );
    for (const [text] of patterns) this.#sets.set(text, 0n);
    let all = this.edge;
    for (const point of points) {
      const character = String.fromCodePoint(point),
        taken = patterns.filter(([, pattern]) => pattern.test(character));
      const key = taken.map(([text]) => text).join('\0');
      if (kinds.has(key)) continue;
      const bit = 1n << BigInt(kinds.size + 1);
      kinds.set(key, bit);
      all |= bit;
      for (const [text] of taken) this.#sets.set(text, this.#sets.get(text)! | bit);
    }
    this.all = all;
  }

  /** The set of an atom. */
  of(text: string): bigint {
    return this.#sets.get(text)!;
  }
}

/** The first characters of every run of characters that no atom of the expression tells apart. */
function kindStarts(source: string, texts: readonly string[], flags: string): Iterable<number> {
  const unicode = /[uv]/.test(flags),
    starts = new Set<number>();
  for (let ascii = 0; ascii <= 0x80; ascii++) starts.add(ascii);
  const properties = unicode ? (texts.join('').match(/\\p\{[^}]*\}/gi) ?? []) : [],
    written = charactersOf(source);
  for (const text of ['\\s', '\\w', ...properties]) for (const start of runStarts(text, flags)) starts.add(start);
  for (const point of written) starts.add(point).add(point + 1);
  if (flags.includes('i') && (properties.length > 0 || written.length > 0))
    for (const point of casedCharacters()) starts.add(point);
  if (unicode) return [...starts, 0xd800, 0xdc00, 0xe000].filter((point) => point <= 0x10ffff);
  return [...starts].filter((point) => point <= 0xffff);
}

/** The characters beyond ASCII that are written in the source, in any way of writing; without `u` its code units too. */
function charactersOf(source: string): number[] {
  const points: number[] = [];
  const ways = /\\u\{([\da-f]+)\}|\\[ux]([\da-f]{2,4})|\\([0-3]?[0-7]{1,2})|[^\0-\x7f]/giu;
  for (const [text, braced, digits, octal] of source.matchAll(ways)) {
    if (braced !== undefined) points.push(parseInt(braced, 16));
    else if (digits !== undefined) points.push(parseInt(digits, 16), parseInt(digits.slice(0, 2), 16));
    else if (octal !== undefined) points.push(parseInt(octal, 8));
    else points.push(text.codePointAt(0)!, ...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
  }
  for (const [pair] of source.matchAll(/\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi))
    points.push(JSON.parse(`"${pair}"`).codePointAt(0));
  return points.filter((point) => point > 0x7f);
}

const RUNS = new Map<string, readonly number[]>();

/** Where the runs of characters that an atom takes begin and where they have ended. Kept: for a property it takes up to 0.1 s. */
function runStarts(text: string, flags: string): readonly number[] {
  const own = `${flags.replace(/[^iuv]/g, '')}g`,
    key = `${text}/${own}`;
  let starts = RUNS.get(key);
  if (starts !== undefined) return starts;
  const found: number[] = [],
    pattern = new RegExp(`(?:${text})+`, own);
  const last = /^\\[sw]$/.test(text) ? 0xffff : 0x10ffff; // `\s` and `\w` hold nothing beyond
  for (let first = 0; first <= last; first += BLOCK) {
    if (first >= 0xd800 && first <= 0xdfff) continue; // the surrogates are all of one kind to every property
    const block = charactersFrom(first),
      width = block.length / BLOCK;
    pattern.lastIndex = 0;
    for (let run = pattern.exec(block); run !== null; run = pattern.exec(block))
      found.push(first + run.index / width, first + pattern.lastIndex / width);
  }
  RUNS.set(key, (starts = found));
  return starts;
}

const BLOCK = 0x800;

/** A text of `BLOCK` characters, none of them a surrogate. */
function charactersFrom(first: number): string {
  if (first <= 0xffff)
    return Buffer.from(Uint16Array.from({ length: BLOCK }, (_, at) => first + at).buffer).toString('utf16le');
  const units = new Uint16Array(2 * BLOCK);
  for (let at = 0; at < BLOCK; at++) {
    units[2 * at] = 0xd7c0 + ((first + at) >> 10);
    units[2 * at + 1] = 0xdc00 + ((first + at) & 0x3ff);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

let cased: readonly number[] | undefined;

/** Every character that has another case, and the one behind each. */
function casedCharacters(): readonly number[] {
  if (cased !== undefined) return cased;
  const ends = runStarts('[\\p{Changes_When_Casemapped}\\p{Changes_When_Casefolded}]', 'u'),
    points: number[] = [];
  for (let at = 0; at < ends.length; at += 2)
    for (let point = ends[at]!; point <= ends[at + 1]!; point++) points.push(point);
  return (cased = points);
}
