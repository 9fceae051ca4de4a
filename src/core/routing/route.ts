/** Declares the type of a route, its handler, its match and its links. */
import type { Context } from '../http/context.ts';
import type { Limits } from '../http/limits.ts';
import type { Reply } from '../http/reply.ts';
import { isObject } from '../log/thrown-value.ts';
import { ANY, each, FLAG, FUNCTION, isText, OBJECT, type Shape, shapeFault, shown, TEXT } from '../options/shape.ts';
import { declaredStages, type Pipeline } from '../pipeline/stage.ts';
import type { ConstraintPredicate, RouteConstraint } from './constraints/constraint.ts';
import { parseTemplate, type RouteTemplate, type ValuesOf } from './template.ts';

/** A template, a handler and options. */
export interface Route extends RouteOptions {
  readonly template: RouteTemplate;
  readonly handle: RouteHandler;
  /**
   * Called once, after all routes of the application are added. It throws if a link cannot lead to any route, and calls
   * `warn` with a line about a declaration that is allowed but probably a mistake.
   */
  readonly composed?: ((routes: RouteLinks, warn: (line: string) => void) => void) | undefined;
  /** Called once for each server. It throws a `RangeError` if the route cannot answer within the limits. */
  readonly assertLimits?: ((limits: Limits) => void) | undefined;
}

/** The declaration of a route. `path` is the text of its template. */
export interface RouteDeclaration<Template extends string = string> extends RouteOptions {
  readonly path: Template;
  /** True for a route that everybody may call. Then there is no warning that the route is open (D71). */
  readonly public?: boolean | undefined;
  handle(input: RouteInput<ValuesOf<Template>>): Reply | Promise<Reply>;
}

/** The input of a handler. */
export interface RouteInput<Values = RouteValues> {
  readonly context: Context;
  /** The route that matched. */
  readonly route: Route;
  readonly values: Values;
  /** Returns the path of a named route, `link('halves', { n: 4 })`, or of this route, `link({ n: 4 })`. */
  readonly link: RouteLinker;
  /** All routes of the collection, for links without the base path and the values of the request. */
  readonly routes: RouteLinks;
}

/**
 * Returns the path and the query of a route, with the base path in front. Missing values of the path come from the
 * request. With a name it returns undefined if no route has this name, or if the route has no path for the values. So a
 * handler must check the result: the plugin of the other route may be missing. Without a name it returns the path of
 * the matched route, and throws an `Error` with the reason if this route has no path for the values (D67).
 */
export interface RouteLinker {
  (name: string, values?: LinkValues): string | undefined;
  (values: LinkValues): string;
}

/** Returns the reply to a request that the route has matched. */
export type RouteHandler = (input: RouteInput) => Reply | Promise<Reply>;

/** The route that matched a request, and its values. */
export interface RouteMatch {
  readonly route: Route;
  readonly values: RouteValues;
}

/** The texts of the values by name. The names are spelt as in the template. The object has no prototype (D34). */
export type RouteValues = Readonly<Record<string, string>>;

type Scalar = string | number | bigint | boolean | null | undefined;

/** A value for a link: `true` is written as `true`, 42 as `42`, null as an empty text. Undefined is ignored (D34). */
export type LinkValue = Scalar | readonly Scalar[];

/** Values for a link: an object, or pairs, which keep their order. */
export type LinkValues = Readonly<Record<string, LinkValue>> | Iterable<readonly [name: string, value: LinkValue]>;

/** Makes links to routes. */
export interface RouteLinks {
  /** Returns the link of the first route that has a link for the values, or undefined. */
  link(values: LinkValues, from?: LinkOrigin): Link | undefined;
  /** True if a route has this name in this scope, in a scope around it, or without a scope. */
  hasNamed(name: string, scope?: string): boolean;
  /** Returns the error for a link that cannot be made. `subject` names the link: `the Location of "ApiTodoPost"`. */
  linkFailure(subject: string, values: LinkValues, from: LinkOrigin): Error;
}

/** Options of a link. `name` or `route` selects a route; `ambient` holds the values of the current request. */
export interface LinkOrigin {
  readonly name?: string | undefined;
  readonly route?: Route | undefined;
  readonly ambient?: RouteValues | undefined;
  /** Where the name is searched first: in `tools/clock/`, then in `tools/`, then among all names. */
  readonly scope?: string | undefined;
}

/** A path with its query, and the route to which it leads. */
export interface Link {
  readonly path: string;
  readonly route: Route;
}

/**
 * Creates a route. The types of the values of `handle` follow from `path`. Throws a `TypeError` if `path` or `handle`
 * is missing. `RouteCollection.add` throws for a mistake in the template or the options.
 */
export function route<const Template extends string>(declaration: RouteDeclaration<Template>): Route {
  assertDeclaration(declaration);
  const { path, handle, public: isPublic, ...options } = declaration;
  const stages = declaredStages(declaration.stages, `the route "${path}"`);
  const dataTokens = isPublic === true ? { ...options.dataTokens, security: [] } : options.dataTokens;
  return { ...options, template: parseTemplate(path), handle: handle as RouteHandler, stages, dataTokens };
}

/** The options of a route. All names in them ignore case. */
export interface RouteOptions {
  /** One method or several; any method if omitted or `*`. Links ignore the method (D33). */
  readonly method?: string | readonly string[] | undefined;
  /** Stages after the match and before the handler (D73). */
  readonly stages?: Pipeline | undefined;
  /** The name of the route for links; unique in its collection. */
  readonly name?: string | undefined;
  /** Default values by name, for names without a default in the template. Null is an empty default. */
  readonly defaults?: Readonly<Record<string, string | null>> | undefined;
  /** Constraints by name: a known constraint, an expression for the whole value, a predicate, or an object (D23). */
  readonly constraints?: Readonly<Record<string, string | RegExp | ConstraintPredicate | RouteConstraint>> | undefined;
  /** Adds the route to the description, with this text. */
  readonly summary?: string | undefined;
  /** Adds the route to the description, with these responses by status. The replies are not checked against them. */
  readonly responses?: Readonly<Record<number, DescribedResponse>> | undefined;
  /** Custom data, which matching ignores. `public: true` in a declaration sets `security: []` here. */
  readonly dataTokens?: Readonly<Record<string, unknown>> | undefined;
  /** The beginning of the names in a mounted plugin, such as `tools/`, for its links. The application sets it. */
  readonly scope?: string | undefined;
}

interface DescribedResponse {
  readonly description?: string | undefined;
  readonly mediaType?: string | undefined;
}

const DECLARATION: Shape<RouteDeclaration> = {
  ...each(TEXT, 'path', 'name', 'scope', 'summary'),
  handle: FUNCTION,
  method: ['"GET", or a list of methods, or leave it out for any method', (value) => [value].flat().every(isText)],
  public: FLAG,
  ...each(OBJECT, 'defaults', 'constraints', 'dataTokens', 'responses'),
  stages: ANY,
};

function assertDeclaration(value: RouteDeclaration): void {
  const isContradictory = value?.public === true && Object(value.dataTokens).security !== undefined;
  const fault =
    shapeFault(value, DECLARATION, ['path', 'handle']) ??
    (isContradictory ? 'it is public and has security in its data tokens; leave one of them out' : undefined);
  if (fault !== undefined) throw new TypeError(`Cannot make the route ${shown(value?.path ?? value)}: ${fault}`);
}

/** Throws a `TypeError` for a value that is not a complete route: a bare declaration, or an incomplete route. */
export function assertRoute(value: unknown): void {
  const { path, template, handle, complete }: Readonly<Record<string, unknown>> = Object(value);
  if (complete === undefined && isObject(template) && typeof handle === 'function') return;
  const fault =
    complete === undefined
      ? 'it is not a route; make one with route({ path, handle })'
      : 'only an application can complete it; use application([{ name, routes: [it] }]).routes';
  throw new TypeError(`Cannot add ${shown(path ?? value)}: ${fault}`);
}
