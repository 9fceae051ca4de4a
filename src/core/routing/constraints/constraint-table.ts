/**
 * Finds the constraint that a text names: a built-in one or one given to the collection.
 *
 * `length(4,16)` is the name `length` with two arguments. `regex(a,b)` has one, because `regex` takes at most one. A
 * predicate takes none.
 */
import { foldCase, isWhiteSpace, trimWhiteSpace } from '../text.ts';
import {
  type ConstraintFactory,
  type ConstraintPredicate,
  expression,
  PredicateConstraint,
  pure,
  type RouteConstraint,
  withoutArguments,
} from './constraint.ts';
import { isDate } from './datetime.ts';

/** The constraints that the routes of one collection can name. Names are compared ignoring case. */
export class ConstraintTable {
  readonly #factories = new Map<string, ConstraintFactory>();
  // A constraint keeps no state between values, so routes that write the same text share it.
  readonly #made = new Map<string, RouteConstraint>();

  constructor(own: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>> = {}) {
    for (const [name, given] of [...Object.entries(CONSTRAINTS), ...Object.entries(own)])
      this.#factories.set(foldCase(name), typeof given === 'function' ? withoutArguments(name, given) : given);
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
    if (args.length < min || args.length > max) {
      const wanted = `${min === max ? min : `${min} to ${max}`} argument${max === 1 ? '' : 's'}`;
      throw new SyntaxError(`the constraint "${name}" takes ${wanted}, not ${args.length}`);
    }
    const made = factory.make(...args);
    return factory === CONSTRAINTS[foldCase(name)] ? pure(made) : made;
  }
}

/** Splits a text that has a `(` and ends in `)` into name and argument (A.4.1). Any other text is a name. */
function parse(text: string): [name: string, argument?: string] {
  const open = text.indexOf('(');
  return open >= 0 && text.endsWith(')') ? [text.slice(0, open), text.slice(open + 1, -1)] : [text];
}

/** A whole number (reference C.1, C.2; D29). `Number` would take `1e3` and the empty text, and round 64 bits. */
const INTEGER = /^[\t-\r ]*([+-]?)(\d+)[\t-\r ]*\0*$/;
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
  const significant = digits?.replace(/^0+(?=\d)/, '');
  if (significant === undefined || significant.length > 19) return undefined;
  const value = BigInt(significant) * (sign === '-' ? -1n : 1n);
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
  return /^(?:-?Infinity|NaN)$/.test(trimWhiteSpace(text)) ? 0 : NaN;
}

/** The value of a text that `int`, `decimal`, `double` or `float` accepts. */
export function numberOf(text: string): number {
  const [, digits, sign] = /^(.*?)([+-]?)$/.exec(text.replace(/[\s\0,]+/g, ''))!;
  return Number(sign! + digits!);
}

// As in the reference, `0x` or `+` may stand inside the fixed width of a component, except in the last eight digits.
const PLAIN = /^[0-9a-f]{32}$/i;
const DASHED = /^(.{8})-(.{4})-(.{4})-(.{4})-(.{4})[0-9a-f]{8}$/is;
const COMPONENT = /^\+?(?:0x)?[0-9a-f]+$/i;
const NESTED = /^\{((?:0x[^,{}]+,){3})\{(0x[^,{}]+(?:,0x[^,{}]+){7})\}\}$/i;
const HEX = /^0x\+?(?:0x)?0*([0-9a-f]{0,8})$/i;

/**
 * Is this text a GUID (reference C.7)? It has 32 digits, or 8-4-4-4-12 alone, in braces or in parentheses, or it is
 * `{0x…,0x…,0x…,{0x…,0x…,0x…,0x…,0x…,0x…,0x…,0x…}}`. White space may stand around, and in the last form anywhere.
 */
function isGuid(text: string): boolean {
  const guid = trimWhiteSpace(text);
  if (guid.startsWith('{') && !guid.includes('-')) return isNested(guid);
  const isWrapped = (guid.startsWith('{') && guid.endsWith('}')) || (guid.startsWith('(') && guid.endsWith(')'));
  const components = DASHED.exec(isWrapped ? guid.slice(1, -1) : guid)?.slice(1);
  return PLAIN.test(guid) || (components?.every((component) => COMPONENT.test(component)) ?? false);
}

function isNested(text: string): boolean {
  const [, large, small] = NESTED.exec([...text].filter((character) => !isWhiteSpace(character)).join('')) ?? [];
  const areHex = (numbers: string, maxDigits: number): boolean =>
    numbers.split(',').every((number) => (HEX.exec(number)?.[1]?.length ?? Infinity) <= maxDigits);
  return large !== undefined && areHex(large.slice(0, -1), 8) && areHex(small!, 2);
}

const isBetween = (text: string, min: bigint, max: bigint): boolean => {
  const value = integerOf(text);
  return value !== undefined && value >= min && value <= max;
};

function lengthBetween(text: string, min: number, max: number): RouteConstraint {
  if (min > max) throw new RangeError(`${min} is more than ${max}`);
  return new PredicateConstraint(text, (value) => value.length >= min && value.length <= max);
}

function numberBetween(text: string, min: bigint, max: bigint): RouteConstraint {
  if (min > max) throw new RangeError(`${min} is more than ${max}`);
  return new PredicateConstraint(text, (value) => isBetween(value, min, max));
}

function longOf(text: string): bigint {
  const value = integerOf(text);
  if (value === undefined) throw new RangeError(`"${text}" is not a whole number of 64 bits`);
  return value;
}

function lengthOf(text: string): number {
  if (!isBetween(text, 0n, 2147483647n)) throw new RangeError(`"${text}" is not a length from 0 to 2147483647`);
  return Number(integerOf(text));
}

// White space or U+0000 may stand around a boolean (C.6).
const isPadding = (character: string): boolean => character === '\0' || isWhiteSpace(character);

/** Every built-in constraint (§4.3, constraints; reference A.4 and C). Names are compared ignoring case. */
export const CONSTRAINTS: Readonly<Record<string, ConstraintFactory>> = {
  int: withoutArguments('int', (value) => isBetween(value, -2147483648n, 2147483647n)),
  bool: withoutArguments('bool', (value) => /^(?:true|false)$/i.test(trimWhiteSpace(value, isPadding))),
  datetime: withoutArguments('datetime', isDate),
  decimal: withoutArguments('decimal', isDecimal),
  double: withoutArguments('double', (value) => Number.isFinite(floatingOf(value))),
  float: withoutArguments('float', (value) => Number.isFinite(Math.fround(floatingOf(value)))),
  guid: withoutArguments('guid', isGuid),
  long: withoutArguments('long', (value) => integerOf(value) !== undefined),
  minlength: { takes: [1, 1], make: (min) => lengthBetween(`minlength(${min})`, lengthOf(min!), Infinity) },
  maxlength: { takes: [1, 1], make: (max) => lengthBetween(`maxlength(${max})`, 0, lengthOf(max!)) },
  length: {
    takes: [1, 2],
    make: (...ends) => lengthBetween(`length(${ends.join()})`, lengthOf(ends[0]!), lengthOf(ends.at(-1)!)),
  },
  min: { takes: [1, 1], make: (min) => numberBetween(`min(${min})`, longOf(min!), MAX_LONG) },
  max: { takes: [1, 1], make: (max) => numberBetween(`max(${max})`, MIN_LONG, longOf(max!)) },
  range: { takes: [2, 2], make: (min, max) => numberBetween(`range(${min},${max})`, longOf(min!), longOf(max!)) },
  // In the reference, `$` also matches before a final line feed.
  alpha: withoutArguments('alpha', (value) => /^[a-z]*\n?$/i.test(value)),
  regex: { takes: [0, 1], make: (source = '') => expression(source) },
  required: withoutArguments('required', (value) => value !== ''),
};
