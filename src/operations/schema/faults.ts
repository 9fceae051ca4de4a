/** Describes wrong values. The words are the same for a value that is read and for a value that is written. */
import type { Violation } from '../../core/http/problem.ts';
import { article } from '../../core/options/assert-options.ts';
import { pointerTo } from './names.ts';
import { definitionName, joinedObject, type Keywords, type Schema } from './schema.ts';

/** What is wrong with a value: a text, the keyword that refuses the value, and the value of the keyword. */
export type Flaw = Pick<Violation, 'detail' | 'keyword' | 'limit'>;

export class Fault {
  readonly flaw: Flaw;
  /** The names and indexes that lead to the part. */
  readonly #path: (string | number)[];

  constructor(flaw: Flaw, path: readonly (string | number)[] = []) {
    this.flaw = flaw;
    this.#path = [...path];
  }

  get pointer(): string {
    return pointerTo(this.#path);
  }

  /** Adds the name or the index of the part that has the fault, on the way back to the value. */
  in(member: string | number): this {
    this.#path.unshift(member);
    return this;
  }
}

/** Returns the flaw of a value that the keyword refuses. */
export const expected = (keyword: string, limit: unknown, words: string): Flaw => ({
  detail: `Expected ${words}`,
  keyword,
  limit,
});

export const MISSING: Flaw = { detail: 'This member is required', keyword: 'required' };
export const NOT_ALLOWED: Flaw = { detail: 'This member is not allowed here', keyword: 'additionalProperties' };

export function wrongType(schema: Schema, value: unknown): Flaw {
  const words = `${typeText(schema)}, not ${valueText(schema, value)}`;
  const isTooLarge = schema.format === 'int32' && Number.isInteger(value);
  return isTooLarge ? expected('format', 'int32', words) : expected('type', schema.type, words);
}

/** Returns the type in words: `a string or null`. */
export const typeText = ({ type, format, 'x-nullable': nullable }: Schema): string =>
  `${article(type ?? 'value')}${format === 'int32' ? ' of 32 bits' : ''}${nullable ? ' or null' : ''}`;

/**
 * Returns the type of a wrong value in words, such as `a string`. If a number is expected, returns a number's digits.
 */
export function valueText({ type }: Keywords, value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'number' || (type !== 'integer' && type !== 'number'))
    return article(Object.prototype.toString.call(value).slice(8, -1).toLowerCase());
  if (Math.abs(value) === Infinity) return 'one beyond the range of a double';
  return type === 'integer' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'one beyond 2^53' : String(value);
}

/** Returns the flaw of a value that is not among the allowed values. */
export function otherThan(allowed: Iterable<unknown>, keyword: 'const' | 'enum' = 'enum'): Flaw {
  const limit = [...allowed];
  const texts = limit.map((value) => JSON.stringify(value));
  const words = `${texts.length === 1 ? '' : 'one of '}${texts.join(', ')}`;
  return expected(keyword, keyword === 'const' ? limit[0] : limit, words);
}

/** Returns the schemas of `oneOf` in words: their names or types. */
export const choiceNames = ({ oneOf = [] }: Schema): readonly string[] =>
  oneOf.map((branch) => branch[definitionName] ?? branch.$ref ?? typeText(joinedObject(branch) ?? branch));
