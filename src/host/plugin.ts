/**
 * What an embedding user adds to an application, and what the service itself is made of: one value.
 *
 * The to-do items, the description, the page and the static files are plugins too, and an application treats them as any other. What
 * they are made of is exported, but for the page's and the static site's own parts.
 */
import type { Controller } from '../api/operation/controller.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import type { ConstraintFactory } from '../routing/constraints/constraint.ts';
import type { Route } from '../routing/route/route.ts';

/** One part of an application. Everything but the name may be left out. */
export interface Plugin {
  /** Names the plugin in errors; unique in an application. */
  readonly name: string;
  /** Stages around everything else: they see every reply, problems and requests that are refused at the door included. */
  readonly outerStages?: Pipeline;
  /** Stages in front of the routes, in the order of the plugins and of this list. */
  readonly stages?: Pipeline;
  /** Controllers, each a list of described operations. */
  readonly controllers?: readonly Controller[];
  /** Further routes, behind those of the controllers; a route that carries no operation is not described. */
  readonly routes?: readonly Route[];
  /** Constraints that the templates of any plugin may name. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory>>;
  /** Called before the service listens, in the order of the plugins. A rejection ends the start and is reported with the plugin's name. */
  start?(application: Application): void | Promise<void>;
  /** Called after the last request has been answered, in reverse order. */
  stop?(): void | Promise<void>;
}

/** What a plugin may ask of the application it is part of. */
export interface Application {
  /** Every route, in the order a request meets them. */
  readonly routes: Iterable<Route>;
}
