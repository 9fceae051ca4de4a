/**
 * Lists the seventeen built-in constraints by name (§4.3, constraints; reference A.4 and C).
 *
 * A constraint of numbers, dates or other grammars has a file of its own. The others stand here, a line each.
 */
import { isBoolean } from './boolean-text.ts';
import type { ConstraintFactory, RouteConstraint } from './constraint.ts';
import { isDate } from './datetime/date-text.ts';
import { isDecimal } from './decimal-text.ts';
import { expression } from './expression.ts';
import { isDouble, isFloat } from './floating-text.ts';
import { isGuid } from './guid-text.ts';
import { integerOf, isInt, isLong } from './integer-text.ts';

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
    make: (min, max) =>
      max === undefined
        ? lengthBetween(`length(${min})`, lengthOf(min!), lengthOf(min!))
        : lengthBetween(`length(${min},${max})`, lengthOf(min!), lengthOf(max)),
  },
  min: { takes: [1, 1], make: (min) => numberBetween(`min(${min})`, longOf(min!), 2n ** 63n) },
  max: { takes: [1, 1], make: (max) => numberBetween(`max(${max})`, -(2n ** 63n), longOf(max!)) },
  range: {
    takes: [2, 2],
    make: (min, max) => numberBetween(`range(${min},${max})`, longOf(min!), longOf(max!)),
  },
  // In the reference, `$` also matches before a final line feed.
  alpha: withoutArguments('alpha', (value) => /^[a-z]*\n?$/i.test(value)),
  // Without an argument the expression is empty.
  regex: { takes: [0, 1], make: (source = '') => expression(source) },
  required: withoutArguments('required', (value) => value !== ''),
};

function withoutArguments(name: string, accepts: (value: string) => boolean): ConstraintFactory {
  return { takes: [0, 0], make: () => constraint(name, accepts) };
}

function constraint(text: string, accepts: (value: string) => boolean): RouteConstraint {
  return { text, accepts: (value) => value !== undefined && accepts(value) };
}

function lengthBetween(text: string, min: number, max: number): RouteConstraint {
  checkOrder(min, max);
  return constraint(text, (value) => value.length >= min && value.length <= max);
}

function numberBetween(text: string, min: bigint, max: bigint): RouteConstraint {
  checkOrder(min, max);
  return constraint(text, (value) => {
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
