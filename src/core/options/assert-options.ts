/**
 * Rejects unknown options. Options may come from JavaScript, where no compiler reports a misspelt name. An ignored name
 * is dangerous: if `root` is misspelt, a file could be read from the whole disk.
 */
import { isObject } from '../log/thrown-value.ts';
import { didYouMean } from './did-you-mean.ts';

/** Causes a compile-time error if `Known` lacks a name of `Options`, because this option would be rejected. */
type Complete<Options, Known extends readonly string[]> =
  Exclude<keyof Options, Known[number]> extends never ? unknown : `${Exclude<keyof Options, Known[number]> & string}`[];

/**
 * Throws a `TypeError` if `options` is not an object, or has a member that is not in `known`. The message begins with
 * "Cannot" and `attempt`, for example `serve`.
 */
export function assertOptions<Options extends object, const Known extends readonly (keyof Options & string)[]>(
  attempt: string,
  options: Options,
  known: Known & Complete<Options, Known>,
): void {
  if (!isObject(options) || Array.isArray(options)) {
    const isNothing = options === null || options === undefined;
    const kind = Array.isArray(options) ? 'a list' : isNothing ? 'nothing' : article(typeof options);
    const remedy = `give an object, { ${known.join(', ')} }, or some of them`;
    throw new TypeError(`Cannot ${attempt} with ${kind} as its options: ${remedy}`);
  }
  const unknown = unknownName(options, known);
  if (unknown === undefined) return;
  const remedy = nameRemedy(unknown, known);
  throw new TypeError(`Cannot ${attempt} with the option ${quoted(unknown)}: it is unknown; ${remedy}`);
}

/** Returns the remedy for an unknown name: the known name that was probably meant, and all known names. */
export function nameRemedy(unknown: string, known: readonly string[]): string {
  const meant = didYouMean(unknown, known);
  const list = known.join(', ');
  return meant === undefined ? `use one of ${list}` : `did you mean "${meant}"? Use one of ${list}`;
}

/** Returns the name of the first unknown member, or undefined. Ignores members with the value undefined. */
export const unknownName = (options: object, known: readonly string[]): string | undefined =>
  Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name))?.[0];

/** Returns the type with its article: `a string`, `an object`. */
export const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** Returns the value in quotes for an error message. Cuts a text after 100 characters. */
export const quoted = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `"${String(value)}"`;
