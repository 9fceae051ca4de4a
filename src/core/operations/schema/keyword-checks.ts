/** Compiles the keywords of a schema that say more than its type to checks of one value. */
import { type Spending, spend } from '../../routing/constraints/expression-cost.ts';
import type { Schema } from './declaration/schema.ts';
import { FORMATS } from './keywords/format.ts';
import { isMultipleOf } from './keywords/multiple-of.ts';
import { patternOf } from './keywords/pattern.ts';
import { firstRepeated, type Tokens } from './keywords/unique-items.ts';

/** What the checks of one validation remember. */
export interface CheckState {
  /** That of the request. */
  readonly spending: Spending;
  tokens?: Tokens;
  /** Whether an object or an array matches a schema of a choice, with every member described and without. */
  described?: Judged;
  matching?: Judged;
}

type Judged = Map<object, Map<Schema, boolean>>;

/** Returns what the keyword asks for, to follow "Expected"; undefined for a value that has it. */
export type KeywordCheck = (value: unknown, state: CheckState) => string | undefined;

/**
 * The checks of a schema, in the order of the keywords here. They are called with a value of the type, and not with
 * null. Throws a `SyntaxError` for a `pattern` that does not compile or could take for ever.
 */
export function keywordChecks(schema: Schema): KeywordCheck[] {
  return [...valueChecks(schema), ...textChecks(schema), ...numberChecks(schema), ...arrayChecks(schema)];
}

/** Returns whether the checks of a scalar find nothing in it, and are so cheap that they need not be counted. */
export function passes(value: unknown, checks: readonly KeywordCheck[]): boolean {
  for (const check of checks) if (check(value, NOTHING) !== undefined) return false;
  return true;
}
const NOTHING: CheckState = Object.freeze({ spending: { spentSteps: Infinity } });

/** Returns everything that the checks find in a value. */
export function faultsOf(value: unknown, checks: readonly KeywordCheck[], state: CheckState): string[] {
  const faults: string[] = [];
  for (const check of checks) {
    const fault = check(value, state);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

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
    const length = codePointsIn(value as string);
    if (length < least) return `${least} or more characters, not ${length}`;
    return length > most ? `${most} or fewer characters, not ${length}` : undefined;
  };

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
  if (minItems !== undefined)
    checks.push((value) =>
      lengthOf(value) >= minItems ? undefined : `${minItems} or more items, not ${lengthOf(value)}`,
    );
  if (maxItems !== undefined)
    checks.push((value) =>
      lengthOf(value) <= maxItems ? undefined : `${maxItems} or fewer items, not ${lengthOf(value)}`,
    );
  if (uniqueItems === true)
    checks.push((value, state) => {
      if (lengthOf(value) > (maxItems ?? Infinity)) return undefined;
      const repeated = firstRepeated(value as readonly unknown[], (state.tokens ??= new Map()));
      return repeated === undefined ? undefined : `items that differ; item ${repeated} repeats an earlier one`;
    });
  return checks;
}
