/** Refers to operations: the targets of links and of Location headers. */

import { foldCase, sameText } from '../../message/text.ts';
import { failedLink } from '../../routing/explain.ts';
import { encode, linkTexts } from '../../routing/link-route.ts';
import type { LinkOrigin, LinkValues, Route, RouteInput, RouteLinks } from '../../routing/route.ts';
import type { SentTexts } from '../parameters/parameter.ts';

/** An operation, as far as a link refers to it. */
export interface OperationReference {
  readonly method: string;
  readonly path: string;
}

/** What a handler links to: an operation, or a function that returns one, the name of a route, or other values. */
export type LinkTarget = string | OperationReference | (() => unknown) | LinkValues;

/** Tells an operation from route values, none of which is a function. */
const isOperation = (to: object): to is OperationReference =>
  typeof (to as { readonly handle?: unknown }).handle === 'function';

/** The target of a link. Throws a `TypeError` for a function that does not return an operation. */
function linked(to: string | OperationReference | (() => unknown)): string | OperationReference {
  if (typeof to !== 'function') return to;
  const given = to();
  if (typeof given === 'object' && given !== null && isOperation(given)) return given;
  throw new TypeError(`Cannot link to what the function returned: it is no operation; give () => operation`);
}

/** The route names of operations: first those of the same controller, then those of other controllers of the plugin. */
export class OperationNames {
  readonly #own = new Map<OperationReference, string>();
  readonly #plugin: Map<OperationReference, string>;

  /** `plugin` is shared by the controllers of one plugin. */
  constructor(plugin: Map<OperationReference, string>) {
    this.#plugin = plugin;
  }

  set(operation: OperationReference, name: string): void {
    this.#own.set(operation, name);
    if (!this.#plugin.has(operation)) this.#plugin.set(operation, name);
  }

  get(operation: OperationReference): string | undefined {
    return this.#own.get(operation) ?? this.#plugin.get(operation);
  }
}

/** The name of the route that a link leads to; undefined for an operation of another plugin. */
export const routeNameOf = (to: string | OperationReference, names: OperationNames): string | undefined =>
  typeof to === 'string' ? to : names.get(to);

/** Is it the name of this route, as it is or behind a prefix under which it is mounted? */
const isNameOf = (name: string, { name: own = '', linkScopes = [] }: Route): boolean =>
  ['', ...linkScopes].some((scope) => sameText(scope + name, own));

/** The error of a link or a Location to this target that has no path. `attempt` names it and its operation. */
export function failureTo(
  attempt: string,
  to: string | OperationReference,
  names: OperationNames,
  values: LinkValues,
  from: LinkOrigin,
  links: RouteLinks,
): Error {
  const name = routeNameOf(to, names);
  return name === undefined
    ? failedLink(attempt, values, 'its operation is none of the same plugin; name its route by its operationId')
    : links.linkFailure(attempt, values, { ...from, name });
}

/**
 * The path of a target, as a handler with this input links to it; undefined where there is none for a name or for other
 * values. A link to its own operation keeps what the request has `sent` in its query. Throws an `Error` where an
 * operation has no path.
 */
export function operationLink(
  to: LinkTarget,
  values: LinkValues | undefined,
  input: RouteInput,
  names: OperationNames,
  sent: SentTexts | undefined,
): string | undefined {
  const isValues = typeof to === 'object' && !isOperation(to);
  const given = isValues ? (to as LinkValues) : (values ?? {});
  // An iterator gives its pairs once, and they are read twice.
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  if (isValues) return withSentQuery(input.link(pairs), sent, pairs);
  const { route, values: ambient, routes } = input;
  const target = linked(to as Exclude<LinkTarget, LinkValues>);
  const name = routeNameOf(target, names);
  const link = name === undefined ? undefined : input.link(name, pairs);
  if (link !== undefined) return isNameOf(name!, route) ? withSentQuery(link, sent, pairs) : link;
  if (typeof target === 'string') return undefined;
  const attempt = `the link of "${route.name}" to "${name ?? `${target.method} ${target.path}`}"`;
  throw failureTo(attempt, target, names, pairs, { ambient, scopes: route.linkScopes }, routes);
}

function withSentQuery(link: string, sent: SentTexts | undefined, values: LinkValues): string {
  if (sent === undefined) return link;
  const given = linkTexts(values);
  const kept = [...sent].filter(([name]) => !given.has(foldCase(name)));
  const pairs = kept.flatMap(([name, texts]) => texts.map((text) => `${encode(name)}=${encode(text)}`));
  return pairs.length === 0 ? link : `${link}${link.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
