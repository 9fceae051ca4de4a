/**
 * URL generation by one route: values and ambient values → path and query, or the reason why not (§4.3, URL generation; reference E).
 *
 * Ambient values are reused from left to right until an explicit one differs: on `/en/shop/5`, a link with `shop` given anew
 * keeps `en` and forgets `5`.
 */
import { excessOf } from '../constraints/constraint.ts';
import type { LinkText, LinkTexts } from '../route/link-values.ts';
import { isGiven } from '../route/link-values.ts';
import type { PreparedRoute } from '../route/prepare-route.ts';
import type { Route } from '../route/route.ts';
import type { Defaults } from '../route/route-defaults.ts';
import { encode } from '../text/encode.ts';
import { sameText } from '../text/fold-case.ts';
import { LinkPath } from './link-path.ts';

/** A link: path and query, and the route that made it, with its data tokens. */
export interface Link {
  readonly path: string;
  readonly route: Route;
}

/** What a route says of a link. */
export type LinkVerdict = { readonly path: string } | { readonly reason: string };

type Accepted = Map<string, { name: string; text: LinkText }>;

/** Makes a link by one route. */
export function linkRoute(prepared: PreparedRoute, explicit: LinkTexts, ambient: LinkTexts): LinkVerdict {
  const path = prepared.plain && ambient.size === 0 ? plainPath(prepared, explicit) : undefined;
  return path === undefined ? weighed(prepared, explicit, ambient) : { path };
}

/** The path of a route that must be given its values and nothing else, where they are. Measured: a link in 170 ns, not 340. */
function plainPath({ written: { parts, parameters } }: PreparedRoute, explicit: LinkTexts): string | undefined {
  if (explicit.size !== parameters.length) return undefined;
  let path = '';
  for (const { literal, key, parameter } of parts) {
    const text = parameter === undefined ? literal : explicit.get(key)?.text;
    // A slash at its very beginning is written in another way.
    if (typeof text !== 'string' || text === '' || text.charCodeAt(0) === 47) return undefined;
    path += parameter === undefined ? `/${literal}` : `/${encode(text)}`;
  }
  return path === '' ? '/' : path;
}

function weighed(prepared: PreparedRoute, explicit: LinkTexts, ambient: LinkTexts): LinkVerdict {
  const {
    defaults,
    written: { parameters },
  } = prepared;
  const accepted: Accepted = new Map();
  for (const { key } of parameters) {
    const given = explicit.get(key),
      current = ambient.size === 0 ? undefined : ambient.get(key);
    if (given && current && !sameValue(given.text, current.text)) break;
    if (given ? isGiven(given.text) : current) accepted.set(key, (given ?? current)!);
  }
  for (const [key, given] of explicit) if (isGiven(given.text) && !accepted.has(key)) accepted.set(key, given);
  for (const { key, parameter } of parameters) {
    if (parameter!.optional || parameter!.catchAll || accepted.has(key)) continue;
    const fallback = defaults.get(key);
    if (fallback === undefined) return { reason: `{${parameter!.name}} has no value` };
    accepted.set(key, { name: parameter!.name, text: fallback.value });
  }
  if (defaults.size > 0) {
    for (const [key, { name, value, parameter }] of defaults) {
      const given = parameter === undefined ? explicit.get(key) : undefined;
      if (given && !sameValue(given.text, value))
        return { reason: `"${name}" is ${JSON.stringify(given.text)}, its default is ${JSON.stringify(value)}` };
    }
  }
  const refusal = prepared.constrained.length === 0 ? undefined : refusalOf(prepared, accepted, ambient);
  if (refusal !== undefined) return { reason: refusal };
  return written(prepared, accepted);
}

function refusalOf(prepared: PreparedRoute, accepted: Accepted, ambient: LinkTexts): string | undefined {
  for (const { name, key, constraints, parameter } of prepared.constrained) {
    let value = accepted.get(key);
    if (value === undefined && parameter === undefined) {
      const current = ambient.get(key);
      if (isGiven(current?.text)) value = current;
    }
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

function written({ defaults, written: { parts } }: PreparedRoute, accepted: Accepted): LinkVerdict {
  const path = new LinkPath();
  for (const { begins, literal, key, parameter, separated } of parts) {
    if (begins) path.endSegment();
    if (parameter === undefined) {
      if (!path.writeLiteral(literal)) return { reason: `"${literal}" would follow a part without a value` };
      continue;
    }
    const value = accepted.get(key)?.text ?? null;
    accepted.delete(key);
    const text = textOf(value),
      fallback = defaults.get(key);
    if (fallback !== undefined && sameValue(value, fallback.value)) {
      if (!path.hold(text, parameter.catchAll))
        return { reason: `{${parameter.name}} would follow a part without a value` };
    } else if (!path.write(text, parameter.catchAll)) {
      if (!separated)
        return {
          reason: `{${parameter.name}} would ${text === '' ? 'be empty inside its segment' : 'follow a part without a value'}`,
        };
      path.takeBack();
    }
  }
  const rooted = path.text.startsWith('/') ? path.text : `/${path.text}`;
  return { path: accepted.size === 0 ? rooted : rooted + queryOf(accepted, defaults) };
}

/** What is left becomes the query, unless there is a default of the name (reference E.5). */
function queryOf(accepted: Accepted, defaults: Defaults): string {
  let query = '';
  for (const [key, { name, text }] of accepted) {
    if (defaults.has(key)) continue;
    for (const member of typeof text === 'object' && text !== null ? text : [text]) {
      if (isGiven(member)) query += `${query === '' ? '?' : '&'}${encode(name)}=${encode(member as string)}`;
    }
  }
  return query;
}

const textOf = (text: LinkText): string => (text === null ? '' : typeof text === 'string' ? text : text.join(','));

// E.1: null and the empty text are different, texts are the same ignoring case.
function sameValue(one: LinkText, other: LinkText): boolean {
  if (one === null || other === null) return one === other;
  return sameText(textOf(one), textOf(other));
}
