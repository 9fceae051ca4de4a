/**
 * Makes a link by one route, or says why the route makes none (§4.3, URL generation; reference E).
 *
 * Ambient values are reused from left to right until a given value differs. On `/en/shop/5` a link with a new second
 * value keeps `en` and drops `5`.
 */

import { foldCase, sameText } from '../message/text.ts';
import { rejectionOf } from './constraints/constraint.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { LinkValue, LinkValues } from './route.ts';

/** A value as text. Null is a value without text. A list is one query pair per item. */
export type LinkText = string | null | readonly (string | null)[];

interface NamedText {
  readonly name: string;
  readonly text: LinkText;
}

/** Values by folded name, in the given order. A repeated name has its last value at its first position. */
export type LinkTexts = ReadonlyMap<string, NamedText>;

export function linkTexts(values: LinkValues = {}): LinkTexts {
  const texts = new Map<string, NamedText>();
  for (const [name, value] of Symbol.iterator in values ? values : Object.entries(values))
    if (value !== undefined) texts.set(foldCase(name), { name, text: linkText(value) });
  return texts;
}

function linkText(value: Exclude<LinkValue, undefined>): LinkText {
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map(scalarText);
  return scalarText(value);
}
const scalarText = (value: LinkValue): string | null => (value === null ? null : String(value));

/** True unless the text is absent, null or empty. */
export const isGiven = (text: LinkText | undefined): text is Exclude<LinkText, null> =>
  text !== null && text !== undefined && text !== '';

const textOf = (text: LinkText): string => (text === null ? '' : typeof text === 'string' ? text : text.join(','));

/** Compares ignoring case. Null differs from the empty text (reference E.1). */
const sameValue = (one: LinkText, other: LinkText): boolean =>
  one === null || other === null ? one === other : sameText(textOf(one), textOf(other));

/** Which ambient values a route reuses. */
interface Reuse {
  /** By folded name. */
  readonly kept: ReadonlyMap<string, LinkText>;
  /** The first parameter whose given value differs from its ambient one: there the reuse ends. */
  readonly differing?: string;
}

export function reuseOf({ route }: PreparedRoute, given: LinkTexts, ambient: LinkTexts): Reuse {
  const kept = new Map<string, LinkText>();
  for (const { name, key } of route.template.parameters) {
    const current = ambient.get(key);
    const value = given.get(key);
    if (current === undefined) continue;
    if (value === undefined) kept.set(key, current.text);
    else if (!sameValue(value.text, current.text)) return { kept, differing: name };
  }
  return { kept };
}

/** Path and query, or why the route makes no link. */
type LinkResult = { readonly path: string } | { readonly reason: string };

/** Makes a link by one route. */
export function linkRoute(prepared: PreparedRoute, given: LinkTexts, ambient: LinkTexts): LinkResult {
  const { defaults, constrained, route } = prepared;
  const { kept } = reuseOf(prepared, given, ambient);
  const texts = new Map<string, LinkText>();
  for (const { key, name, optional, catchAll } of route.template.parameters) {
    const value = given.get(key);
    let text = value === undefined ? kept.get(key) : isGiven(value.text) ? value.text : undefined;
    if (text === undefined && !optional && !catchAll) {
      text = defaults.get(key)?.value;
      if (text === undefined) return { reason: `{${name}} has no value` };
    }
    if (text !== undefined) texts.set(key, text);
  }
  for (const [key, { name, value, parameter }] of defaults) {
    const text = parameter === undefined ? given.get(key)?.text : undefined;
    if (text !== undefined && !sameValue(text, value))
      return { reason: `"${name}" is ${JSON.stringify(text)}, its default is ${JSON.stringify(value)}` };
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
 * Writes the template with the values of its parameters (reference E.4).
 *
 * A value that equals its default waits until a later part is written: `{controller=Home}/{action=Index}/{id?}` gives
 * `/` with defaults alone and `/Home/Index/5` with an id. After an empty part nothing can be written.
 */
function pathOf(prepared: PreparedRoute, texts: ReadonlyMap<string, LinkText>): string | { readonly reason: string } {
  let path = '';
  let waiting = '';
  let hasEmptyPart = false;
  for (const segment of prepared.route.template.segments) {
    const isFirst = path === '' && waiting === '';
    let written: string | undefined;
    let isWaiting = true;
    for (const part of segment) {
      const parameter = part.kind === 'parameter' ? part : undefined;
      const value = part.kind === 'literal' ? part.text : (texts.get(part.key) ?? null);
      const fallback = parameter && prepared.defaults.get(parameter.key);
      const isDefault = fallback !== undefined && sameValue(value, fallback.value);
      const text = textOf(value);
      if (text === '') {
        if (written === undefined) hasEmptyPart = true;
        // The period before it is left out with it.
        else if (parameter!.optional && !isDefault) written = written.slice(0, -1) || (isFirst ? undefined : '');
        else return { reason: `{${parameter!.name}} would be empty inside its segment` };
        continue;
      }
      if (hasEmptyPart) {
        const subject = part.kind === 'literal' ? `"${encode(text)}"` : `{${part.name}}`;
        return { reason: `${subject} would follow a part without a value` };
      }
      isWaiting &&= isDefault;
      // A slash at the start of the path is the one that every path begins with.
      const isLeading = parameter !== undefined && isFirst && written === undefined && !isDefault && text[0] === '/';
      written = (written ?? '') + encoded(isLeading ? text.slice(1) : text, parameter?.catchAll);
    }
    if (written === undefined) continue;
    waiting += `/${written}`;
    if (isWaiting) continue;
    path += waiting;
    waiting = '';
  }
  // A client that is redirected to it asks the host "evil.example" for "//evil.example/x".
  if (path[1] === '/') return { reason: 'its path would begin with two slashes, which leads to another host' };
  const [dots] = /(?<=\/)\.\.?(?=\/|$)/.exec(path) ?? [];
  if (dots !== undefined) return { reason: `its path would have the segment "${dots}", which leads to another path` };
  return path === '' ? '/' : path;
}

/** Writes the given values that are not parameters. A value with a default is not part of the query (reference E.5). */
function queryOf({ defaults }: PreparedRoute, given: LinkTexts, texts: ReadonlyMap<string, LinkText>): string {
  let query = '';
  for (const [key, { name, text }] of given) {
    if (texts.has(key) || defaults.get(key)) continue;
    for (const member of [text].flat())
      if (isGiven(member)) query += `${query === '' ? '?' : '&'}${encode(name)}=${encode(member)}`;
  }
  return query;
}

/** `A–Z a–z 0–9 - . _ ~ ! $ ( ) * , ; @` stay as they are in a link (reference E.5.2). */
const UNRESERVED = /^[\w\-.~!$()*,;@]*$/;

/**
 * Percent-encodes text for a link, as UTF-8. A lone surrogate becomes U+FFFD. Most texts are keys, which stay as they
 * are: without the first line, and that of `applyLinkStyle`, a POST takes about 7 % longer on Node 26.
 */
export function encode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll(/%24|%2C|%3B|%40/g, decodeURIComponent)
    .replaceAll("'", '%27');
}

/** The slashes of a catch-all stay slashes (D26). */
const encoded = (text: string, catchAll = false): string =>
  catchAll ? text.split('/').map(encode).join('/') : encode(text);

/** The style of the links of a collection: lower case and a slash at the end. The query of a link stays as it is. */
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
