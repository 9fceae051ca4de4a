/**
 * Determines which characters each atom takes, by asking the engine about one character of every equivalence class.
 *
 * Characters are equivalent where no atom tells them apart. A class can only begin at a character of the expression or
 * right after it, at an end of `\s`, `\w` or a Unicode property that it names, and with the flag `i` at a character
 * that has a case. So a few hundred questions give the exact answer for all 1,114,112 characters.
 */

/** The character sets of the atoms of an expression, with one bit for each equivalence class. */
export class CharacterSets {
  /** The bit for the start or the end of the value, where there is no character. */
  readonly edge = 1n;
  /** Every character, and the edge. */
  readonly all: bigint;
  readonly #sets = new Map<string, bigint>();

  /** Takes the texts of the atoms of an expression with this source and these flags. */
  constructor(texts: readonly string[], source: string, flags: string) {
    const atomFlags = flags.replace(/[dgmy]/g, '');
    const atoms = Array.from(new Set(texts), (text) => ({ text, pattern: new RegExp(`^(?:${text})$`, atomFlags) }));
    const classes = new Set<string>();
    for (const point of classStarts(source, texts, flags)) {
      const character = String.fromCodePoint(point);
      const takers = atoms.filter(({ pattern }) => pattern.test(character)).map(({ text }) => text);
      const key = takers.join('\0');
      if (classes.has(key)) continue;
      classes.add(key);
      const bit = 1n << BigInt(classes.size);
      for (const text of takers) this.#sets.set(text, this.of(text) | bit);
    }
    this.all = (2n << BigInt(classes.size)) - 1n;
  }

  /** The set of an atom. */
  of(text: string): bigint {
    return this.#sets.get(text) ?? 0n;
  }
}

/** The characters at which an equivalence class can begin. */
function classStarts(source: string, texts: readonly string[], flags: string): Iterable<number> {
  const isUnicode = /[uv]/.test(flags);
  const properties = isUnicode ? (texts.join('').match(/\\p\{[^}]*\}/gi) ?? []) : [];
  const written = charactersIn(source);
  const starts = new Set(Array.from({ length: 0x81 }, (_, point) => point));
  for (const text of ['\\s', '\\w', ...properties]) for (const point of runEnds(text, flags)) starts.add(point);
  for (const point of written) starts.add(point).add(point + 1);
  if (flags.includes('i') && (properties.length > 0 || written.length > 0))
    for (const point of casedCharacters()) starts.add(point);
  if (isUnicode) return [...starts, 0xd800, 0xdc00, 0xe000].filter((point) => point <= 0x10ffff);
  return [...starts].filter((point) => point <= 0xffff);
}

/** A character in any notation. */
const CHARACTER = /\\u\{([\da-f]+)\}|\\[ux]([\da-f]{2,4})|\\([0-3]?[0-7]{1,2})|[^\0-\x7f]/giu;
const ESCAPED_PAIR = /\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi;

/** The characters beyond ASCII of the source, in any notation. Of an unescaped one, the code units too. */
function charactersIn(source: string): number[] {
  const points: number[] = [];
  for (const [text, braced, digits, octal] of source.matchAll(CHARACTER)) {
    if (braced !== undefined) points.push(parseInt(braced, 16));
    else if (digits !== undefined) points.push(parseInt(digits, 16), parseInt(digits.slice(0, 2), 16));
    else if (octal !== undefined) points.push(parseInt(octal, 8));
    else points.push(text.codePointAt(0)!, ...text.split('').map((unit) => unit.charCodeAt(0)));
  }
  for (const [pair] of source.matchAll(ESCAPED_PAIR)) points.push(JSON.parse(`"${pair}"`).codePointAt(0));
  return points.filter((point) => point > 0x7f);
}

// The results are kept, because a property takes up to 0.1 s.
const RUN_ENDS = new Map<string, readonly number[]>();
const BLOCK = 0x800;

/** The first character of each run of characters that an atom takes, and the one after the run, in turn. */
function runEnds(text: string, flags: string): readonly number[] {
  const pattern = new RegExp(`(?:${text})+`, `${flags.replace(/[^iuv]/g, '')}g`);
  const known = RUN_ENDS.get(String(pattern));
  if (known !== undefined) return known;
  const ends: number[] = [];
  const last = /^\\[sw]$/.test(text) ? 0xffff : 0x10ffff; // `\s` and `\w` take no character beyond
  for (let first = 0; first <= last; first += BLOCK) {
    if (first >= 0xd800 && first <= 0xdfff) continue; // no property tells surrogates apart
    const block = blockFrom(first);
    const width = block.length / BLOCK;
    for (const run of block.matchAll(pattern))
      ends.push(first + run.index / width, first + (run.index + run[0].length) / width);
  }
  RUN_ENDS.set(String(pattern), ends);
  return ends;
}

/** A text of `BLOCK` characters. */
function blockFrom(first: number): string {
  let text = '';
  for (let point = first; point < first + BLOCK; point++) text += String.fromCodePoint(point);
  return text;
}

/** Every character that has another case, and the one after it. */
function* casedCharacters(): Iterable<number> {
  const ends = runEnds('[\\p{Changes_When_Casemapped}\\p{Changes_When_Casefolded}]', 'u');
  for (let at = 0; at < ends.length; at += 2) for (let point = ends[at]!; point <= ends[at + 1]!; point++) yield point;
}
