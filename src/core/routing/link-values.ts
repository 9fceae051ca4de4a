/**
 * Converts the values for a link to text (D34; reference E).
 *
 * `true` becomes `true`, 42 becomes `42`. `null` is empty, `undefined` is no value. A list is one query pair per item.
 */
import { foldCase } from './text.ts';

type Scalar = string | number | bigint | boolean | null | undefined;

/** A value for a link. */
export type LinkValue = Scalar | readonly Scalar[];

/** Values for a link: an object, or pairs, which keep their order. */
export type LinkValues = Readonly<Record<string, LinkValue>> | Iterable<readonly [name: string, value: LinkValue]>;

/** A value as text. Null is a value without text. */
export type LinkText = string | null | readonly (string | null)[];

/** Values by folded name, in the given order. A repeated name has its last value at its first position. */
export type LinkTexts = ReadonlyMap<string, { readonly name: string; readonly text: LinkText }>;

const NO_TEXTS: LinkTexts = new Map();

export function linkTexts(values: LinkValues | undefined): LinkTexts {
  if (values === undefined) return NO_TEXTS;
  const texts = new Map<string, { name: string; text: LinkText }>();
  if (Symbol.iterator in values)
    for (const [name, value] of values as Iterable<readonly [string, LinkValue]>) put(texts, name, value);
  else for (const name of Object.keys(values)) put(texts, name, (values as Readonly<Record<string, LinkValue>>)[name]);
  return texts;
}

function put(texts: Map<string, { name: string; text: LinkText }>, name: string, value: LinkValue): void {
  if (value === undefined) return;
  const members = Array.isArray(value) ? value.filter((member) => member !== undefined) : undefined;
  const text = members?.map(scalarText) ?? scalarText(value as Scalar);
  texts.set(foldCase(name), { name, text });
}

const scalarText = (value: Scalar): string | null => (value === null || value === undefined ? null : String(value));

/** True unless the text is absent, null or empty. */
export const isGiven = (text: LinkText | undefined): text is Exclude<LinkText, null> =>
  text !== null && text !== undefined && text !== '';

/** Percent-encodes text for a link. `A–Z a–z 0–9 - . _ ~ ! $ ( ) * , ; @` stay as they are (reference E.5.2). */
const UNRESERVED = /^[\w\-.~!$()*,;@]*$/;
const CORRECTIONS: Readonly<Record<string, string>> = { '%24': '$', '%2C': ',', '%3B': ';', '%40': '@', "'": '%27' };

/** Encodes as UTF-8. A lone surrogate becomes U+FFFD. */
export function encode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
  return encoded.replaceAll(/%24|%2C|%3B|%40|'/g, (escape) => CORRECTIONS[escape]!);
}

/** Encodes the value of a catch-all parameter: its slashes stay slashes (D26). */
export const encodeCatchAll = (text: string): string =>
  UNRESERVED.test(text) ? text : text.split('/').map(encode).join('/');
