/** Declares the input of an operation's handler: that of a route, the body, and links to operations. */
import type { Context } from '../../http/message/context.ts';
import type { LinkValues } from '../../routing/route/link-values.ts';
import type { Route, RouteInput } from '../../routing/route/route.ts';
import type { ValuesOf } from '../../routing/template/values-of.ts';
import type { InferBody } from '../schema/declaration/infer.ts';
import type { Schema } from '../schema/declaration/schema.ts';
import { type OperationNames, type OperationReference, routeNameOf } from './answers.ts';

/** Makes the path of an operation of the same controller, or of a named route. Otherwise as `RouteLinker`. */
export type OperationLinker = (to: string | OperationReference, values?: LinkValues) => string | undefined;

/** What the handler of an operation receives. */
export class OperationInput<Path extends string, Body> {
  readonly context: Context;
  /** The route of the operation. */
  readonly route: Route;
  readonly values: ValuesOf<Path>;
  readonly body: Body extends Schema ? InferBody<Body> : undefined;
  /** The text of the body as it was sent, a byte order mark included. */
  readonly text: Body extends Schema ? string : undefined;
  readonly #input: RouteInput;
  readonly #names: OperationNames;

  /** `names` has the route names of the operations of the same controller. */
  constructor(input: RouteInput, names: OperationNames, body: unknown, text: string | undefined) {
    this.context = input.context;
    this.route = input.route;
    this.values = input.values as ValuesOf<Path>;
    this.body = body as this['body'];
    this.text = text as this['text'];
    this.#input = input;
    this.#names = names;
  }

  /**
   * Makes links: `link(readOne, { id })` is the path and the query of this operation, behind the base path. Values that
   * are not given come from the request. It is undefined where the route has no path for the values.
   */
  get link(): OperationLinker {
    return (to, values) => {
      const name = routeNameOf(to, this.#names);
      return name === undefined ? undefined : this.#input.link(name, values);
    };
  }
}
