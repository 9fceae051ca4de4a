/**
 * Makes a link to one route, or explains why the route has no link (§4.3, URL generation; rule E).
 *
 * Ambient values are the values of the current request. A link reuses them from left to right, up to the first given
 * value that differs from its ambient value. On `/en/shop/5`, a link with another second value keeps `en` and drops
 * `5`.
 */

import { foldCase, sameText } from '../http/text.ts';
import { rejectionOf } from './constraints/constraint.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { LinkValue, LinkValues } from './route.ts';

/** The text of a value; null for the value null. Each item of a list becomes a separate pair of the query. */
type LinkText = string | null | readonly (string | null)[];

interface NamedText {
  readonly name: string;
  readonly text: LinkText;
}

/** Values by name in folded case, in the given order. A repeated name has its first position and its last value. */
type LinkTexts = ReadonlyMap<string, NamedText>;

export function linkTexts(values: LinkValues = {}): LinkTexts {
  const texts = new Map<string, NamedText>();
  for (const [name, value] of Symbol.iterator in values ? values : Object.entries(values))
    if (value !== undefined) texts.set(foldCase(name), { name, text: linkText(value) });
  return texts;
}

function linkText(value: Exclude<LinkValue, undefined>): LinkText {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(scalarText);
  return scalarText(value);
}
const scalarText = (value: LinkValue): string | null => (value === null ? null : String(value));

const isGiven = (text: LinkText | undefined): text is Exclude<LinkText, null> =>
  text !== null && text !== undefined && text !== '';

const textOf = (text: LinkText): string => (text === null ? '' : typeof text === 'string' ? text : text.join(','));

/** True if both values are equal ignoring case. Null differs from the empty text (rule E.1). */
const sameValue = (left: LinkText, right: LinkText): boolean =>
  left === null || right === null ? left === right : sameText(textOf(left), textOf(right));

/** Returns the ambient values that a route reuses, by name in folded case: up to the first given value that differs. */
function reusedTexts({ route }: PreparedRoute, given: LinkTexts, ambient: LinkTexts): ReadonlyMap<string, LinkText> {
  const reused = new Map<string, LinkText>();
  for (const { key } of route.template.parameters) {
    const current = ambient.get(key);
    const value = given.get(key);
    if (current === undefined) continue;
    if (value === undefined) reused.set(key, current.text);
    else if (!sameValue(value.text, current.text)) break;
  }
  return reused;
}

type LinkResult = { readonly path: string } | { readonly reason: string };

/**
 * Returns the link to one route, or the reason why the route has no link. The caller then tries the next route with the
 * same given and ambient values: a failed route adds no values (D28).
 */
export function linkRoute(prepared: PreparedRoute, given: LinkTexts, ambient: LinkTexts): LinkResult {
  const { defaults, constrained, route } = prepared;
  const reused = reusedTexts(prepared, given, ambient);
  const texts = new Map<string, LinkText>();
  for (const { key, name, optional, catchAll } of route.template.parameters) {
    const value = given.get(key);
    let text = value === undefined ? reused.get(key) : isGiven(value.text) ? value.text : undefined;
    if (text === undefined && !optional && !catchAll) {
      text = defaults.get(key)?.value;
      if (text === undefined) return { reason: `{${name}} has no value` };
    }
    if (text !== undefined) texts.set(key, text);
  }
  for (const [key, { name, value, parameter }] of defaults) {
    const text = parameter === undefined ? given.get(key)?.text : undefined;
    if (text !== undefined && !sameValue(text, value))
      return { reason: `"${name}" is ${JSON.stringify(text)}, but must equal its default ${JSON.stringify(value)}` };
  }
  for (const { name, key, constraints, parameter } of constrained) {
    const others = [given.get(key)?.text, ambient.get(key)?.text];
    const text = parameter === undefined ? others.find(isGiven) : texts.get(key);
    if (parameter?.optional && text === undefined) continue;
    const value = text === undefined || text === null ? undefined : textOf(text);
    const reason = rejectionOf(name, constraints, value, 'link');
    if (reason !== undefined) return { reason };
  }
  const path = pathOf(prepared, texts);
  return typeof path === 'string' ? { path: path + queryOf(prepared, given, texts) } : path;
}

/**
 * Returns the path of the template with the values of its parameters, or the reason why it has none (rule E.4).
 *
 * If all values of a segment equal their defaults, the segment is written only if a later segment must be written:
 * `{controller=Home}/{action=Index}/{id?}` becomes `/` without values, and `/Home/Index/5` with the id 5. After a
 * segment whose first part is empty, nothing more of the path can be written.
 */
function pathOf(prepared: PreparedRoute, texts: ReadonlyMap<string, LinkText>): string | { readonly reason: string } {
  let path = '';
  let pending = '';
  let hasEmptyPart = false;
  for (const segment of prepared.route.template.segments) {
    const isFirst = path === '' && pending === '';
    let written: string | undefined;
    let isPending = true;
    for (const part of segment) {
      const parameter = part.kind === 'parameter' ? part : undefined;
      const value = part.kind === 'literal' ? part.text : (texts.get(part.key) ?? null);
      const fallback = parameter && prepared.defaults.get(parameter.key);
      const isDefault = fallback !== undefined && sameValue(value, fallback.value);
      const text = textOf(value);
      if (text === '') {
        if (written === undefined) hasEmptyPart = true;
        // The period before an optional value is omitted together with the value.
        else if (parameter!.optional && !isDefault) written = written.slice(0, -1) || (isFirst ? undefined : '');
        else return { reason: `{${parameter!.name}} would be empty inside its segment` };
        continue;
      }
      if (hasEmptyPart) {
        const subject = part.kind === 'literal' ? `"${encode(text)}"` : `{${part.name}}`;
        return { reason: `${subject} would follow a part without a value` };
      }
      isPending &&= isDefault;
      // Every path begins with a slash, so a leading slash of the first value is not written again.
      const isLeading = parameter !== undefined && isFirst && written === undefined && !isDefault && text[0] === '/';
      written = (written ?? '') + encoded(isLeading ? text.slice(1) : text, parameter?.catchAll);
    }
    if (written === undefined) continue;
    pending += `/${written}`;
    if (isPending) continue;
    path += pending;
    pending = '';
  }
  // A redirect to "//evil.example/x" leads to the host "evil.example". Clients remove the segments `.` and `..`, so
  // such a link would lead to another route (D30).
  if (path[1] === '/') return { reason: 'its path would begin with two slashes, which leads to another host' };
  const [dots] = /(?<=\/)\.\.?(?=\/|$)/.exec(path) ?? [];
  if (dots !== undefined) return { reason: `its path would have the segment "${dots}", which leads to another path` };
  return path === '' ? '/' : path;
}

/** Returns the query: the given values that are not parameters and have no default (rule E.5). */
function queryOf({ defaults }: PreparedRoute, given: LinkTexts, texts: ReadonlyMap<string, LinkText>): string {
  let query = '';
  for (const [key, { name, text }] of given) {
    if (texts.has(key) || defaults.get(key)) continue;
    for (const member of [text].flat())
      if (isGiven(member)) query += `${query === '' ? '?' : '&'}${encode(name)}=${encode(member)}`;
  }
  return query;
}

/** The characters `A–Z a–z 0–9 - . _ ~ ! $ ( ) * , ; @` are not encoded in a link (rule E.5.2). */
const UNRESERVED = /^[\w\-.~!$()*,;@]*$/;

/**
 * Percent-encodes text for a link, as UTF-8. A lone surrogate becomes U+FFFD. Most texts, such as ids, need no
 * encoding, so the first line returns them unchanged. Without this early return and the early return of
 * `applyLinkStyle`, a POST takes about 7 % longer on Node 26.
 */
export function encode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll(/%24|%2C|%3B|%40/g, decodeURIComponent)
    .replaceAll("'", '%27');
}

/** Percent-encodes a value, except for the slashes in the value of a catch-all (D26). */
const encoded = (text: string, catchAll = false): string =>
  catchAll ? text.split('/').map(encode).join('/') : encode(text);

/** Options for the paths of all links: lower case, and a trailing slash. They do not change the query of a link. */
export interface LinkStyle {
  readonly lowercaseUrls?: boolean | undefined;
  readonly appendTrailingSlash?: boolean | undefined;
}

/** Returns the link in this style. */
export function applyLinkStyle(link: string, { lowercaseUrls, appendTrailingSlash }: LinkStyle): string {
  if (!lowercaseUrls && !appendTrailingSlash) return link;
  return link.replace(/^[^?]*/, (path) => {
    const cased = lowercaseUrls ? path.toLowerCase() : path;
    return appendTrailingSlash && !cased.endsWith('/') ? `${cased}/` : cased;
  });
}
