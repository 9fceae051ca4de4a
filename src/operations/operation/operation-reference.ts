/** Resolves the targets of links and Location headers, and defines the types of their values (D67). */

import { foldCase } from '../../core/http/text.ts';
import { isObject } from '../../core/log/thrown-value.ts';
import { encode } from '../../core/routing/encode.ts';
import { failedLink } from '../../core/routing/explain.ts';
import { linkTexts } from '../../core/routing/link-route.ts';
import type { LinkOrigin, LinkValue, LinkValues, RouteInput, RouteLinks } from '../../core/routing/route.ts';
import type { OmissibleOf, ValuesOf } from '../../core/routing/template.ts';
import type { Parameters, PathValues, SentTexts } from '../parameters/parameter.ts';
import type { Infer } from '../schema/schema.ts';

/** The members of an operation that a link needs. */
export interface OperationReference {
  readonly method: string;
  readonly path: string;
}

/** An operation, a function that returns an operation, a route's name, or values for the same route as the request. */
export type LinkTarget = string | OperationReference | (() => unknown) | LinkValues;

/** Returns whether a target is an operation. Route values are never functions. */
const isOperation = (to: object): to is OperationReference =>
  typeof (to as { readonly handle?: unknown }).handle === 'function';

/** Calls the target if it is a function, and returns its operation. Throws a `TypeError` for any other result. */
function linked(to: string | OperationReference | (() => unknown)): string | OperationReference {
  if (typeof to !== 'function') return to;
  const target = to();
  if (isObject(target) && isOperation(target)) return target;
  throw new TypeError(`Cannot link to what the function returned: it is not an operation; give () => operation`);
}

/**
 * Returns the name of the route of a link's target. If several controllers contain the target operation, the controller
 * of the linking operation is preferred. Returns undefined for an operation of another plugin.
 */
export type RouteNames = (to: string | OperationReference) => string | undefined;

/** Returns the error for a link or Location whose values give no path. `attempt` describes the link. */
export const failureTo = (attempt: string, values: LinkValues, from: LinkOrigin, links: RouteLinks): Error =>
  from.name === undefined
    ? failedLink(attempt, values, 'its operation belongs to another plugin; name its route by its operationId')
    : links.linkFailure(attempt, values, from);

/**
 * Returns the path of a target, for a handler with this input. If the path leads to the same operation, it gets the
 * query parameters in `sent`. For the name of a route, returns undefined if no route has the name or the values give no
 * path. For other targets, throws an `Error` if the values give no path. The composition of the application checks only
 * declared Locations, because it cannot know the links that handlers create (D66, D67).
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
  // The pairs are read twice, but an iterator can be read only once.
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  if (isValues) return withSentQuery(input.link(pairs), sent, pairs);
  const { context, route, values: ambient, routes } = input;
  const target = linked(to as Exclude<LinkTarget, LinkValues>);
  const from = { name: nameOf(target), ambient, scope: route.scope };
  const link = from.name === undefined ? undefined : routes.link(pairs, from);
  if (link !== undefined) {
    const path = context.basePath + link.path;
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

/** The arguments of a link after the operation. The request has the values of the parameters in the path `Own`. */
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

/** The type of a link's value. Numbers and booleans may also be strings, as in a request. */
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
