/**
 * Finds the constraint that a text names: a built-in one or one given to the collection.
 *
 * `length(4,16)` is the name `length` with two arguments. `regex(a,b)` has one, because `regex` takes at most one. A
 * predicate takes none.
 */

import { foldCase } from '../../message/text.ts';
import type { Route } from '../route.ts';
import {
  type ConstraintFactory,
  type ConstraintPredicate,
  expression,
  PredicateConstraint,
  type RouteConstraint,
} from './constraint.ts';
import { isDate } from './datetime.ts';

/** The constraints that the routes of one collection can name. Names are compared ignoring case. */
export class ConstraintTable {
  readonly #factories = new Map<string, ConstraintFactory>();
  // Routes that write the same text share a constraint: `shadowed` knows then that both accept the same values.
  readonly #made = new Map<string, RouteConstraint>();

  constructor(own: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> = {}) {
    for (const [name, given] of [...Object.entries(CONSTRAINTS), ...Object.entries(own)])
      this.#factories.set(foldCase(name), typeof given === 'function' ? withoutArguments(name, given, false) : given);
  }

  /** The known names, sorted. */
  get names(): readonly string[] {
    return [...this.#factories.keys()].sort();
  }

  /** Does this text name a known constraint, with or without arguments (D23)? */
  knows(text: string): boolean {
    return this.#factories.has(foldCase(parse(text)[0]));
  }

  /** The constraint that a text names. Throws a `SyntaxError` for an unknown name, or what its factory throws. */
  make(text: string): RouteConstraint {
    if (!this.#made.has(text)) this.#made.set(text, this.#make(text));
    return this.#made.get(text)!;
  }

  #make(text: string): RouteConstraint {
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

  /** The constraint of the options of a route. `name` is that of the value. Throws an `Error` for any other value. */
  declared(given: NonNullable<Route['constraints']>[string], name: string): RouteConstraint {
    if (typeof given === 'string') return this.knows(given) ? this.make(given) : expression(given, given);
    if (given instanceof RegExp) return expression(given);
    // In `{ n: (value) => … }` JavaScript gives the function the name `n`, which says nothing about it.
    if (typeof given === 'function')
      return new PredicateConstraint(given.name === name ? 'predicate' : given.name || 'predicate', given);
    if (typeof given?.accepts === 'function') return given;
    throw new TypeError('a constraint is neither text nor an expression nor a predicate nor an object that accepts');
  }
}

/** Splits a text that has a `(` and ends in `)` into name and argument (A.4.1). Any other text is a name. */
function parse(text: string): [name: string, argument?: string] {
  const open = text.indexOf('(');
  return open >= 0 && text.endsWith(')') ? [text.slice(0, open), text.slice(open + 1, -1)] : [text];
}

/** A whole number (reference C.1, C.2; D29). `Number` would take `1e3` and the empty text, and round 64 bits. */
const INTEGER = /^[\t-\r ]*([+-]?)0*(\d{1,19})[\t-\r ]*\0*$/;
/** A decimal number (reference C.4): a sign on one side, commas anywhere between the first digit and the point. */
const DECIMAL = /^[\t-\r ]*([+-]?)(?:(\d[\d,]*)(?:\.(\d*))?|\.\d+)(?:[\t-\r ]*([+-]))?[\t-\r ]*\0*$/;
/** A floating-point number (reference C.5). */
const FLOATING = /^[\t-\r ]*([+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t-\r ]*\0*$/i;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const MAX_DECIMAL = 2n ** 96n - 1n;

/** The value of a text that is a whole number of at most 64 bits, else undefined. */
export function integerOf(text: string): bigint | undefined {
  const [, sign, digits] = INTEGER.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  return value >= MIN_LONG && value <= MAX_LONG ? value : undefined;
}

/** Is this text a decimal number within ±(2^96 - 1) after rounding? Excess digits of the fraction are accepted. */
function isDecimal(text: string): boolean {
  const [found, before, digits = '', fraction = '', behind] = DECIMAL.exec(text) ?? [];
  if (found === undefined || (before !== '' && behind !== undefined)) return false;
  const whole = digits.replaceAll(',', '').replace(/^0+/, '');
  if (whole.length !== 29) return whole.length < 29;
  // The limit has 29 digits. The first digit after the point decides whether the number is rounded up.
  const value = BigInt(whole);
  return value < MAX_DECIMAL || (value === MAX_DECIMAL && fraction < '5');
}

/** The value of a number, 0 for a symbol such as `NaN`, `NaN` for any other text. */
function floatingOf(text: string): number {
  const found = FLOATING.exec(text);
  if (found) return Number(found[1]!.replaceAll(',', ''));
  return /^(?:-?Infinity|NaN)$/.test(trimmed(text)) ? 0 : NaN;
}

/** The value of a text that `int`, `decimal`, `double` or `float` accepts. */
export function numberOf(text: string): number {
  const [, digits, sign] = /^(.*?)([+-]?)$/.exec(text.replace(/[\s\0,]+/g, ''))!;
  return Number(sign! + digits!);
}

/** A text without the white space of Unicode at its ends. Unlike for `trim`, U+0085 is some, and U+FEFF is not. */
const trimmed = (text: string): string =>
  text.replace(/[\x85\ufeff]/g, (character) => (character === '\x85' ? ' ' : '?')).trim();

// As in the reference, `0x` or `+` may stand inside the fixed width of a component, except in the last eight digits.
const COMPONENT = '\\+?(?:0x)?[0-9a-f]+';
const DASHED = new RegExp(
  `^${[8, 4, 4, 4].map((width) => `(?=[^-]{${width}}-)${COMPONENT}-`).join('')}(?=.{12}$)${COMPONENT}[0-9a-f]{8}$`,
  'i',
);
const hexadecimal = (digits: number): string => `0x(?![,}])\\+?(?:0x)?0*[0-9a-f]{0,${digits}}`;
const NESTED = new RegExp(`^\\{(?:${hexadecimal(8)},){3}\\{${hexadecimal(2)}(?:,${hexadecimal(2)}){7}\\}\\}$`, 'i');

/**
 * Is this text a GUID (reference C.7)? It has 32 digits, or 8-4-4-4-12 alone, in braces or in parentheses, or it is
 * `{0x…,0x…,0x…,{0x…,0x…,0x…,0x…,0x…,0x…,0x…,0x…}}`. White space may stand around, and in the last form anywhere.
 */
function isGuid(text: string): boolean {
  const guid = trimmed(text);
  const inner = guid.replace(/^\{([^]*)\}$|^\(([^]*)\)$/, '$1$2');
  return /^[0-9a-f]{32}$/i.test(guid) || DASHED.test(inner) || NESTED.test(guid.replace(/\s/g, ''));
}

/** The factory of a constraint without arguments. */
const withoutArguments = (name: string, predicate: ConstraintPredicate, isPure = true): ConstraintFactory => ({
  takes: [0, 0],
  make: () => new PredicateConstraint(name, predicate, isPure),
});

/** The constraint that takes what is measured as `min` to `max`. */
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
  return new PredicateConstraint(text, isWithin, true);
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

/** Every built-in constraint (§4.3, constraints; reference A.4 and C). Names are compared ignoring case. */
export const CONSTRAINTS: Readonly<Record<string, ConstraintFactory>> = {
  int: { takes: [0, 0], make: () => within('int', integerOf, -(2 ** 31), 2 ** 31 - 1) },
  // U+0000 may stand around it as well (C.6).
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
