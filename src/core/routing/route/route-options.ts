/** Declares what a route may have besides its path and its handler (§4.3 rule 6). */
import type { ConstraintPredicate, RouteConstraint } from '../constraints/constraint.ts';

/** All names ignore case. */
export interface RouteOptions {
  /** One method or several; any method when absent or `*` (D33). */
  readonly method?: string | readonly string[];
  /** Names the route for links; unique in its collection. */
  readonly name?: string;
  /** Default values by name, for names without a default in the template. Null is a default without a value. */
  readonly defaults?: Readonly<Record<string, string | null>>;
  /**
   * By name: the text of a known constraint, an expression for the whole value, a predicate, or a constraint object
   * (D23).
   */
  readonly constraints?: Readonly<Record<string, string | RegExp | ConstraintPredicate | RouteConstraint>>;
  /**
   * Data of the developer; it has no effect on matching. `security: []` says that the route is open although the
   * application has a `security`, which is not warned of then.
   */
  readonly dataTokens?: Readonly<Record<string, unknown>>;
  /** Beginnings of route names, which links of the handler try first. `mounted` sets them. */
  readonly linkScopes?: readonly string[];
}

/**
 * Sets the given options on a new route, and returns it. The code sets them one by one, because V8 makes a hash table
 * of an object that is spread and then extended: three times the size and ten times the time.
 */
export function addOptions<Base extends object>(route: Base, options: RouteOptions): Base {
  const made: { -readonly [Option in keyof RouteOptions]: RouteOptions[Option] } = route;
  if (options.name !== undefined) made.name = options.name;
  if (options.method !== undefined) made.method = options.method;
  if (options.defaults !== undefined) made.defaults = options.defaults;
  if (options.constraints !== undefined) made.constraints = options.constraints;
  if (options.dataTokens !== undefined) made.dataTokens = options.dataTokens;
  if (options.linkScopes !== undefined) made.linkScopes = options.linkScopes;
  return route;
}
