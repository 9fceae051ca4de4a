/**
 * Finds the constraint that a text names: a built-in or a custom constraint.
 *
 * `length(4,16)` is the name `length` with two arguments. `regex(a,b)` has one argument, because `regex` takes at most
 * one. A predicate takes no argument.
 */

import { foldCase } from '../../http/text.ts';
import type { Route } from '../route.ts';
import {
  type ConstraintFactory,
  type ConstraintPredicate,
  expression,
  predicateConstraint,
  type RouteConstraint,
} from './constraint.ts';
import { isDate } from './datetime.ts';

/** The constraints that the routes of one collection can name. Names are compared ignoring case. */
export class ConstraintTable {
  readonly #factories = new Map<string, ConstraintFactory>();

  constructor(custom: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> = {}) {
    for (const [name, entry] of [...Object.entries(CONSTRAINTS), ...Object.entries(custom)])
      this.#factories.set(foldCase(name), typeof entry === 'function' ? withoutArguments(name, entry) : entry);
  }

  /** The known names, sorted. */
  get names(): readonly string[] {
    return [...this.#factories.keys()].sort();
  }

  /** True if this text names a known constraint, with or without arguments (D23). */
  knows(text: string): boolean {
    return this.#factories.has(foldCase(parse(text)[0]));
  }

  /** Returns the constraint that a text names. Throws a `SyntaxError` for an unknown name, or the factory error. */
  make(text: string): RouteConstraint {
    const [name, argument] = parse(text);
    const factory = this.#factories.get(foldCase(name));
    if (factory === undefined) throw new SyntaxError(`there is no constraint "${name}"`);
    const [min, max] = factory.takes;
    const args =
      argument === undefined ? [] : max === 1 ? [argument] : argument.split(',').map((piece) => piece.trim());
    if (args.length >= min && args.length <= max) return factory.make(...args);
    const wanted = `${min === max ? min : `${min} to ${max}`} argument${max === 1 ? '' : 's'}`;
    throw new SyntaxError(`the constraint "${name}" takes ${wanted}, not ${args.length}`);
  }

  /** Returns a constraint that a route declares in its options for the value `name`. Throws if it is invalid. */
  declared(constraint: NonNullable<Route['constraints']>[string], name: string): RouteConstraint {
    if (typeof constraint === 'string')
      return this.knows(constraint) ? this.make(constraint) : expression(constraint, constraint);
    if (constraint instanceof RegExp) return expression(constraint);
    // In `{ n: (value) => … }`, JavaScript gives the function the name `n`, which does not describe the constraint.
    if (typeof constraint === 'function')
      return predicateConstraint(constraint.name === name ? 'predicate' : constraint.name || 'predicate', constraint);
    if (typeof constraint?.accepts === 'function') return constraint;
    throw new TypeError('a constraint is not a text, an expression, a predicate or an object with accepts()');
  }
}

/** Splits a text such as `min(5)` into name and argument (A.4.1). A text without `(` or a final `)` is a name. */
function parse(text: string): [name: string, argument?: string] {
  const open = text.indexOf('(');
  return open >= 0 && text.endsWith(')') ? [text.slice(0, open), text.slice(open + 1, -1)] : [text];
}

/** A whole number (rule C.1, C.2; D29). `Number` would accept `1e3` and an empty text, and round long numbers. */
const INTEGER = /^[\t-\r ]*([+-]?)0*(\d{1,19})[\t-\r ]*\0*$/;
/** A decimal number (rule C.4): a sign at one end, and commas anywhere between the first digit and the point. */
const DECIMAL = /^[\t-\r ]*([+-]?)(?:(\d[\d,]*)(?:\.(\d*))?|\.\d+)(?:[\t-\r ]*([+-]))?[\t-\r ]*\0*$/;
/** A floating-point number (rule C.5). */
const FLOATING = /^[\t-\r ]*([+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t-\r ]*\0*$/i;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const MAX_DECIMAL = 2n ** 96n - 1n;

/** Returns the value of a whole number of at most 64 bits; undefined for any other text. */
export function integerOf(text: string): bigint | undefined {
  const [, sign, digits] = INTEGER.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  return value >= MIN_LONG && value <= MAX_LONG ? value : undefined;
}

/** True for a decimal number within ±(2^96 - 1) after rounding. Excess digits of the fraction are accepted. */
function isDecimal(text: string): boolean {
  const [found, before, digits = '', fraction = '', behind] = DECIMAL.exec(text) ?? [];
  if (found === undefined || (before !== '' && behind !== undefined)) return false;
  const whole = digits.replaceAll(',', '').replace(/^0+/, '');
  if (whole.length !== 29) return whole.length < 29;
  // The limit has 29 digits. The first digit after the point decides whether the number is rounded up.
  const value = BigInt(whole);
  return value < MAX_DECIMAL || (value === MAX_DECIMAL && fraction < '5');
}

/** Returns the number that the text represents: 0 for a symbol such as `Infinity`, `NaN` if it is not a number. */
function floatingOf(text: string): number {
  const found = FLOATING.exec(text);
  if (found) return Number(found[1]!.replaceAll(',', ''));
  return /^(?:-?Infinity|NaN)$/.test(trimmed(text)) ? 0 : NaN;
}

/** Returns the value of a text that `int`, `decimal`, `double` or `float` accepts. */
export function numberOf(text: string): number {
  const [, digits, sign] = /^(.*?)([+-]?)$/.exec(text.replace(/[\s\0,]+/g, ''))!;
  return Number(sign! + digits!);
}

/** Removes Unicode white space at both ends. Unlike `trim`, it removes U+0085 and keeps U+FEFF. */
const trimmed = (text: string): string =>
  text.replace(/[\x85\ufeff]/g, (character) => (character === '\x85' ? ' ' : '?')).trim();

// As in the reference, `0x` or `+` may be part of the fixed width of a component, except in the last eight digits.
const COMPONENT = '\\+?(?:0x)?[0-9a-f]+';
const DASHED = new RegExp(
  `^${[8, 4, 4, 4].map((width) => `(?=[^-]{${width}}-)${COMPONENT}-`).join('')}(?=.{12}$)${COMPONENT}[0-9a-f]{8}$`,
  'i',
);
const hexadecimal = (digits: number): string => `0x(?![,}])\\+?(?:0x)?0*[0-9a-f]{0,${digits}}`;
const NESTED = new RegExp(`^\\{(?:${hexadecimal(8)},){3}\\{${hexadecimal(2)}(?:,${hexadecimal(2)}){7}\\}\\}$`, 'i');

/**
 * True for a GUID (rule C.7): 32 digits; or 8-4-4-4-12 digits, also in braces or parentheses; or
 * `{0x…,0x…,0x…,{0x…,0x…,0x…,0x…,0x…,0x…,0x…,0x…}}`. White space may surround it; the last form may have it anywhere.
 */
function isGuid(text: string): boolean {
  const guid = trimmed(text);
  const inner = guid.replace(/^\{([^]*)\}$|^\(([^]*)\)$/, '$1$2');
  return /^[0-9a-f]{32}$/i.test(guid) || DASHED.test(inner) || NESTED.test(guid.replace(/\s/g, ''));
}

const withoutArguments = (name: string, predicate: ConstraintPredicate): ConstraintFactory => ({
  takes: [0, 0],
  make: () => predicateConstraint(name, predicate),
});

/** Returns a constraint that accepts a value if `measure` returns a number from `min` to `max` for it. */
function within(
  text: string,
  measure: (value: string) => number | bigint | undefined,
  min: number | bigint,
  max: number | bigint,
): RouteConstraint {
  if (min > max) throw new RangeError(`${min} is more than ${max}`);
  const isWithin = (value: string): boolean => {
    const size = measure(value);
    return size !== undefined && size >= min && size <= max;
  };
  return predicateConstraint(text, isWithin);
}

const sizeOf = (value: string): number => value.length;

function lengthOf(text = ''): bigint {
  const value = integerOf(text);
  if (value !== undefined && value >= 0n && value < 2n ** 31n) return value;
  throw new RangeError(`"${text}" is not a length from 0 to 2147483647`);
}

function longOf(text = ''): bigint {
  const value = integerOf(text);
  if (value !== undefined) return value;
  throw new RangeError(`"${text}" is not a whole number of 64 bits`);
}

/** Every built-in constraint (§4.3, constraints; rule A.4 and C). Names are compared ignoring case. */
export const CONSTRAINTS: Readonly<Record<string, ConstraintFactory>> = {
  int: { takes: [0, 0], make: () => within('int', integerOf, -(2 ** 31), 2 ** 31 - 1) },
  // U+0000 may surround the value, as white space may (C.6).
  bool: withoutArguments('bool', (value) => /^(?:true|false)$/i.test(trimmed(value.replaceAll('\0', ' ')))),
  datetime: withoutArguments('datetime', isDate),
  decimal: withoutArguments('decimal', isDecimal),
  double: withoutArguments('double', (value) => Number.isFinite(floatingOf(value))),
  float: withoutArguments('float', (value) => Number.isFinite(Math.fround(floatingOf(value)))),
  guid: withoutArguments('guid', isGuid),
  long: withoutArguments('long', (value) => integerOf(value) !== undefined),
  minlength: { takes: [1, 1], make: (min) => within(`minlength(${min})`, sizeOf, lengthOf(min), Infinity) },
  maxlength: { takes: [1, 1], make: (max) => within(`maxlength(${max})`, sizeOf, 0, lengthOf(max)) },
  length: {
    takes: [1, 2],
    make: (...ends) => within(`length(${ends.join()})`, sizeOf, lengthOf(ends[0]), lengthOf(ends.at(-1))),
  },
  min: { takes: [1, 1], make: (min) => within(`min(${min})`, integerOf, longOf(min), MAX_LONG) },
  max: { takes: [1, 1], make: (max) => within(`max(${max})`, integerOf, MIN_LONG, longOf(max)) },
  range: { takes: [2, 2], make: (min, max) => within(`range(${min},${max})`, integerOf, longOf(min), longOf(max)) },
  // In the reference, `$` also matches before a final line feed.
  alpha: withoutArguments('alpha', (value) => /^[a-z]*\n?$/i.test(value)),
  regex: { takes: [0, 1], make: (source = '') => expression(source) },
  required: withoutArguments('required', (value) => value !== ''),
};
