/**
 * D31, D37 – real and random expressions agree with an independent checker, whose answers test/expressions records.
 *
 * The proofs of its automaton are binding: an exponential expression is rejected, a polynomial expression has at least
 * the degree of the checker. The results of its fuzzing are measured with its attack: `growth` is the exponent, 0 if
 * 8,192 characters take less than 30 ms. Every attack on an allowed expression is run at the allowed length. Of the
 * real expressions that the checker calls harmless in a route or body, at most 5 of 100 are rejected. Each exception is
 * listed here with its reason.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { degreeOf } from '../../../../src/core/routing/constraints/expression-cost.ts';
import { MAX_SEGMENT } from '../../../../src/core/wire/connection/limits.ts';

/** Prefixes, each with a text that is repeated after the prefix, and a suffix. */
type Attack = readonly [pumps: readonly (readonly [prefix: string, pump: string])[], suffix: string];
type Line = readonly [
  source: string,
  flags: string,
  cost: 'linear' | 'polynomial' | 'exponential' | 'unknown',
  degree: number,
  found: 'automaton' | 'fuzz' | '',
  attack?: Attack,
  growth?: number,
];
interface Case {
  readonly line: Line;
  /** The degree, or the reason why the expression is rejected. */
  readonly result: number | string;
}

const linesOf = (kind: 'real' | 'random'): readonly Line[] =>
  readFileSync(new URL(`../../../expressions/${kind}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const NOT_WORD =
  'with iu, \\W matches "k" and "s" for the checker, as in ECMAScript 2015; since 2017, and in this engine, it does not';
/** Expressions that the checker overestimates, with the reason. */
const CHECKER_IS_WRONG: ReadonlyMap<string, string> = new Map([
  [String.raw`(\w{3}(?:\W)*){3}`, NOT_WORD],
  [String.raw`([0-9a-f]?[^\s][ab]?)?(?:\w\W*){1,5}`, NOT_WORD],
]);

/** The error of a measured exponent, and the minimum exponent of exponential growth. */
const INEXACT = 0.7;
const EXPONENTIAL = 8;
/** The maximum number of characters of a body. */
const MAX_BODY = 2 ** 20;
const seen = new Set<string>();

for (const kind of ['real', 'random'] as const) {
  const cases = linesOf(kind).map((line): Case => ({ line, result: degreeOrFault(line) }));
  const unexpected = (differing: readonly Case[]): readonly string[] =>
    differing
      .filter(({ line: [source] }) => {
        seen.add(source);
        return !CHECKER_IS_WRONG.has(source);
      })
      .map(shown);

  test(`D31 – ${kind} expressions that are exponential → rejected`, (t) => {
    const exponential = cases.filter(
      ({ line: [, , cost, , found, , growth] }) =>
        cost === 'exponential' && (found === 'automaton' || growth! >= EXPONENTIAL),
    );
    t.diagnostic(`${exponential.length} of ${cases.length}`);
    assert.ok(cases.length >= 2_000 && exponential.length >= 10);
    assert.deepEqual(unexpected(exponential.filter(({ result }) => typeof result !== 'string')), []);
  });

  test(`D37 – ${kind} expressions of polynomial cost → at least the proved or measured degree`, (t) => {
    const polynomial = cases.filter(
      ({ line: [, , cost, , , , growth] }) => cost === 'polynomial' || growth !== undefined,
    );
    const least = ({ line: [, , , degree, found, , growth] }: Case): number =>
      found === 'automaton' ? degree : Math.min(growth! - INEXACT, EXPONENTIAL);
    t.diagnostic(`${polynomial.length} of ${cases.length}`);
    assert.ok(polynomial.length >= 50);
    assert.deepEqual(
      unexpected(polynomial.filter((one) => typeof one.result !== 'string' && one.result < least(one))),
      [],
    );
  });

  test(`D37 – ${kind} expressions that are allowed → an attack of the allowed length ends`, (t) => {
    const attacks = cases.flatMap(({ line: [source, flags, , , , attack], result }) => {
      if (attack === undefined || typeof result === 'string' || result > 2) return [];
      const value = attackOf(attack, result === 2 ? MAX_SEGMENT : MAX_BODY);
      return [[flags.includes('m') ? `(?<![^])(?:${source})(?![^])` : `^(?:${source})$`, flags, value]];
    });
    t.diagnostic(`${attacks.length} attacks`);
    // In a separate process, because a running expression cannot be interrupted.
    const script = `const attacks = JSON.parse(require('fs').readFileSync(0, 'utf8'));
      for (const [source, flags, value] of attacks) new RegExp(source, flags).test(value);
      console.log(attacks.length);`;
    const { stdout } = spawnSync(process.execPath, ['-e', script], {
      input: JSON.stringify(attacks),
      encoding: 'utf8',
      timeout: 120_000,
    });
    assert.equal(stdout.trim(), String(attacks.length));
  });

  // Most random expressions are exponential, but the checker has found no attack.
  if (kind === 'random') continue;
  for (const [place, most] of [
    ['a route', 2],
    ['a body', 1],
  ] as const)
    test(`D31 – real expressions that are harmless in ${place} → at most 5 of 100 are rejected`, (t) => {
      const harmless = cases.filter(
        ({ line: [, , cost, degree] }) => cost === 'linear' || (cost === 'polynomial' && degree <= most),
      );
      const rejected = harmless.filter(({ result }) => typeof result === 'string' || result > most);
      t.diagnostic(`${rejected.length} of ${harmless.length} are rejected`);
      assert.ok(harmless.length >= 2_000 && rejected.length <= harmless.length * 0.05);
    });
}

test('D31 – every listed exception → is still needed', () => {
  assert.deepEqual(
    [...CHECKER_IS_WRONG.keys()].filter((source) => !seen.has(source)),
    [],
  );
  assert.ok(!/^\W$/iu.test('k'), NOT_WORD);
});

function degreeOrFault([source, flags]: Line): number | string {
  try {
    return degreeOf(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return `rejected: ${error.message}`;
    throw error;
  }
}

/** Returns the longest text of an attack up to this length, or the beginning of the shortest. */
function attackOf([pumps, suffix]: Attack, length: number): string {
  const text = (count: number): string => pumps.map(([prefix, pump]) => prefix + pump.repeat(count)).join('') + suffix;
  const { length: least } = text(0);
  return text(Math.max(0, Math.floor((length - least) / (text(1).length - least)))).slice(0, length);
}

const shown = ({ line: [source, flags, cost, degree, found, , growth], result }: Case): string =>
  `/${source}/${flags} – ${found}: ${cost} ${degree}, measured ${growth ?? 'never'}; ` + `here ${result}`;
