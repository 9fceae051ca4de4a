/** Declares a route, which is written as one object, its handler, its match and its links. */
import { isObject } from '../log/thrown-value.ts';
import type { Context } from '../message/context.ts';
import type { Reply } from '../message/reply.ts';
import { isText } from '../options/shape.ts';
import { declaredStages, type Pipeline } from '../pipeline/stage.ts';
import type { Limits } from '../wire/connection/limits.ts';
import type { ConstraintPredicate, RouteConstraint } from './constraints/constraint.ts';
import { parseTemplate, type RouteTemplate, type ValuesOf } from './template.ts';

/** A template, a handler and options. */
export interface Route extends RouteOptions {
  readonly template: RouteTemplate;
  readonly handle: RouteHandler;
  /** Is called once, when all routes of the application are added. Throws for a link that can lead nowhere. */
  readonly composed?: ((routes: RouteLinks) => void) | undefined;
  /** Is called once for each server. Throws a `RangeError` for limits within which the route cannot answer. */
  readonly assertLimits?: ((limits: Limits) => void) | undefined;
}

/** A route as it is written: `path` is the text of its template. */
export interface RouteDeclaration<Template extends string = string> extends RouteOptions {
  readonly path: Template;
  /** True for a route that everybody may call, so that no warning says that it is open (D71). */
  readonly public?: boolean | undefined;
  handle(input: RouteInput<ValuesOf<Template>>): Reply | Promise<Reply>;
}

/** What a handler receives. */
export interface RouteInput<Values = RouteValues> {
  readonly context: Context;
  /** The route that matched. */
  readonly route: Route;
  readonly values: Values;
  /** Makes the path of a named route, `link('halves', { n: 4 })`, or of this one: `link({ n: 4 })`. */
  readonly link: RouteLinker;
  /** The routes that the matched one is among, for links without the base path and the values of the request. */
  readonly routes: RouteLinks;
  /** What links begin with: the base path of the application, without the prefix of a mounted plugin. */
  readonly linkBase: string;
}

/**
 * Returns the path and the query of the route with this name, or of the one that matched, behind the base path. Values
 * of the path that are not given come from the request. By name it asks: it is undefined where no route has this name,
 * or the route has no path for the values. With values alone it throws an `Error` that says why (D67).
 */
export interface RouteLinker {
  (name: string, values?: LinkValues): string | undefined;
  (values: LinkValues): string;
}

/** Answers the requests that its route matches. */
export type RouteHandler = (input: RouteInput) => Reply | Promise<Reply>;

/** The route that matched a request, and its values. */
export interface RouteMatch {
  readonly route: Route;
  readonly values: RouteValues;
}

/** Texts by name, as the template spells it. The object inherits no member (D34). */
export type RouteValues = Readonly<Record<string, string>>;

type Scalar = string | number | bigint | boolean | null | undefined;

/** A value for a link: `true` becomes `true`, 42 becomes `42`. Null is empty, undefined is not a value (D34). */
export type LinkValue = Scalar | readonly Scalar[];

/** Values for a link: an object, or pairs, which keep their order. */
export type LinkValues = Readonly<Record<string, LinkValue>> | Iterable<readonly [name: string, value: LinkValue]>;

/** Makes links to routes. */
export interface RouteLinks {
  /** Returns the link by the first route that can make one from the values, or undefined. */
  link(values: LinkValues, from?: LinkOrigin): Link | undefined;
  /** Is there a route of this name, alone or behind one of the scopes? */
  hasNamed(name: string, scopes?: readonly string[]): boolean;
  /** The error of a link that cannot be made, with the reason. `attempt` is `the Location of "ApiTodoPost"`, say. */
  linkFailure(attempt: string, values: LinkValues, from: LinkOrigin): Error;
}

/** Where a link is made: `name` or `route` selects one route, `ambient` holds the values of the current request. */
export interface LinkOrigin {
  readonly name?: string | undefined;
  readonly route?: Route | undefined;
  readonly ambient?: RouteValues | undefined;
  /** Beginnings of the name, tried before the name alone. */
  readonly scopes?: readonly string[] | undefined;
}

/** Path and query, and the route that made them. */
export interface Link {
  readonly path: string;
  readonly route: Route;
}

/**
 * Makes a route; the values of `handle` follow from `path`. Throws a `TypeError` where one of the two is missing.
 * `RouteCollection.add` reports a mistake in the template or the options.
 */
export function route<const Template extends string>(declaration: RouteDeclaration<Template>): Route {
  assertDeclaration(declaration);
  const { path, handle, public: isPublic, ...options } = declaration;
  const stages = declaredStages(declaration.stages, `the route "${path}"`);
  const dataTokens = isPublic === true ? { ...options.dataTokens, security: [] } : options.dataTokens;
  return { ...options, template: parseTemplate(path), handle: handle as RouteHandler, stages, dataTokens };
}

/** All names ignore case. */
export interface RouteOptions {
  /** One method or several; any method when absent or `*` (D33). */
  readonly method?: string | readonly string[] | undefined;
  /** Stages behind the match, in front of the handler (D73). */
  readonly stages?: Pipeline | undefined;
  /** Names the route for links; unique in its collection. */
  readonly name?: string | undefined;
  /** Default values by name, for names without a default in the template. Null is a default without a value. */
  readonly defaults?: Readonly<Record<string, string | null>> | undefined;
  /**
   * By name: the text of a known constraint, an expression for the whole value, a predicate, or a constraint object
   * (D23).
   */
  readonly constraints?: Readonly<Record<string, string | RegExp | ConstraintPredicate | RouteConstraint>> | undefined;
  /**
   * Data of the developer; it has no effect on matching. `security: []` is what `public: true` of a declaration sets.
   */
  readonly dataTokens?: Readonly<Record<string, unknown>> | undefined;
  /** Beginnings of route names, which links of the handler try first. `mounted` sets them. */
  readonly linkScopes?: readonly string[] | undefined;
  /** The prefix of a mounted plugin, `/tools`: its stages and its handler see the path below it. `mounted` sets it. */
  readonly prefix?: string | undefined;
}

/** Throws a `TypeError` that says what is wrong and what to give. */
function assertDeclaration(given: unknown): void {
  const declared = isObject(given) ? given : { path: given };
  const { path, handle, method = '*', public: isPublic = false, dataTokens } = declared;
  const fault = [
    !isObject(given) && 'it is no declaration; give route({ path, handle })',
    !isText(path) && 'it has no path; give route({ path, handle }), the path is a text',
    typeof handle !== 'function' && 'it has no handler; give route({ path, handle }), handle is a function',
    declared['methods'] !== undefined && 'its "methods" means nothing; give one method or a list of them as "method"',
    ![method].flat().every(isText) &&
      'its method is no text; give "GET", or a list of such texts, or leave it out for any method',
    typeof isPublic !== 'boolean' && `its public is "${isPublic}"; give true, or leave it out`,
    declared['security'] !== undefined && 'its "security" means nothing; give it stages that guard it',
    isPublic === true &&
      Object(dataTokens).security !== undefined &&
      'it is public and has security in its data tokens; leave one of them out',
  ].find((one) => one !== false);
  if (fault === undefined) return;
  const subject = isText(path) ? `the route ${JSON.stringify(path)}` : `a route of ${textOf(given)}`;
  throw new TypeError(`Cannot make ${subject}: ${fault}`);
}

/** Throws a `TypeError` for a value that is not a complete route: a bare declaration, or an incomplete route. */
export function assertRoute(value: unknown): void {
  const isComplete = isObject(value) && !('complete' in value);
  if (isComplete && isObject(value['template']) && typeof value['handle'] === 'function') return;
  const subject = isObject(value) && isText(value['path']) ? JSON.stringify(value['path']) : textOf(value);
  const fault =
    isObject(value) && 'complete' in value
      ? 'an application completes it; take application([{ name, routes: [it] }]).routes'
      : 'it is no route; make one with route({ path, handle })';
  throw new TypeError(`Cannot add ${subject}: ${fault}`);
}

/** The value, quoted, at most as long as one line shows. */
const textOf = (value: unknown): string =>
  `"${isObject(value) ? `{ ${Object.keys(value).join(', ')} }` : String(value)}"`.slice(0, 100);
