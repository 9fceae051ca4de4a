/** Refers to operations: the targets of links and of Location headers, and the types of their values (D67). */

import { isObject } from '../../core/log/thrown-value.ts';
import { foldCase } from '../../core/message/text.ts';
import { failedLink } from '../../core/routing/explain.ts';
import { encode, linkTexts } from '../../core/routing/link-route.ts';
import type { LinkOrigin, LinkValue, LinkValues, RouteInput, RouteLinks } from '../../core/routing/route.ts';
import type { OmissibleOf, ValuesOf } from '../../core/routing/template.ts';
import type { Parameters, PathValues, SentTexts } from '../parameters/parameter.ts';
import type { Infer } from '../schema/schema.ts';

/** An operation, as far as a link refers to it. */
export interface OperationReference {
  readonly method: string;
  readonly path: string;
}

/** What a handler links to: an operation, or a function that returns one, the name of a route, or other values. */
export type LinkTarget = string | OperationReference | (() => unknown) | LinkValues;

/** Tells an operation from route values, which are never functions. */
const isOperation = (to: object): to is OperationReference =>
  typeof (to as { readonly handle?: unknown }).handle === 'function';

/** The target of a link. Throws a `TypeError` for a function that does not return an operation. */
function linked(to: string | OperationReference | (() => unknown)): string | OperationReference {
  if (typeof to !== 'function') return to;
  const given = to();
  if (isObject(given) && isOperation(given)) return given;
  throw new TypeError(`Cannot link to what the function returned: it is no operation; give () => operation`);
}

/**
 * Returns the name of the route that a link leads to: of an operation, the route of the same controller before those of
 * other controllers of the plugin. Undefined for an operation of another plugin.
 */
export type RouteNames = (to: string | OperationReference) => string | undefined;

/** The error of a link or a Location that has no path. `attempt` names it and its operation. */
export const failureTo = (attempt: string, values: LinkValues, from: LinkOrigin, links: RouteLinks): Error =>
  from.name === undefined
    ? failedLink(attempt, values, 'its operation is none of the same plugin; name its route by its operationId')
    : links.linkFailure(attempt, values, from);

/**
 * The path of a target, as a handler with this input links to it; undefined for a name without a route or a path. A
 * link to its own operation keeps the query parameters that the request has `sent`. Throws an `Error` where an
 * operation, or the own route for other values, has no path.
 */
export function operationLink(
  to: LinkTarget,
  values: LinkValues | undefined,
  input: RouteInput,
  nameOf: RouteNames,
  sent: SentTexts | undefined,
): string | undefined {
  const isValues = typeof to === 'object' && !isOperation(to);
  const given = isValues ? (to as LinkValues) : (values ?? {});
  // An iterator gives its pairs once, and they are read twice.
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  if (isValues) return withSentQuery(input.link(pairs), sent, pairs);
  const { linkBase, route, values: ambient, routes } = input;
  const target = linked(to as Exclude<LinkTarget, LinkValues>);
  const from = { name: nameOf(target), ambient, scopes: route.linkScopes };
  const link = from.name === undefined ? undefined : routes.link(pairs, from);
  if (link !== undefined) {
    const path = linkBase + link.path;
    return link.route === route ? withSentQuery(path, sent, pairs) : path;
  }
  if (typeof target === 'string') return undefined;
  const attempt = `the link of "${route.name}" to "${from.name ?? `${target.method} ${target.path}`}"`;
  throw failureTo(attempt, pairs, from, routes);
}

function withSentQuery(link: string, sent: SentTexts | undefined, values: LinkValues): string {
  if (sent === undefined) return link;
  const given = linkTexts(values);
  const kept = [...sent].filter(([name]) => !given.has(foldCase(name)));
  const pairs = kept.flatMap(([name, texts]) => texts.map((text) => `${encode(name)}=${encode(text)}`));
  return pairs.length === 0 ? link : `${link}${link.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** The arguments behind the operation; `Own` is the path from whose request values come that are not given. */
export type TargetArguments<Path extends string, Query, Given, Own extends string> = string extends Path
  ? [values?: LinkValues]
  : ArgumentsOf<TargetValues<PathValues<Path, Given>, OmissibleOf<Path> | keyof ValuesOf<Own>> & QueryValues<Query>>;
type ArgumentsOf<Values> = {} extends Values ? [values?: Values | Pairs] : [values: Values | Pairs];
type Pairs = Iterable<readonly [name: string, value: LinkValue]>;

type TargetValues<Path, Omissible> = {
  readonly [Name in Exclude<keyof Path, Omissible>]: TextOf<Path[Name]>;
} & { readonly [Name in keyof Path & Omissible]?: TextOf<Path[Name]> | null | undefined };
type QueryValues<Query> = Query extends Parameters
  ? { readonly [Name in NeededIn<Query>]: TextOf<Infer<Query[Name]>> } & {
      readonly [Name in Exclude<keyof Query, NeededIn<Query>>]?: TextOf<Infer<Query[Name]>> | null | undefined;
    }
  : unknown;
type NeededIn<Query> = {
  [Name in keyof Query]: Query[Name] extends { readonly required: true } ? Name : never;
}[keyof Query];

/** A value as a link writes it: an integer may be a text, as those of the request are; one of a few is one of them. */
type TextOf<Value> = Value extends readonly (infer One)[]
  ? TextOf<One> | readonly TextOf<One>[]
  : string extends Value
    ? string | number | bigint
    : number extends Value
      ? string | number | bigint
      : Value extends bigint
        ? string | number | bigint
        : Value extends boolean
          ? boolean | 'true' | 'false'
          : Value;
