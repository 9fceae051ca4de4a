/**
 * What one setting is: a kind that reads its text, a default and a sentence of help.
 *
 * Flag, variable, help text and the README's table are derived from such rows, so that `--max-body` cannot be documented
 * as something it is not (D32).
 */

/** A sort of value: how it is written on a command line and what it may be. */
export interface Kind<Value> {
  /** Stands for the value in the help text: `PORT`, `on|off`. Empty for a flag that needs no value. */
  readonly placeholder: string;
  /** What a value is counted in and its bounds, as a reader sees it: `bytes, 1 to 256 MiB`. */
  readonly unit: string;
  /** May be given more than once; the texts arrive joined by commas. */
  readonly repeatable?: boolean;
  /** Reads a text. Throws `UnfitValue` with the cause and the remedy. */
  parse(text: string): Value;
  /** Writes a default as the help text shows it. */
  show(value: Value): string;
}

/** One row of the table of settings. */
export interface Setting<Value> {
  readonly kind: Kind<Value>;
  /** The value when neither flag nor variable gives one. A function where it depends on the machine; it is called when it is read. */
  readonly default: Value | (() => Value);
  readonly help: string;
  /** The flag's name, where it is not the key in kebab case. */
  readonly flag?: string;
  /** The default in words, where the value itself says nothing. */
  readonly defaultText?: string;
}

/** A part of a text that is wrong by itself, an entry of a list for example. */
export interface UnfitPart {
  readonly text: string;
  readonly cause: string;
}

/** A text that a kind does not take. The message is the cause, then the remedy: `it is not a whole number; give 0 to 65535`. */
export class UnfitValue extends Error {
  /** Every part that is wrong by itself, where the rest is not. */
  readonly parts: readonly UnfitPart[];

  constructor(message: string, parts: readonly UnfitPart[] = []) {
    super(message);
    this.parts = parts;
  }
}

/** A command line or an environment that the service cannot start with: a line for each fault, exit code 2 (D32). */
export class SettingsError extends Error {
  readonly exitCode = 2;
  /** Each names the setting, quotes the value and says why it is wrong. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
    this.lines = lines;
  }
}

/** `maxBody` → `max-body`: the flag's name without its dashes. */
export const flagOf = (key: string, setting: { readonly flag?: string }): string =>
  setting.flag ?? words(key).join('-');

/** `maxBody` → `MAX_BODY`. */
export const variableOf = (key: string): string => words(key).join('_').toUpperCase();

const words = (key: string): string[] => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');

/** The default of a row as a property of the settings. */
export const defaultOf = ({ default: value }: Setting<unknown>): PropertyDescriptor => ({
  enumerable: true,
  ...(typeof value === 'function' ? { get: value as () => unknown } : { value }),
});
