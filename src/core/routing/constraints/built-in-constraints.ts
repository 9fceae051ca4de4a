/**
 * Lists the seventeen built-in constraints by name (§4.3, constraints; reference A.4 and C).
 *
 * Those with a grammar have files of their own. The others stand here, a line each.
 */
import { isWhiteSpace, trimWhiteSpace } from '../text/white-space.ts';
import { type ConstraintFactory, constraintOf, type RouteConstraint, withoutArguments } from './constraint.ts';
import { isDate } from './datetime/date-text.ts';
import { expression } from './expression.ts';
import { isGuid } from './guid-text.ts';
import { integerOf, isDecimal, isDouble, isFloat, isInt, isLong } from './number-text.ts';

// White space or U+0000 may stand around a boolean (C.6).
const isPadding = (character: string): boolean => character === '\0' || isWhiteSpace(character);
const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(trimWhiteSpace(text, isPadding));

/** Every built-in constraint. Names are compared ignoring case. */
export const CONSTRAINTS: Readonly<Record<string, ConstraintFactory>> = {
  int: withoutArguments('int', isInt),
  bool: withoutArguments('bool', isBoolean),
  datetime: withoutArguments('datetime', isDate),
  decimal: withoutArguments('decimal', isDecimal),
  double: withoutArguments('double', isDouble),
  float: withoutArguments('float', isFloat),
  guid: withoutArguments('guid', isGuid),
  long: withoutArguments('long', isLong),
  minlength: { takes: [1, 1], make: (min) => lengthBetween(`minlength(${min})`, lengthOf(min!), Infinity) },
  maxlength: { takes: [1, 1], make: (max) => lengthBetween(`maxlength(${max})`, 0, lengthOf(max!)) },
  length: {
    takes: [1, 2],
    make: (...ends) => lengthBetween(`length(${ends.join()})`, lengthOf(ends[0]!), lengthOf(ends.at(-1)!)),
  },
  min: { takes: [1, 1], make: (min) => numberBetween(`min(${min})`, longOf(min!), 2n ** 63n) },
  max: { takes: [1, 1], make: (max) => numberBetween(`max(${max})`, -(2n ** 63n), longOf(max!)) },
  range: { takes: [2, 2], make: (min, max) => numberBetween(`range(${min},${max})`, longOf(min!), longOf(max!)) },
  // In the reference, `$` also matches before a final line feed.
  alpha: withoutArguments('alpha', (value) => /^[a-z]*\n?$/i.test(value)),
  regex: { takes: [0, 1], make: (source = '') => expression(source) },
  required: withoutArguments('required', (value) => value !== ''),
};

function lengthBetween(text: string, min: number, max: number): RouteConstraint {
  checkOrder(min, max);
  return constraintOf(text, (value) => value.length >= min && value.length <= max);
}

function numberBetween(text: string, min: bigint, max: bigint): RouteConstraint {
  checkOrder(min, max);
  return constraintOf(text, (value) => {
    const number = integerOf(value);
    return number !== undefined && number >= min && number <= max;
  });
}

function longOf(text: string): bigint {
  const value = integerOf(text);
  if (value === undefined) throw new RangeError(`"${text}" is not a whole number of 64 bits`);
  return value;
}

function lengthOf(text: string): number {
  const value = integerOf(text);
  if (value === undefined || value < 0n || value > 2147483647n)
    throw new RangeError(`"${text}" is not a length from 0 to 2147483647`);
  return Number(value);
}

function checkOrder(min: number | bigint, max: number | bigint): void {
  if (min > max) throw new RangeError(`${min} is more than ${max}`);
}
