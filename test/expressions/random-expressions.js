/**
 * Generates random expressions with many repetitions and few letters, so that parts overlap and many expressions are
 * expensive.
 *
 * The same seed gives the same expressions on every machine.
 */

/** Returns `count` different expressions with the flags that a constraint gives them (D22). */
export function randomExpressions(count, seed) {
  const random = randomNumbers(seed);
  const found = new Map();
  while (found.size < count) {
    const source = choice(random, 3, { groups: 0 });
    if (source.length > 60 || !/[*+?}].*[*+?}]/.test(source)) continue;
    const flags = ['iu', 'i'].find((flags) => compiles(source, flags));
    if (flags !== undefined) found.set(source, { source, flags });
  }
  return [...found.values()];
}

// An atom or quantifier that appears several times is chosen more often.
const ATOMS = [
  ...'a a a a b b b c ab aa'.split(' '),
  ...String.raw`. \d \w \s \W [ab] [^a] [a-c] [^\s] - _ , [-_] é [а-я] д \p{L} [\p{Lu}_] 1 [0-9a-f]`.split(' '),
];
const QUANTIFIERS = '* * + + ? ? *? +? ?? {2} {0,2} {1,3} {2,} {3} {1,5} {0,1}'.split(' ');

function choice(random, depth, state) {
  const parts = Array.from({ length: random() < 0.3 ? 2 + Math.floor(random() * 2) : 1 }, () =>
    sequence(random, depth, state),
  );
  return parts.join('|');
}

function sequence(random, depth, state) {
  if (random() < 0.03) return '';
  const length = 1 + Math.floor(random() * 3);
  return Array.from({ length }, () => repeated(random, depth, state)).join('');
}

function repeated(random, depth, state) {
  if (random() < 0.02) return pick(random, ['^', '$', '\\b', '\\B']);
  if (state.groups > 0 && random() < 0.02) return `\\${1 + Math.floor(random() * state.groups)}`;
  if (depth > 0 && random() < 0.015)
    return `(?${pick(random, ['=', '!', '<=', '<!'])}${choice(random, depth - 1, state)})`;
  const part = depth > 0 && random() < 0.5 ? group(random, depth, state) : pick(random, ATOMS);
  return random() < 0.6 ? `${part}${pick(random, QUANTIFIERS)}` : part;
}

function group(random, depth, state) {
  const captures = random() < 0.3;
  if (captures) state.groups++;
  return `(${captures ? '' : '?:'}${choice(random, depth - 1, state)})`;
}

const pick = (random, list) => list[Math.floor(random() * list.length)];

function compiles(source, flags) {
  try {
    return new RegExp(source, flags) !== undefined;
  } catch {
    return false;
  }
}

/** Returns a generator of random numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
