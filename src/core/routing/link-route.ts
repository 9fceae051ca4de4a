/**
 * Makes a link by one route, or says why the route makes none (§4.3, URL generation; reference E).
 *
 * Ambient values are reused from left to right until a given value differs. On `/en/shop/5` a link with a new second
 * value keeps `en` and drops `5`.
 */
import { excessOf } from './constraints/constraint.ts';
import { encode, encodeCatchAll, isGiven, type LinkText, type LinkTexts } from './link-values.ts';
import { type Defaults, linkPartsOf, type PreparedRoute } from './prepared-route.ts';
import { sameText } from './text.ts';

/** Path and query, or why the route makes no link. */
export type LinkResult = { readonly path: string } | { readonly reason: string };

type AcceptedValues = Map<string, { readonly name: string; readonly text: LinkText }>;

/** Which ambient values a route has reused. */
export interface Reuse {
  /** By folded name. */
  readonly kept: Set<string>;
  /** The first parameter whose given value differs from its ambient one: there the reuse ends. */
  differing?: string;
}

/** Makes a link by one route, and notes in `reuse` which ambient values it has reused. */
export function linkRoute(prepared: PreparedRoute, given: LinkTexts, ambient: LinkTexts, reuse?: Reuse): LinkResult {
  const path = prepared.plain && ambient.size === 0 ? plainPath(prepared, given) : undefined;
  return path === undefined ? linkByRules(prepared, given, ambient, reuse) : { path };
}

/** Returns the path of a plain route whose values, and no others, are given. Measured: 200 ns instead of 470. */
function plainPath(prepared: PreparedRoute, given: LinkTexts): string | undefined {
  if (given.size !== prepared.route.template.parameters.length) return undefined;
  let path = '';
  for (const { literal, key, parameter } of linkPartsOf(prepared)) {
    const text = parameter === undefined ? literal : given.get(key)?.text;
    // The rules treat a slash at the start of a value in another way.
    if (typeof text !== 'string' || text === '' || text[0] === '/') return undefined;
    path += parameter === undefined ? `/${literal}` : `/${encode(text)}`;
  }
  return path === '' ? '/' : path;
}

function linkByRules(prepared: PreparedRoute, given: LinkTexts, ambient: LinkTexts, reuse?: Reuse): LinkResult {
  const { defaults } = prepared;
  const parts = linkPartsOf(prepared);
  const accepted: AcceptedValues = new Map();
  for (const { key, parameter } of parts) {
    if (parameter === undefined) continue;
    const value = given.get(key);
    const current = ambient.get(key);
    if (value && current && !sameValue(value.text, current.text)) {
      if (reuse !== undefined) reuse.differing = parameter.name;
      break;
    }
    if (current && !value) reuse?.kept.add(key);
    if (value ? isGiven(value.text) : current) accepted.set(key, (value ?? current)!);
  }
  for (const [key, value] of given) if (isGiven(value.text) && !accepted.has(key)) accepted.set(key, value);
  for (const { key, parameter } of parts) {
    if (parameter === undefined || parameter.optional || parameter.catchAll || accepted.has(key)) continue;
    const { name } = parameter;
    const fallback = defaults.get(key);
    if (fallback === undefined) return { reason: `{${name}} has no value` };
    accepted.set(key, { name, text: fallback.value });
  }
  for (const [key, { name, value, parameter }] of defaults) {
    const text = parameter === undefined ? given.get(key)?.text : undefined;
    if (text !== undefined && !sameValue(text, value))
      return { reason: `"${name}" is ${JSON.stringify(text)}, its default is ${JSON.stringify(value)}` };
  }
  const reason = constraintRejection(prepared, accepted, ambient);
  return reason === undefined ? writtenLink(prepared, accepted) : { reason };
}

function constraintRejection({ constrained }: PreparedRoute, accepted: AcceptedValues, ambient: LinkTexts) {
  for (const { name, key, constraints, parameter } of constrained) {
    const current = parameter === undefined ? ambient.get(key) : undefined;
    const value = accepted.get(key) ?? (isGiven(current?.text) ? current : undefined);
    if (parameter?.optional && value === undefined) continue;
    const text = value === undefined || value.text === null ? undefined : textOf(value.text);
    for (const constraint of constraints) {
      const excess = excessOf(constraint, name, text);
      if (excess !== undefined) return excess;
      if (!constraint.accepts(text, 'link'))
        return `{${name}:${constraint.text}} rejects ${text === undefined ? 'a missing value' : JSON.stringify(text)}`;
    }
  }
  return undefined;
}

/**
 * Writes the template with the accepted values (reference E.4). Values that are no parameters become the query.
 *
 * A value that equals its default waits until a later part is written: `{controller=Home}/{action=Index}/{id?}` gives
 * `/` with defaults alone and `/Home/Index/5` with an id. After an empty part nothing can be written.
 */
function writtenLink(prepared: PreparedRoute, accepted: AcceptedValues): LinkResult {
  const { defaults } = prepared;
  let path = '';
  let waiting = '';
  let hasEmptyPart = false;
  // Whether the current segment has a part that was written, or one that was written or waits.
  let isWritten = false;
  let isStarted = false;
  let lengthBefore = 0;
  for (const { startsSegment, literal, key, parameter, followsSeparator } of linkPartsOf(prepared)) {
    if (startsSegment) isWritten = isStarted = false;
    let text = literal;
    let isDefault = false;
    if (parameter !== undefined) {
      const value = accepted.get(key)?.text ?? null;
      const fallback = defaults.get(key);
      text = textOf(value);
      isDefault = fallback !== undefined && sameValue(value, fallback.value);
      accepted.delete(key);
    }
    if (text === '' && isStarted && followsSeparator && !isDefault) {
      path = path.slice(0, lengthBefore);
      continue;
    }
    if (text === '' && isStarted) return { reason: `{${parameter!.name}} would be empty inside its segment` };
    if (text === '') {
      hasEmptyPart = true;
      continue;
    }
    const subject = parameter === undefined ? `"${literal}"` : `{${parameter.name}}`;
    if (hasEmptyPart) return { reason: `${subject} would follow a part without a value` };
    if (!isStarted && path + waiting !== '') waiting += '/';
    isStarted = true;
    if (isDefault && !isWritten) {
      waiting += encodedValue(text, parameter!.catchAll);
      continue;
    }
    path += waiting;
    waiting = '';
    lengthBefore = path.length;
    isWritten = true;
    // A slash at the start of the path is the one that every path begins with.
    if (parameter === undefined) path += literal;
    else if (path === '' && text[0] === '/') path = `/${encodedValue(text.slice(1), parameter.catchAll)}`;
    else path += encodedValue(text, parameter.catchAll);
  }
  const rooted = path.startsWith('/') ? path : `/${path}`;
  // A client that is redirected to it asks the host "evil.example" for "//evil.example/x".
  if (rooted.startsWith('//')) return { reason: 'its path would begin with two slashes, which leads to another host' };
  return { path: accepted.size === 0 ? rooted : rooted + queryOf(accepted, defaults) };
}

const encodedValue = (text: string, catchAll: boolean): string => (catchAll ? encodeCatchAll(text) : encode(text));

/** Writes the query. A value with a default is not part of it (reference E.5). */
function queryOf(accepted: AcceptedValues, defaults: Defaults): string {
  let query = '';
  for (const [key, { name, text }] of accepted) {
    if (defaults.has(key)) continue;
    for (const member of [text].flat())
      if (isGiven(member)) query += `${query === '' ? '?' : '&'}${encode(name)}=${encode(member as string)}`;
  }
  return query;
}

const textOf = (text: LinkText): string => (text === null ? '' : typeof text === 'string' ? text : text.join(','));

/** Compares ignoring case. Null differs from the empty text (reference E.1). */
const sameValue = (one: LinkText, other: LinkText): boolean =>
  one === null || other === null ? one === other : sameText(textOf(one), textOf(other));

/** The style of the links of a collection: lower case and a slash at the end. The query of a link stays as it is. */
export interface LinkStyle {
  readonly lowercaseUrls?: boolean;
  readonly appendTrailingSlash?: boolean;
}

/** Returns the link in this style. */
export function applyLinkStyle(link: string, { lowercaseUrls, appendTrailingSlash }: LinkStyle): string {
  if (!lowercaseUrls && !appendTrailingSlash) return link;
  const mark = link.indexOf('?');
  let path = mark < 0 ? link : link.slice(0, mark);
  if (lowercaseUrls) path = path.toLowerCase();
  if (appendTrailingSlash && !path.endsWith('/')) path += '/';
  return mark < 0 ? path : path + link.slice(mark);
}
