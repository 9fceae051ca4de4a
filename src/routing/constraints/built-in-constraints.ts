/**
 * The seventeen constraints by name, and how `length(4,16)` finds its maker (§4.3, constraints; reference A.4 and C).
 *
 * What a constraint decides is one line here or, for numbers and dates, one small file of its own.
 */
import { isBoolean } from './boolean-text.ts';
import type { ConstraintFactory, RouteConstraint } from './constraint.ts';
import { isDate } from './datetime/date-text.ts';
import { isDecimal } from './decimal-text.ts';
import { expression } from './expression.ts';
import { isDouble, isFloat } from './floating-text.ts';
import { isGuid } from './guid-text.ts';
import { integerOf, isInt, isLong } from './integer-text.ts';

export type { ConstraintFactory, RouteConstraint };

const plain = (name: string, test: (value: string) => boolean): ConstraintFactory => ({
  takes: [0, 0],
  make: () => ({ text: name, accepts: (value) => value !== undefined && test(value) }),
});

const made = (text: string, test: (value: string) => boolean): RouteConstraint => ({
  text,
  accepts: (value) => value !== undefined && test(value),
});

const byLength = (text: string, least: number, most = Infinity): RouteConstraint =>
  made(text, (value) => value.length >= least && value.length <= most);

function bySize(text: string, least: bigint, most: bigint): RouteConstraint {
  return made(text, (value) => {
    const number = integerOf(value);
    return number !== undefined && number >= least && number <= most;
  });
}

function whole(text: string): bigint {
  const value = integerOf(text);
  if (value === undefined) throw new RangeError(`"${text}" is not a whole number of 64 bits`);
  return value;
}

function count(text: string): number {
  const value = integerOf(text);
  if (value === undefined || value < 0n || value > 2147483647n)
    throw new RangeError(`"${text}" is not a length from 0 to 2147483647`);
  return Number(value);
}

function ordered<Limit extends number | bigint>(least: Limit, most: Limit): void {
  if (least > most) throw new RangeError(`${least} is more than ${most}`);
}

/** Every known constraint. Names are looked up ignoring case. */
export const CONSTRAINTS: Readonly<Record<string, ConstraintFactory>> = {
  int: plain('int', isInt),
  bool: plain('bool', isBoolean),
  datetime: plain('datetime', isDate),
  decimal: plain('decimal', isDecimal),
  double: plain('double', isDouble),
  float: plain('float', isFloat),
  guid: plain('guid', isGuid),
  long: plain('long', isLong),
  minlength: { takes: [1, 1], make: (least) => byLength(`minlength(${least})`, count(least!)) },
  maxlength: { takes: [1, 1], make: (most) => byLength(`maxlength(${most})`, 0, count(most!)) },
  length: {
    takes: [1, 2],
    make(first, second) {
      const least = count(first!),
        most = second === undefined ? least : count(second);
      ordered(least, most);
      return byLength(second === undefined ? `length(${first})` : `length(${first},${second})`, least, most);
    },
  },
  min: { takes: [1, 1], make: (least) => bySize(`min(${least})`, whole(least!), 2n ** 63n) },
  max: { takes: [1, 1], make: (most) => bySize(`max(${most})`, -(2n ** 63n), whole(most!)) },
  range: {
    takes: [2, 2],
    make(first, second) {
      const least = whole(first!),
        most = whole(second!);
      ordered(least, most);
      return bySize(`range(${first},${second})`, least, most);
    },
  },
  // The `$` of the reference also stands before one final line feed.
  alpha: plain('alpha', (value) => /^[a-z]*\n?$/i.test(value)),
  // Without parentheses it is the empty expression.
  regex: { takes: [0, 1], make: (source = '') => expression(source) },
  required: plain('required', (value) => value !== ''),
};
