/** Finds the integers beyond 2^53 in a body (D3): the double of such a number may be another one. */
import type { Violation } from '../../core/message/reply.ts';
import { pointerTo, sentNames } from './names.ts';

/**
 * Would this number, as it was sent, be stored as another one? Only numbers beyond 2^53 are rounded. A number is not
 * rounded if JavaScript writes its double with the same digits: clients send back what they have read. With an
 * exponent, such as 9.9999999999999992e22, only the digits that were sent count.
 */
export function isRounded(sent: string): boolean {
  const value = Number(sent);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  const digits = digitsOf(sent);
  if (digits === digitsOf(String(value))) return false;
  // `toPrecision` takes no more than a hundred.
  return !/e/i.test(sent) || digits.length > 100 || digitsOf(value.toPrecision(digits.length)) !== digits;
}

/**
 * The digits of a number without its exponent and without zeros at both ends. The expression looks for zeros at the end
 * from the first zero of a row only: from each zero, it takes 12 s for a number with 100,000 zeros inside.
 */
const digitsOf = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|(?<!0)0+$/g, '');

/**
 * A shorter number is not rounded, except `1e999`, which has a wrong type. Few bodies have so many digits. The
 * expression repeats its class: on Node 20 it takes 0.02 ms for a body of 117 kB, and `[\d.]{16}` takes 0.3 ms, half
 * the time of `JSON.parse`.
 */
const HAS_MANY_DIGITS = new RegExp('[\\d.]'.repeat(16));
/** The beginning of a number that may be rounded: a long one, or one with an exponent. */
const HAS_LARGE_NUMBER = /(?:^|[\s:,[])-?\d(?:\d{15}|(?=([\d.]*))\1e[+\d])/i;
/** Limits the violations, and the names in the pointers of rounded numbers: those of numbers deep inside take time. */
const MAX_TOLD = 100;

/**
 * The violations of a body, those of its numbers that would be stored as other numbers first. `text` is valid JSON that
 * was parsed to `root`. `told` is what else is wrong.
 */
export function withRounded(told: readonly Violation[], text: string, root: unknown): readonly Violation[] {
  if (!HAS_MANY_DIGITS.test(text) || !HAS_LARGE_NUMBER.test(text)) return told;
  const rounded = new Map<string, Violation>();
  let left = MAX_TOLD;
  sentNames(text, root, (sent, pathOf) => {
    if (left <= 0 || !isRounded(sent)) return;
    const path = pathOf();
    left -= path.length + 1;
    const pointer = pointerTo(path);
    rounded.set(pointer, { pointer, detail: DETAIL });
  });
  return [...rounded.values(), ...told.filter(({ pointer }) => !rounded.has(pointer!))].slice(0, MAX_TOLD);
}
const DETAIL = `Expected a number that is not rounded; integers up to ${Number.MAX_SAFE_INTEGER} are not`;
