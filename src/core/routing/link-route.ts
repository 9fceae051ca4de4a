/**
 * Makes a link to one route, or explains why the route has no link (§4.3, URL generation; rule E).
 *
 * Ambient values are the values of the current request. A link reuses them from left to right, up to the first given
 * value that differs from its ambient value. On `/en/shop/5`, a link with another second value keeps `en` and drops
 * `5`.
 */

import { foldCase, sameText } from '../http/text.ts';
import { rejectionOf } from './constraints/constraint.ts';
import { encode } from './encode.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { LinkValue, LinkValues } from './route.ts';
import type { Segment } from './template.ts';

interface NamedText {
  readonly name: string;
  /** The text in a path: the members of a list, joined by commas. Null for the value null. */
  readonly text: string | null;
  /** The texts of the members of a list, each of which becomes a pair of the query; undefined for other values. */
  readonly members: readonly (string | null)[] | undefined;
}

/** Values by name in folded case, in the given order. A repeated name has its first position and its last value. */
type LinkTexts = ReadonlyMap<string, NamedText>;

export function linkTexts(values: LinkValues = {}): LinkTexts {
  const texts = new Map<string, NamedText>();
  const add = (name: string, value: LinkValue): void => {
    if (value === undefined) return;
    const members = Array.isArray(value) ? value.filter((member) => member !== undefined).map(textOf) : undefined;
    texts.set(foldCase(name), { name, text: members === undefined ? textOf(value) : textOfList(members), members });
  };
  if (Symbol.iterator in values) for (const [name, value] of values) add(name, value);
  else for (const name of Object.keys(values)) add(name, values[name]);
  return texts;
}

const textOf = (value: LinkValue): string | null => (value === null ? null : String(value));

/** A list with one member has the same text as this member. */
const textOfList = (members: readonly (string | null)[]): string | null =>
  members.length === 1 ? members[0]! : members.join(',');

export const NO_TEXTS: LinkTexts = new Map();

/** True if both values are equal ignoring case. Null differs from the empty text (rule E.1). */
const sameValue = (left: string | null, right: string | null): boolean =>
  left === null || right === null ? left === right : sameText(left, right);

/** The texts of the parameters that have one, by name in folded case. */
type ChosenTexts = ReadonlyMap<string, string>;

interface Reason {
  readonly reason: string;
}

/**
 * Returns the link to one route, or the reason why the route has no link. The caller then tries the next route with the
 * same given and ambient values: a failed route adds no values (D28).
 */
export function linkRoute(prepared: PreparedRoute, given: LinkTexts, ambient: LinkTexts): { path: string } | Reason {
  const { route, defaults, constrained } = prepared;
  const texts = new Map<string, string>();
  let reuses = true;
  /** The number of values that are not values of parameters. */
  let others = given.size;
  for (const { key, name, optional, catchAll } of route.template.parameters) {
    const value = given.get(key)?.text;
    if (value !== undefined) others -= 1;
    const current = ambient.get(key)?.text;
    if (value !== undefined && current !== undefined) reuses &&= sameValue(value, current);
    // Null or an empty text takes the place of the ambient value, but is not a value itself (rule E.2).
    let text = value === undefined && reuses ? current : value || undefined;
    if (text === undefined && !optional && !catchAll) {
      text = defaults.get(key)?.value;
      if (text === undefined) return { reason: `{${name}} has no value` };
    }
    if (text !== undefined && text !== null) texts.set(key, text);
  }
  if (defaults.size > 0 || constrained.length > 0) {
    const reason = rejectedBy(prepared, given, ambient, texts);
    if (reason !== undefined) return { reason };
  }
  const path = pathOf(prepared, texts);
  if (typeof path !== 'string') return path;
  return { path: others === 0 ? path : path + queryOf(prepared, given, texts) };
}

/** Returns why the defaults outside the template or the constraints reject the values (rules E.2, E.3). */
function rejectedBy(
  { defaults, constrained }: PreparedRoute,
  given: LinkTexts,
  ambient: LinkTexts,
  texts: ChosenTexts,
): string | undefined {
  for (const [key, { name, value, parameter }] of defaults) {
    const text = parameter === undefined ? given.get(key)?.text : undefined;
    if (text !== undefined && !sameValue(text, value))
      return `"${name}" is ${JSON.stringify(text)}, but must equal its default ${JSON.stringify(value)}`;
  }
  for (const { name, key, constraints, parameter } of constrained) {
    const text = parameter === undefined ? given.get(key)?.text || ambient.get(key)?.text || null : texts.get(key);
    if (parameter?.optional && text === undefined) continue;
    const reason = rejectionOf(name, constraints, text ?? undefined, 'link');
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Returns the path of the template with the values of its parameters, or the reason why it has none (rule E.4).
 *
 * Nothing can follow a segment that begins without a value. Segments at the end whose values equal their defaults are
 * omitted: `{controller=Home}/{action=Index}/{id?}` becomes `/` without values, and `/Home/Index/5` with the id 5.
 */
function pathOf({ route, literals, defaults }: PreparedRoute, texts: ChosenTexts): string | Reason {
  const { segments } = route.template;
  let path = '';
  /** The length of the path without the defaults at its end. */
  let needed = 0;
  for (let depth = 0; depth < segments.length; depth++) {
    const parts = segments[depth]!;
    const text = literals[depth]?.encoded ?? segmentOf(parts, texts, defaults, path === '');
    if (typeof text === 'object') return text;
    if (text === undefined) {
      const isWritten = (part: Segment[number]): boolean => part.kind === 'literal' || Boolean(texts.get(part.key));
      const next = segments.slice(depth + 1).find((later) => later.some(isWritten));
      if (next !== undefined) return withoutValueBefore(next[0]!);
      break;
    }
    // A first segment such as `.{extension?}` writes nothing without its value, not even a slash.
    if (text !== '' || path !== '' || parts.length === 1) path += `/${text}`;
    const isDefault = defaults.size > 0 && parts.length === 1 && equalsDefault(parts[0]!, texts, defaults);
    if (!isDefault) needed = path.length;
  }
  path = path.slice(0, needed) || '/';
  return faultOf(path) ?? path;
}

/** Returns the text of a segment with parameters; undefined for one parameter without a value. */
function segmentOf(
  parts: Segment,
  texts: ChosenTexts,
  defaults: PreparedRoute['defaults'],
  isFirst: boolean,
): string | Reason | undefined {
  let written = '';
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.kind === 'literal') {
      written += part.encoded;
      continue;
    }
    let text = texts.get(part.key);
    if (!text) {
      if (parts.length === 1) return undefined;
      if (at === 0) return withoutValueBefore(parts[1]!);
      if (!part.optional || equalsDefault(part, texts, defaults))
        return { reason: `{${part.name}} would be empty inside its segment` };
      // The period before an optional value is omitted together with the value.
      return written.slice(0, -1);
    }
    // Every path begins with a slash, so a leading slash of the first value is not written again.
    if (isFirst && at === 0 && text[0] === '/' && !equalsDefault(part, texts, defaults)) text = text.slice(1);
    // The slashes of a catch-all stay slashes (D26).
    written += part.catchAll ? text.split('/').map(encode).join('/') : encode(text);
  }
  return written;
}

function equalsDefault(part: Segment[number], texts: ChosenTexts, defaults: PreparedRoute['defaults']): boolean {
  const fallback = part.kind === 'literal' ? undefined : defaults.get(part.key);
  return fallback !== undefined && sameValue(texts.get(part.key) ?? null, fallback.value);
}

const withoutValueBefore = (part: Segment[number]): Reason => ({
  reason: `${part.kind === 'literal' ? `"${part.encoded}"` : `{${part.name}}`} would follow a part without a value`,
});

/**
 * Returns why a path leads elsewhere (D30). A redirect to `//evil.example/x` leads to the host "evil.example". Clients
 * remove the segments `.` and `..`.
 */
function faultOf(path: string): Reason | undefined {
  if (path[1] === '/') return { reason: 'its path would begin with two slashes, which leads to another host' };
  const dots = path.includes('/.') ? /(?<=\/)\.\.?(?=\/|$)/.exec(path)?.[0] : undefined;
  return dots === undefined
    ? undefined
    : { reason: `its path would have the segment "${dots}", which leads to another path` };
}

/** Returns the query: the given values that are not parameters and have no default (rule E.5). */
function queryOf({ defaults }: PreparedRoute, given: LinkTexts, texts: ChosenTexts): string {
  let query = '';
  for (const [key, { name, text, members }] of given) {
    if (texts.has(key) || defaults.has(key)) continue;
    for (const member of members ?? [text])
      if (member) query += `${query === '' ? '?' : '&'}${encode(name)}=${encode(member)}`;
  }
  return query;
}

/** Options for the paths of all links: lower case, and a trailing slash. They do not change the query of a link. */
export interface LinkStyle {
  readonly lowercaseUrls?: boolean | undefined;
  readonly appendTrailingSlash?: boolean | undefined;
}

/** Returns a function that writes a link in this style; undefined if links keep their form. */
export function linkStyler({ lowercaseUrls, appendTrailingSlash }: LinkStyle): ((link: string) => string) | undefined {
  if (!lowercaseUrls && !appendTrailingSlash) return undefined;
  const styled = (path: string): string => {
    const cased = lowercaseUrls ? path.toLowerCase() : path;
    return appendTrailingSlash && !cased.endsWith('/') ? `${cased}/` : cased;
  };
  return (link) => link.replace(/^[^?]*/, styled);
}
