/**
 * Declares what a setting consists of: a kind that parses its text, a default and a sentence of help.
 *
 * The flag, the variable, the help text and the table in `README.md` are derived from it, so they cannot differ (D32).
 */

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
export type InvalidPart = { readonly text: string; readonly cause: string };

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
