/**
 * Makes the kinds of values that settings have: numbers, sizes, times, words, texts and lists.
 *
 * A kind never corrects a text: `--port ""` is an error and not the default port (D32).
 */
import { hint } from '../../core/options/assert-options.ts';

/** A kind of value: how it is written on a command line, and which values are valid. */
export interface Kind<Value> {
  /** Stands for the value in the help text: `PORT`, `on|off`. Empty for a flag that needs no value. */
  readonly placeholder: string;
  /** The unit and the bounds, as the help text shows them: `bytes, 1 to 256 MiB`. */
  readonly unit: string;
  /** Allows the flag more than once; `parse` then gets the texts joined by commas. */
  readonly repeatable?: boolean;
  /** Parses a text. Throws `InvalidValue` with the cause and the remedy. */
  parse(text: string): Value;
  /** The text for messages, where the text itself may have a secret. */
  conceal?(text: string): string;
  /** Formats a default for the help text. */
  show(value: Value): string;
}

/** One row of the table of settings. */
export interface Setting<Value> {
  readonly kind: Kind<Value>;
  /** The value where neither flag nor variable gives one. */
  readonly default: Value;
  readonly help: string;
  /** The name of the flag, where it is not the key in kebab case. */
  readonly flag?: string;
  /** The default in words, where the value itself does not explain it. */
  readonly defaultText?: string | undefined;
}

/** An invalid part of a text, such as one entry of a list. */
type InvalidPart = { readonly text: string; readonly cause: string };

/** A text that is invalid. The message is the cause, then the remedy: `it is not a whole number; give 0 to 65535`. */
export class InvalidValue extends Error {
  /** The invalid parts, where the rest of the text is valid; else empty. */
  readonly parts: readonly InvalidPart[];

  constructor(message: string, parts: readonly InvalidPart[] = []) {
    super(message);
    this.parts = parts;
  }
}

/** The name of the flag without its dashes: `maxBody` → `max-body`. */
export const flagOf = (key: string, setting: { readonly flag?: string }): string =>
  setting.flag ?? words(key).join('-');

/** The name of the environment variable: `maxBody` → `MAX_BODY`. */
export const variableOf = (key: string): string => words(key).join('_').toUpperCase();
const words = (key: string): string[] => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const GIB = 2 ** 30;
type Units = ReadonlyMap<string, number>;
/** Returns the value to use for a text, or throws `InvalidValue`. */
type Check = (text: string) => string;
const SIZES: Units = new Map(Object.entries({ '': 1, b: 1, k: KIB, kib: KIB, m: MIB, mib: MIB, g: GIB, gib: GIB }));
const TIMES: Units = new Map(Object.entries({ ms: 1, '': 1000, s: 1000, m: 60_000, h: 3_600_000 }));

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number, placeholder: string, unit = 'number'): Kind<number> {
  const bounds = max === Infinity ? `${min} or more` : `${min} to ${max}`;
  return {
    placeholder,
    unit: `${unit}, ${bounds}`,
    show: String,
    parse(text) {
      if (!/^-?\d+$/.test(text)) throw new InvalidValue(`it is not a whole number; give ${bounds}`);
      return within(Number(text), min, max, bounds);
    },
  };
}

/** A whole number up to `max`, where 0 means no limit and gives the value `unlimited`. */
export function upTo(max: number, placeholder: string, unlimited: number, unit = 'number'): Kind<number> {
  const limited = wholeNumber(0, max, placeholder, unit);
  return {
    ...limited,
    unit: `${limited.unit}; 0 for no limit`,
    parse: (text) => limited.parse(text) || unlimited,
    show: (value) => (value === unlimited ? '0' : String(value)),
  };
}

/** A size in bytes, as are the bounds. `8192`, `8k`, `8 KiB` and `8KiB` are equal. */
export function bytes(min: number, max: number): Kind<number> {
  const bounds = `${sizeText(min)} to ${sizeText(max)}`;
  return {
    placeholder: 'SIZE',
    unit: `bytes, or with k, m, g; ${bounds}`,
    show: sizeText,
    parse(text) {
      const size = quantity(/^(-?\d+) ?([a-z]*)$/i.exec(text), SIZES);
      if (size === undefined) throw new InvalidValue('it is not a size; give bytes, or a size such as 512k or 1MiB');
      return within(size, min, max, bounds);
    },
  };
}

/** A duration in milliseconds, as are the bounds. `15`, `15s`, `0.25m` and `15000ms` are equal. */
export function duration(min: number, max: number): Kind<number> {
  const bounds = `${durationText(min)} to ${durationText(max)}`;
  return {
    placeholder: 'TIME',
    unit: `seconds, or with ms, s, m, h; ${bounds}`,
    show: durationText,
    parse(text) {
      const time = quantity(/^(-?\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text), TIMES);
      if (time === undefined) throw new InvalidValue('it is not a time; give seconds, or a time such as 500ms or 1m');
      return within(time < 0 ? time : Math.round(time), min, max, bounds);
    },
  };
}

/** One of the words, case-sensitive. */
export function choice<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    placeholder: words.join('|'),
    unit: 'word',
    show: String,
    parse(text) {
      const word = words.find((candidate) => candidate === text);
      if (word === undefined)
        throw new InvalidValue(`it is none of the known words${hint(text, words)}; give ${words.join(' or ')}`);
      return word;
    },
  };
}

const ON_OFF = choice('on', 'off');

/** `on` or `off`; the value is a boolean. */
export const onOff: Kind<boolean> = {
  ...ON_OFF,
  parse: (text) => ON_OFF.parse(text) === 'on',
  show: (value) => (value ? 'on' : 'off'),
};

/** A flag without a value, which is on when it is present; its variable is `on` or `off`. */
export const bareFlag: Kind<boolean> = { ...onOff, placeholder: '' };

/** A text that is not empty. */
export function text(placeholder: string, unit = 'text', check: Check = (given) => given): Kind<string> {
  return {
    placeholder,
    unit,
    show: String,
    parse(given) {
      if (given === '') throw new InvalidValue('it is empty; give a text, or leave the setting out');
      return check(given);
    },
  };
}

/** The same kind for a setting without a default, for which the help shows `word`. */
export const optional = <Value>(kind: Kind<Value>, word = 'none'): Kind<Value | undefined> => ({
  ...kind,
  show: (value) => (value === undefined ? word : kind.show(value)),
});

/** The same kind, or `off` for no value; a file of that name is written `./off`. */
export const orOff = <Value>(kind: Kind<Value>): Kind<Value | undefined> => ({
  ...optional(kind, 'off'),
  unit: `${kind.unit}, or off`,
  parse: (given) => (given === 'off' ? undefined : kind.parse(given)),
});

/** A comma-separated list, each entry checked as in `text`. An empty text and `off` give the empty list. */
export function list(placeholder: string, unit: string, check: Check, repeatable = false): Kind<readonly string[]> {
  return {
    placeholder,
    unit,
    repeatable,
    show: (value) => (value.length === 0 ? 'off' : value.join(',')),
    parse(given) {
      const entries = given.split(',').map((entry) => entry.trim());
      if (given.trim() === '' || given === 'off') return [];
      if (entries.includes(''))
        throw new InvalidValue('an entry of the list is empty; put one comma between two entries');
      const invalid: InvalidPart[] = [];
      const checked = entries.map((text) => {
        try {
          return check(text);
        } catch (error) {
          if (!(error instanceof InvalidValue)) throw error;
          invalid.push({ text, cause: error.message });
          return text;
        }
      });
      if (invalid.length > 0) throw new InvalidValue(invalid[0]!.cause, invalid);
      return checked;
    },
  };
}

/** The captured number in the captured unit; undefined without a match or for another unit. */
function quantity(match: RegExpExecArray | null, units: Units): number | undefined {
  const factor = match === null ? undefined : units.get(match[2]!.toLowerCase());
  return factor === undefined ? undefined : Number(match![1]) * factor;
}

function within(value: number, min: number, max: number, bounds: string): number {
  if (value < min || value > Math.min(max, Number.MAX_SAFE_INTEGER))
    throw new InvalidValue(`it is out of bounds; give ${bounds}`);
  // Makes -0 a 0.
  return value + 0;
}

function sizeText(value: number): string {
  const unit = Object.entries({ GiB: GIB, MiB: MIB, KiB: KIB }).find(([, size]) => value >= size && value % size === 0);
  return unit === undefined ? `${value} B` : `${value / unit[1]} ${unit[0]}`;
}

function durationText(value: number): string {
  if (value >= 3_600_000 && value % 3_600_000 === 0) return `${value / 3_600_000} h`;
  if (value >= 120_000 && value % 60_000 === 0) return `${value / 60_000} m`;
  return value % 1000 === 0 ? `${value / 1000} s` : `${value} ms`;
}
