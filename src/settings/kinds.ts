/**
 * The kinds of values a setting can have, each with its bounds and its own words for a wrong one.
 *
 * Nothing is guessed: `Number('') || 8080` starts a service where nobody looks for it, so `--port ""` is an error (D32).
 */
import { hint } from './hint.ts';
import { type Kind, type UnfitPart, UnfitValue } from './setting.ts';

const KIB = 2 ** 10,
  MIB = 2 ** 20,
  GIB = 2 ** 30;
const SIZES: Readonly<Record<string, number>> = { '': 1, b: 1, k: KIB, kib: KIB, m: MIB, mib: MIB, g: GIB, gib: GIB };
const TIMES: Readonly<Record<string, number>> = { ms: 1, '': 1000, s: 1000, m: 60_000, h: 3_600_000 };

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number, placeholder: string, unit = 'number'): Kind<number> {
  const bounds = max === Infinity ? `${min} or more` : `${min} to ${max}`;
  return {
    placeholder,
    unit: `${unit}, ${bounds}`,
    show: String,
    parse(text) {
      if (!/^-?\d+$/.test(text)) throw new UnfitValue(`it is not a whole number; give ${bounds}`);
      return within(Number(text), min, max, bounds);
    },
  };
}

/** A whole number where 0 stands for no limit and becomes `none`. */
export function upTo(max: number, placeholder: string, none: number, unit = 'number'): Kind<number> {
  const plain = wholeNumber(0, max, placeholder, unit);
  return {
    ...plain,
    unit: `${plain.unit}; 0 for no limit`,
    parse: (text) => plain.parse(text) || none,
    show: (value) => (value === none ? '0' : String(value)),
  };
}

/** A size; the value is in bytes. `8192`, `8k`, `8 KiB` and `8KiB` are the same. */
export function bytes(min: number, max: number): Kind<number> {
  const bounds = `${sizeText(min)} to ${sizeText(max)}`;
  return {
    placeholder: 'SIZE',
    unit: `bytes, or with k, m, g; ${bounds}`,
    show: sizeText,
    parse(text) {
      const [, number = '', suffix = ''] = /^(-?\d+) ?([a-z]*)$/i.exec(text) ?? [];
      const factor = SIZES[suffix.toLowerCase()];
      if (number === '' || factor === undefined)
        throw new UnfitValue('it is not a size; give bytes, or a size such as 512k or 1MiB');
      return within(Number(number) * factor, min, max, bounds);
    },
  };
}

/** A length of time; the value is in milliseconds, the bounds too. `15`, `15s`, `0.25m` and `15000ms` are the same. */
export function duration(min: number, max: number): Kind<number> {
  const bounds = `${durationText(min)} to ${durationText(max)}`;
  return {
    placeholder: 'TIME',
    unit: `seconds, or with ms, s, m, h; ${bounds}`,
    show: durationText,
    parse(text) {
      const [, number = '', suffix = ''] = /^(-?\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
      const factor = TIMES[suffix.toLowerCase()];
      if (number === '' || factor === undefined)
        throw new UnfitValue('it is not a time; give seconds, or a time such as 500ms or 1m');
      const time = Number(number) * factor;
      return within(time < 0 ? time : Math.round(time), min, max, bounds);
    },
  };
}

/** One of a few words, exactly. */
export function choice<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    placeholder: words.join('|'),
    unit: 'word',
    show: String,
    parse(text) {
      const word = words.find((candidate) => candidate === text);
      if (word === undefined)
        throw new UnfitValue(`it is none of the known words${hint(text, words)}; give ${words.join(' or ')}`);
      return word;
    },
  };
}

const ON_OFF = choice('on', 'off');

/** `on` or `off`, as a boolean. */
export const onOff: Kind<boolean> = {
  ...ON_OFF,
  parse: (text) => ON_OFF.parse(text) === 'on',
  show: (value) => (value ? 'on' : 'off'),
};

/** A flag that is on when it is there; its variable says `on` or `off`. */
export const bareFlag: Kind<boolean> = { ...onOff, placeholder: '' };

/** Any text but the empty one, further narrowed by `check`, which may also rewrite it. */
export function text(
  placeholder: string,
  unit = 'text',
  check: (text: string) => string = (given) => given,
): Kind<string> {
  return {
    placeholder,
    unit,
    show: String,
    parse(given) {
      if (given === '') throw new UnfitValue('it is empty; give a text, or leave the setting out');
      return check(given);
    },
  };
}

/** The same kind where there may be no value at all. */
export const optional = <Value>(kind: Kind<Value>): Kind<Value | undefined> => ({
  ...kind,
  show: (value) => (value === undefined ? 'none' : kind.show(value)),
});

/** The same kind, or `off` for no value; a file of that name is `./off`. */
export const orOff = <Value>(kind: Kind<Value>): Kind<Value | undefined> => ({
  ...kind,
  unit: `${kind.unit}, or off`,
  parse: (given) => (given === 'off' ? undefined : kind.parse(given)),
  show: (value) => (value === undefined ? 'off' : kind.show(value)),
});

/** A comma-separated list; an empty text and `off` are the empty list, which switches the matter off. */
export function list(
  placeholder: string,
  unit: string,
  check: (entry: string) => string,
  repeatable = false,
): Kind<readonly string[]> {
  return {
    placeholder,
    unit,
    repeatable,
    show: (value) => (value.length === 0 ? 'off' : value.join(',')),
    parse(given) {
      const entries = given.split(',').map((entry) => entry.trim());
      if (given.trim() === '' || given === 'off') return [];
      if (entries.includes(''))
        throw new UnfitValue('an entry of the list is empty; put one comma between two entries');
      const wrong: UnfitPart[] = [];
      const checked = entries.map((text) => {
        try {
          return check(text);
        } catch (error) {
          if (!(error instanceof UnfitValue)) throw error;
          wrong.push({ text, cause: error.message });
          return text;
        }
      });
      if (wrong.length > 0) throw new UnfitValue(wrong[0]!.cause, wrong);
      return checked;
    },
  };
}

function within(value: number, min: number, max: number, bounds: string): number {
  if (value < min || value > Math.min(max, Number.MAX_SAFE_INTEGER))
    throw new UnfitValue(`it is out of bounds; give ${bounds}`);
  // `-0` is 0.
  return value + 0;
}

function sizeText(value: number): string {
  for (const [unit, factor] of [
    ['GiB', GIB],
    ['MiB', MIB],
    ['KiB', KIB],
  ] as const) {
    if (value >= factor && value % factor === 0) return `${value / factor} ${unit}`;
  }
  return `${value} B`;
}

function durationText(value: number): string {
  if (value >= 3_600_000 && value % 3_600_000 === 0) return `${value / 3_600_000} h`;
  if (value >= 120_000 && value % 60_000 === 0) return `${value / 60_000} m`;
  return value % 1000 === 0 ? `${value / 1000} s` : `${value} ms`;
}
