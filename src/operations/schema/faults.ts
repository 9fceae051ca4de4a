/** Describes what is wrong with a value, in the same words for values that are read and values that are written. */
import { isObject } from '../../core/log/thrown-value.ts';
import { article } from '../../core/options/assert-options.ts';
import { setMember } from './compile.ts';
import { pointerTo } from './names.ts';
import { definitionName, joinedObject, type Keywords, type Schema } from './schema.ts';

export class Fault {
  readonly detail: string;
  /** The names and indexes that lead to the part, the innermost first. They are added on the way back to the value. */
  readonly #path: (string | number)[];

  constructor(detail: string, path: readonly (string | number)[] = []) {
    this.detail = detail;
    this.#path = [...path];
  }

  get pointer(): string {
    return pointerTo(this.#path.toReversed());
  }

  in(member: string | number): this {
    this.#path.push(member);
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

/** Returns the words for a value that is not one of these. */
export const otherThan = (allowed: Iterable<unknown>): string => {
  const texts = Array.from(allowed, (value) => JSON.stringify(value));
  return texts.length === 1 ? texts[0]! : `one of ${texts.join(', ')}`;
};

/** Returns the schemas of `oneOf` in words: their names or types. */
export const choiceNames = ({ oneOf = [] }: Schema): readonly string[] =>
  oneOf.map((branch) => branch[definitionName] ?? branch.$ref ?? typeText(joinedObject(branch) ?? branch));

/** Returns a copy of a value without a schema, or the fault if JSON would change it or it has more than `most` levels. */
export function freeValue(value: unknown, most: number, levels = most): unknown {
  const written = isSelfWriting(value) ? value.toJSON() : value;
  if (written === null || typeof written === 'string' || typeof written === 'boolean') return written;
  if (typeof written === 'number')
    return Number.isFinite(written) ? written : new Fault('Expected a value with numbers in the range of a double');
  if (!isObject(written)) return new Fault(`Expected a value of JSON, not ${valueText({}, written)}`);
  if (levels === 0) return new Fault(`Expected a value with at most ${most} objects and arrays inside one another`);
  const isList = Array.isArray(written);
  const copy = (isList ? [] : {}) as Record<string, unknown>;
  for (const [name, member] of Object.entries(isList ? Array.from(written) : written)) {
    // JSON leaves out such a member of an object, which is not an error.
    if (!isList && ['undefined', 'function', 'symbol'].includes(typeof member)) continue;
    const free = freeValue(member, most, levels - 1);
    if (free instanceof Fault) return free.in(name);
    setMember(copy, name, free);
  }
  return copy;
}

/** Returns whether the value has a `toJSON` method, as a `Date` does. */
export const isSelfWriting = (value: unknown): value is { toJSON(): unknown } =>
  typeof (value as { readonly toJSON?: unknown } | null | undefined)?.toJSON === 'function';
