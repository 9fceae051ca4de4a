/**
 * What a link is asked to be made of: explicit values and those of the current request, as text (D34; reference E).
 *
 * `null` is given but empty, `undefined` is not given, `true` is `true` and 42 is `42`; a list is one query pair per member.
 */
import { foldCase } from '../text/fold-case.ts';

type Scalar = string | number | bigint | boolean | null | undefined;

/** One value for a link. */
export type LinkValue = Scalar | readonly Scalar[];

/** Values for a link: an object, or pairs, which keep their order. */
export type LinkValues = Readonly<Record<string, LinkValue>> | Iterable<readonly [name: string, value: LinkValue]>;

/** A value as text; null is given, but empty. */
export type LinkText = string | null | readonly (string | null)[];

/** Values by folded name, in the order given. A name given twice has its last value at its first place. */
export type LinkTexts = ReadonlyMap<string, { readonly name: string; readonly text: LinkText }>;

/** Values as texts. */
export function linkTexts(values: LinkValues | undefined): LinkTexts {
  if (values === undefined) return NONE;
  const texts = new Map<string, { name: string; text: LinkText }>();
  if (Symbol.iterator in values)
    for (const [name, value] of values as Iterable<readonly [string, LinkValue]>) put(texts, name, value);
  else for (const name of Object.keys(values)) put(texts, name, (values as Readonly<Record<string, LinkValue>>)[name]);
  return texts;
}

const NONE: LinkTexts = new Map();

function put(texts: Map<string, { name: string; text: LinkText }>, name: string, value: LinkValue): void {
  if (value === undefined) return;
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.filter((member) => member !== undefined).map(textOf)
        : textOf(value as Scalar);
  texts.set(foldCase(name), { name, text });
}

const textOf = (value: Scalar): string | null => (value === null || value === undefined ? null : String(value));

/** Neither null nor the empty text. */
export const isGiven = (text: LinkText | undefined): text is Exclude<LinkText, null> =>
  text !== null && text !== undefined && text !== '';
