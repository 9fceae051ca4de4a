/** Reads and changes header lines as a reply has them: an object, or a flat list of names and values. */

/** An object, or a flat list `[name, value, name, value, …]`, which is written as it is. */
export type HeaderLines = readonly string[] | Readonly<Record<string, string>>;

/** The headers as a flat list of names and values. */
export function flat(headers: HeaderLines): readonly string[] {
  if (Array.isArray(headers)) return headers;
  const lines: string[] = [];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  return lines;
}

/** Are these the name of one header, in any case? Most names differ in their length. */
export const isSameName = (one: string, other: string): boolean =>
  one.length === other.length && one.toLowerCase() === other.toLowerCase();

/** The value of the first line of this name, in any case; undefined for none. An unchecked name may be no text. */
export function lineValue(lines: readonly string[], name: string): string | undefined {
  for (let at = 0; at < lines.length; at += 2) if (isSameName(String(lines[at]), name)) return lines[at + 1];
  return undefined;
}

/** The lines without those whose name is told by `isLeftOut`. */
export function withoutLines(lines: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 2) if (!isLeftOut(lines[at]!)) kept.push(lines[at]!, lines[at + 1]!);
  return kept;
}

/** The default lines whose names are not given, in any case, and the given ones behind them. */
export function withDefaults(defaults: readonly string[], given: HeaderLines | undefined): readonly string[] {
  if (given === undefined) return defaults;
  const lines = flat(given);
  if (lines.length === 0) return defaults;
  return [...withoutLines(defaults, (name) => lineValue(lines, name) !== undefined), ...lines];
}

/** Does this name, in any case, read `Content-Length`? */
export const isContentLength = (name: string): boolean => isSameName(name, 'Content-Length');

/** Does it read `Content-Length` or `Content-Type`, which follow from the body? */
export const isOfContent = (name: string): boolean => isContentLength(name) || isSameName(name, 'Content-Type');
