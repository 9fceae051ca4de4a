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
  constraintOf,
  expression,
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

// White space or U+0000 may stand around a boolean (C.6).
const isPadding = (character: string): boolean => character === '\0' || isWhiteSpace(character);
const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(trimWhiteSpace(text, isPadding));

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

const PLAIN = /^[0-9a-f]{32}$/i;
const DASHED = /^(.{8})-(.{4})-(.{4})-(.{4})-(.{4})[0-9a-f]{8}$/is;
const COMPONENT = /^\+?(?:0x)?[0-9a-f]+$/i;
const NESTED = /^\{((?:0x[^,{}]+,){3})\{(0x[^,{}]+(?:,0x[^,{}]+){7})\}\}$/i;
const HEX = /^0x\+?(?:0x)?0*([0-9a-f]{0,8})$/i;

/** Is this text a GUID? */
function isGuid(text: string): boolean {
  const guid = trimWhiteSpace(text);
  if (guid.startsWith('{'))
    return guid.includes('-') ? guid.endsWith('}') && isDashed(guid.slice(1, -1)) : isNested(guid);
  if (guid.startsWith('(')) return guid.endsWith(')') && isDashed(guid.slice(1, -1));
  return PLAIN.test(guid) || isDashed(guid);
}

function isDashed(text: string): boolean {
  const found = DASHED.exec(text);
  return found !== null && found.slice(1).every((component) => COMPONENT.test(component));
}

function isNested(text: string): boolean {
  let dense = '';
  for (const character of text) if (!isWhiteSpace(character)) dense += character;
  const found = NESTED.exec(dense);
  return found !== null && areHex(found[1]!.slice(0, -1), 8) && areHex(found[2]!, 2);
}

const areHex = (numbers: string, maxDigits: number): boolean =>
  numbers.split(',').every((number) => (HEX.exec(number)?.[1]?.length ?? Infinity) <= maxDigits);

const INTEGER = /^[\t-\r ]*([+-]?)(\d+)[\t-\r ]*\0*$/;
const DECIMAL = /^[\t-\r ]*([+-]?)(?:(\d[\d,]*)(?:\.(\d*))?|\.(\d+))(?:[\t-\r ]*([+-]))?[\t-\r ]*\0*$/;
const FLOATING = /^[\t-\r ]*([+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t-\r ]*\0*$/i;
const SYMBOL = /^(?:-?Infinity|NaN)$/;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const MAX_LONG_DIGITS = 19;
const MAX_DECIMAL = 2n ** 96n - 1n;

/** The value of a text that is a whole number of at most 64 bits, else undefined. */
export function integerOf(text: string): bigint | undefined {
  const found = INTEGER.exec(text);
  if (!found) return undefined;
  const digits = found[2]!.replace(/^0+(?=\d)/, '');
  if (digits.length > MAX_LONG_DIGITS) return undefined;
  const value = BigInt(digits) * (found[1] === '-' ? -1n : 1n);
  return value >= MIN_LONG && value <= MAX_LONG ? value : undefined;
}

/** Is this text a whole number of 64 bits? */
const isLong = (text: string): boolean => integerOf(text) !== undefined;

/** Is this text a whole number of 32 bits? */
function isInt(text: string): boolean {
  const value = integerOf(text);
  return value !== undefined && value >= -2147483648n && value <= 2147483647n;
}

/** Is this text a decimal number within ±(2^96 - 1) after rounding? Excess digits of the fraction are accepted. */
function isDecimal(text: string): boolean {
  const found = DECIMAL.exec(text);
  if (!found || (found[1] !== '' && found[5] !== undefined)) return false;
  const whole = (found[2] ?? '').replaceAll(',', '').replace(/^0+/, '');
  if (whole.length !== 29) return whole.length < 29;
  // The limit has 29 digits. The first digit after the point decides whether the number is rounded up.
  const value = BigInt(whole);
  return value < MAX_DECIMAL || (value === MAX_DECIMAL && (found[3] ?? '') < '5');
}

/** Is this text a number of 64 bits (`double`)? One that is too large is refused; one that is too small is zero. */
const isDouble = (text: string): boolean => Number.isFinite(floatingOf(text));

/** Is this text a number of 32 bits (`float`)? */
const isFloat = (text: string): boolean => Number.isFinite(Math.fround(floatingOf(text)));

/** The value of a number, 0 for a symbol, `NaN` for any other text. */
function floatingOf(text: string): number {
  const found = FLOATING.exec(text);
  if (found) return Number(found[1]!.replaceAll(',', ''));
  return SYMBOL.test(trimWhiteSpace(text)) ? 0 : NaN;
}

/** The value of a text that `isInt`, `isDecimal`, `isDouble` or `isFloat` accepts. */
export function numberOf(text: string): number {
  const [, digits, sign] = /^(.*?)([+-]?)$/.exec(text.replace(/[\s\0,]+/g, ''))!;
  return Number(sign! + digits!);
}

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
