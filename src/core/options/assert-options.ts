/**
 * Refuses options that mean nothing. They may come from JavaScript that no compiler has checked, where a misspelt one
 * would be ignored: a `root` that is not seen opens the whole disk.
 */

import { didYouMean } from './did-you-mean.ts';
import { article, quoted } from './quoted.ts';

/** Does not compile where the list lacks a name, so that a new option is not refused. */
type Complete<Options, Known extends readonly string[]> =
  Exclude<keyof Options, Known[number]> extends never ? unknown : `${Exclude<keyof Options, Known[number]> & string}`[];

/**
 * Throws a `TypeError` for what is no object, and for a member that is not `known`. `attempt` is what cannot be done:
 * `serve`.
 */
export function assertOptions<Options extends object, const Known extends readonly (keyof Options & string)[]>(
  attempt: string,
  options: Options,
  known: Known & Complete<Options, Known>,
): void {
  assertNamed(attempt, options, known);
}

/** The same for names that no type lists. */
export function assertNamed(attempt: string, options: unknown, known: readonly string[]): void {
  assertObject(attempt, options, `{ ${known.join(', ')} }, or some of them`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, known);
  const list = known.join(', ');
  const remedy = meant === undefined ? `use one of ${list}` : `did you mean "${meant}"? The options are ${list}`;
  throw new TypeError(`Cannot ${attempt} with the option ${quoted(unknown)}: it means nothing; ${remedy}`);
}

/** Throws a `TypeError` for what is no object. `remedy` says what to give. */
export function assertObject(attempt: string, options: unknown, remedy: string): asserts options is object {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return;
  throw new TypeError(`Cannot ${attempt} with ${kindOf(options)} as its options: give an object, ${remedy}`);
}

const kindOf = (given: unknown): string =>
  Array.isArray(given) ? 'a list' : given === null || given === undefined ? 'nothing' : article(typeof given);
