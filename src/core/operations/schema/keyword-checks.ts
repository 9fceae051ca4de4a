/** Compiles the type of a schema, and the keywords that say more than it, to checks of one value. */
import { createHash } from 'node:crypto';
import { article } from '../../options/assert-options.ts';
import {
  type ExpressionCost,
  expressionCost,
  isFree,
  type Spending,
  spend,
} from '../../routing/constraints/expression-cost.ts';
import { FORMATS } from './formats.ts';
import type { Schema } from './schema.ts';

/** The check of each type. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  int32: (value) => value === ((value as number) | 0),
  integer: Number.isInteger,
  number: Number.isFinite,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
};

/**
 * Returns the check whether a value has the type of the schema. Null has none. Members and elements are not checked. A
 * number beyond the range of a double, such as `1e999`, is a wrong type; so is `1.5` for an integer.
 */
export const typeCheck = ({ type, format }: Schema): ((value: unknown) => boolean) =>
  TYPES[type === 'integer' && format === 'int32' ? 'int32' : type!] ?? (() => false);

/** Returns the type in words: `a string or null`. */
export const typeText = ({ type, format, 'x-nullable': nullable }: Schema): string =>
  `${article(type ?? 'value')}${format === 'int32' ? ' of 32 bits' : ''}${nullable ? ' or null' : ''}`;

/** Returns a value of a wrong type in words: `a string`. Where the schema expects a number, a number is in digits. */
export function valueText({ type }: Schema, value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'number' || (type !== 'integer' && type !== 'number'))
    return article(Array.isArray(value) ? 'array' : typeof value);
  return Number.isFinite(value) ? String(value) : 'one beyond the range of a double';
}

/** What the checks of one value remember. */
export interface KeywordState {
  /** That of the request. */
  readonly spending: Spending;
  tokens?: Tokens;
}

/** Returns what the keyword asks for, to follow "Expected"; undefined for a value that has it. */
export type KeywordCheck = (value: unknown, state: KeywordState) => string | undefined;

/**
 * The checks of a schema, in the order of the keywords here. They are called with a value of the type, and not with
 * null. Throws a `SyntaxError` for a `pattern` that does not compile or could take for ever.
 */
export function keywordChecks(schema: Schema): readonly KeywordCheck[] {
  let checks = compiled.get(schema);
  if (checks === undefined) {
    checks = [...valueChecks(schema), ...textChecks(schema), ...numberChecks(schema), ...arrayChecks(schema)];
    compiled.set(schema, checks);
  }
  return checks;
}

/** To judge the cost of a `pattern` takes longer than to use it. */
const compiled = new WeakMap<Schema, readonly KeywordCheck[]>();

/** Returns whether the checks of a scalar find nothing in it, and are so cheap that they need not be counted. */
export function passes(value: unknown, checks: readonly KeywordCheck[]): boolean {
  for (const check of checks) if (check(value, NOTHING) !== undefined) return false;
  return true;
}
const NOTHING: KeywordState = Object.freeze({ spending: { spentSteps: Infinity } });

function valueChecks({ type, format, const: only, enum: values }: Schema): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  const allowed = only === undefined ? values : [only];
  if (allowed !== undefined) {
    const set = new Set<unknown>(allowed);
    const text = allowed.map((one) => JSON.stringify(one)).join(', ');
    checks.push((value) => (set.has(value) ? undefined : allowed.length === 1 ? text : `one of ${text}`));
  }
  // The type of an integer of 32 bits includes its format.
  const isFormat = type === undefined || format === 'int32' ? undefined : FORMATS[type]?.[format ?? ''];
  if (isFormat !== undefined) checks.push((value) => (isFormat(value) ? undefined : `the format ${format}`));
  return checks;
}

/** A text that is too long is not searched. */
function textChecks({ minLength, maxLength, pattern }: Schema): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  if (minLength !== undefined || maxLength !== undefined) checks.push(lengthCheck(minLength, maxLength));
  if (pattern !== undefined) {
    const found = patternOf(pattern);
    const isTooLong = lengthCheck(0, maxLength);
    checks.push((value, state) => {
      const { length } = value as string;
      if (isTooLong(value, state) !== undefined) return undefined;
      if (length > found.maxLength) return `at most ${found.maxLength} characters, for the pattern ${pattern}`;
      if (!spend(found, length, state.spending))
        return `shorter texts: together, their patterns take more than ten million steps`;
      return found.expression.test(value as string) ? undefined : `the pattern ${pattern}`;
    });
  }
  return checks;
}

/** The check of a length in code points. A text has at least half as many as UTF-16 code units, and no more. */
const lengthCheck =
  (least = 0, most = Infinity): KeywordCheck =>
  (value) => {
    const units = (value as string).length;
    if (units >= 2 * least && units <= most) return undefined;
    return countFault(codePointsIn(value as string), 'characters', least, most);
  };

function countFault(count: number, what: string, least = 0, most = Infinity): string | undefined {
  if (count < least) return `${least} or more ${what}, not ${count}`;
  return count > most ? `${most} or fewer ${what}, not ${count}` : undefined;
}

function codePointsIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function numberChecks(schema: Schema): KeywordCheck[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const checks: KeywordCheck[] = [];
  const add = (fits: (value: number) => boolean, words: string): void => {
    checks.push((value) => (fits(value as number) ? undefined : words));
  };
  if (minimum !== undefined) add((value) => value >= minimum, `at least ${minimum}`);
  if (maximum !== undefined) add((value) => value <= maximum, `at most ${maximum}`);
  if (exclusiveMinimum !== undefined) add((value) => value > exclusiveMinimum, `more than ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined) add((value) => value < exclusiveMaximum, `less than ${exclusiveMaximum}`);
  if (multipleOf !== undefined) add((value) => isMultipleOf(value, multipleOf), `a multiple of ${multipleOf}`);
  return checks;
}

function arrayChecks({ minItems, maxItems, uniqueItems }: Schema): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  const lengthOf = (value: unknown): number => (value as readonly unknown[]).length;
  if (minItems !== undefined || maxItems !== undefined)
    checks.push((value) => countFault(lengthOf(value), 'items', minItems, maxItems));
  if (uniqueItems === true)
    checks.push((value, state) => {
      if (lengthOf(value) > (maxItems ?? Infinity)) return undefined;
      const repeated = firstRepeated(value as readonly unknown[], (state.tokens ??= new Map()));
      return repeated === undefined ? undefined : `items that differ; item ${repeated} repeats an earlier one`;
    });
  return checks;
}

/**
 * An expression that was found safe, and what it costs to search a text for it (D37): its `maxLength` is `Infinity`
 * where that grows no faster than the text.
 */
export interface Pattern extends ExpressionCost {
  readonly expression: RegExp;
}

/**
 * Compiles an expression. Throws a `SyntaxError` if it does not compile with the flag `u`, or if its time can grow
 * exponentially (D31).
 */
export function patternOf(source: string): Pattern {
  const expression = new RegExp(source, 'u');
  // A search begins at every character, as if anything could stand in front.
  const cost = expressionCost(`[^]*?(?:${source})`, 'u');
  return { expression, degree: cost.degree, maxLength: isFree(cost) ? Infinity : cost.maxLength };
}

/** Returns whether a finite number is a multiple of `factor`, each read as the shortest decimal that gives it. */
export function isMultipleOf(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const [digits, exponent] = decimalOf(value);
  const [factorDigits, factorExponent] = decimalOf(factor);
  const least = Math.min(exponent, factorExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (factorDigits * 10n ** BigInt(factorExponent - least)) === 0n;
}

/** The digits and the power of ten of a number: 1.5 is 15 and -1. */
function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** The tokens of the arrays and objects that were compared before: arrays in arrays are compared at every level. */
export type Tokens = Map<object, string | undefined>;

/** Returns the index of the first item that equals an earlier one, or undefined. Order of members does not count. */
export function firstRepeated(items: readonly unknown[], tokens: Tokens): number | undefined {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const token = tokenOf(item, tokens);
    if (seen.has(token)) return index;
    seen.add(token);
  }
  return undefined;
}

/**
 * A text that two values share exactly if they are equal: the JSON text with its members sorted by name. A long one is
 * replaced by its digest, so that each level of a value costs its own members alone.
 */
function tokenOf(root: unknown, tokens: Tokens): string {
  if (!isObject(root)) return scalarToken(root);
  const pending = [root];
  // Not recursive: the stack of the engine has an end.
  for (let value = pending.at(-1); value !== undefined; value = pending.at(-1)) {
    if (tokens.has(value)) {
      pending.pop();
      if (tokens.get(value) === undefined) tokens.set(value, shortened(composed(value, tokens)));
      continue;
    }
    tokens.set(value, undefined);
    for (const part of Object.values(value)) if (isObject(part) && !tokens.has(part)) pending.push(part);
  }
  return tokens.get(root)!;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const scalarToken = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

function composed(value: object, tokens: Tokens): string {
  const partToken = (part: unknown): string => (isObject(part) ? (tokens.get(part) ?? '…') : scalarToken(part));
  if (Array.isArray(value)) return `[${value.map(partToken).join()}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${partToken(member)}`).join()}}`;
}

const LONGEST = 64;
/** No JSON text begins with the sign of a digest. */
const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `#${createHash('sha256').update(text).digest('base64')}`;
