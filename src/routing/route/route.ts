/**
 * A route is data: a template, what is given outside it, and a handler.
 *
 * Making one never fails. A mistake in its template or constraints shows when it is added to a collection, together with
 * those of the others added with it.
 */
import type { Context, Reply } from '../../http/message/context.ts';
import type { RouteConstraint } from '../constraints/constraint.ts';
import type { RouteCollection } from '../route-collection.ts';
import { parseTemplate } from '../template/parse-template.ts';
import type { RouteTemplate, ValuesOf } from '../template/template.ts';

/** Route values: name, as the template spells it, to text. An object without a prototype (D34). */
export type RouteValues = Readonly<Record<string, string>>;

/** What can be said of a route outside its template (§4.3 rule 6). */
export interface RouteOptions {
  /** For links; unique in its collection, ignoring case. */
  readonly name?: string;
  /** One method or several, ignoring case; any method when not given (D33). */
  readonly methods?: string | readonly string[];
  /** By name, ignoring case; not for a parameter that has one in the template. Null is a default without a value. */
  readonly defaults?: Readonly<Record<string, string | null>>;
  /** By name, ignoring case: the text of a known constraint, an expression for the whole value, or a constraint of your own (D23). */
  readonly constraints?: Readonly<Record<string, string | RegExp | RouteConstraint>>;
  /** Anything; has no effect on matching. */
  readonly dataTokens?: Readonly<Record<string, unknown>>;
}

/** One route of a collection. */
export interface Route extends RouteOptions {
  readonly template: RouteTemplate;
  readonly handler: RouteHandler;
}

/** A route that took a request, and the values it found. */
export interface RouteMatch<Values = RouteValues> {
  readonly route: Route;
  readonly values: Values;
}

/** Answers the requests of a route. The collection that it was found in makes links. */
export type RouteHandler<Values = RouteValues> = (
  context: Context,
  match: RouteMatch<Values>,
  routes: RouteCollection,
) => Reply | Promise<Reply>;

/** A route from the text of its template. Never throws: `RouteCollection.add` says what is wrong with it. */
export function route<const Template extends string>(
  template: Template,
  handler: RouteHandler<ValuesOf<Template>>,
  options: RouteOptions = {},
): Route {
  return withOptions(template, handler as RouteHandler, options, options.methods);
}

/**
 * The same with methods of their own. Written out member by member: an object made by spreading and then adding is a hash table
 * to V8, three times the size and ten times the time.
 */
export function withOptions(
  template: string,
  handler: RouteHandler,
  options: RouteOptions,
  methods: RouteOptions['methods'],
): Route {
  const made: { -readonly [Member in keyof Route]: Route[Member] } = { template: parseTemplate(template), handler };
  if (options.name !== undefined) made.name = options.name;
  if (methods !== undefined) made.methods = methods;
  if (options.defaults !== undefined) made.defaults = options.defaults;
  if (options.constraints !== undefined) made.constraints = options.constraints;
  if (options.dataTokens !== undefined) made.dataTokens = options.dataTokens;
  return made;
}
