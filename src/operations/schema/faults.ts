/** Describes wrong values. The words are the same for a value that is read and for a value that is written. */
import { article } from '../../core/options/assert-options.ts';
import { pointerTo } from './names.ts';
import { definitionName, joinedObject, type Keywords, type Schema } from './schema.ts';

export class Fault {
  readonly detail: string;
  /** The names and indexes that lead to the part. */
  readonly #path: (string | number)[];

  constructor(detail: string, path: readonly (string | number)[] = []) {
    this.detail = detail;
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

export const MISSING = 'This member is required';
export const NOT_ALLOWED = 'This member is not allowed here';

export const wrongType = (schema: Schema, value: unknown): string =>
  `Expected ${typeText(schema)}, not ${valueText(schema, value)}`;

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

export const otherThan = (allowed: Iterable<unknown>): string => {
  const texts = Array.from(allowed, (value) => JSON.stringify(value));
  return texts.length === 1 ? texts[0]! : `one of ${texts.join(', ')}`;
};

/** Returns the schemas of `oneOf` in words: their names or types. */
export const choiceNames = ({ oneOf = [] }: Schema): readonly string[] =>
  oneOf.map((branch) => branch[definitionName] ?? branch.$ref ?? typeText(joinedObject(branch) ?? branch));
