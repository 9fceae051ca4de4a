/**
 * Declares what a plugin is: the value that an embedding user adds to an application. The service itself is made of
 * plugins. The items, the description, the page and the static files get nothing that another plugin does not get.
 */

import type { AddedResponses, Controller } from '../operations/operation/controller.ts';
import type { ProblemFormat } from '../operations/operation/problem-format.ts';
import type { PropertyNaming } from '../operations/schema/names.ts';
import type { Authenticator } from '../operations/security/authenticator.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import type { ConstraintFactory, ConstraintPredicate } from '../routing/constraints/constraint.ts';
import type { Route } from '../routing/route.ts';
import type { RouteCollection } from '../routing/route-collection.ts';
import type { Forwarding } from '../wire/trusted-proxy.ts';

/** One part of an application. Every member but the name is optional. */
export interface Plugin {
  /** Names the plugin in error messages. Unique in an application. */
  readonly name: string;
  /** Stages around all others. They also see problems, and the replies to requests that failed validation. */
  readonly outerStages?: Pipeline;
  /** Stages before the routes, in the order of the plugins and of this list. */
  readonly stages?: Pipeline;
  /** Controllers, each a list of described operations. */
  readonly controllers?: readonly Controller[];
  /** Routes without an operation, which are not described. They come after those of the controllers. */
  readonly routes?: readonly Route[];
  /** Constraints by name, for the templates of all plugins. One without arguments is a predicate. */
  readonly constraints?: Readonly<Record<string, ConstraintFactory | ConstraintPredicate>>;
  /** Check the credentials that operations of all plugins require. */
  readonly authenticators?: readonly Authenticator[];
  /** What the stages answer in the place of operations, of all or of each: texts and headers by status (D79). */
  readonly responses?: AddedResponses;
  /** Is called before the service listens, in the order of the plugins. A rejection ends the start. */
  start?(application: Application): void | Promise<void>;
  /** Is called after the last request is answered, in reverse order. A program ends without waiting for ever for it. */
  stop?(): void | Promise<void>;
}

/** What `start` receives. */
export interface Application {
  /** Every route, in the order in which they are tried. */
  readonly routes: RouteCollection;
  /** Where the plugin is mounted: `/tools`, which the paths of its stages lack. Absent for one that is not. */
  readonly prefix?: string;
  /** The path in front of all others; undefined for none. */
  readonly basePath: string | undefined;
  /** Who the client of a request is, behind the trusted proxies of the application. */
  readonly forwarding: Forwarding;
  /** The names of properties in JSON. */
  readonly naming: PropertyNaming;
  /** How problems are written; undefined for RFC 9457. */
  readonly problems: ProblemFormat | undefined;
  /** Aborted when the application begins to stop. */
  readonly stopping: AbortSignal;
}
