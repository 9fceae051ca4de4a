/** Declares the input of an operation's handler: that of a route, the body, and links to operations. */
import type { Context } from '../../http/message/context.ts';
import type { LinkValues } from '../../routing/route/link-values.ts';
import type { Route, RouteInput, RouteValues } from '../../routing/route/route.ts';
import type { ValuesOf } from '../../routing/template/values-of.ts';
import type { Parameters, ParameterValues, PathValues } from '../parameters/parameter.ts';
import type { InferBody } from '../schema/declaration/infer.ts';
import type { Schema } from '../schema/declaration/schema.ts';
import type { Upload, UploadValue } from '../uploads/upload.ts';
import { isOperation, type OperationNames, type OperationReference, routeNameOf } from './operation-reference.ts';

/** Makes the path of an operation of the same plugin, of a named route, or of this one. Otherwise as `RouteLinker`. */
export interface OperationLinker {
  (to: string | OperationReference, values?: LinkValues): string | undefined;
  (values: LinkValues): string | undefined;
}

/** The values of the declared parameters of each place. A place without a declaration is undefined. */
export interface ReadParameters {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
}

type ParametersOrNone<Declared> = Declared extends Parameters ? ParameterValues<Declared> : undefined;

/** What the handler of an operation receives. */
export class OperationInput<Path extends string, Body, Query = unknown, Headers = unknown, Given = unknown> {
  readonly context: Context;
  /** The route of the operation. */
  readonly route: Route;
  /** The texts of the route values (§4.3 rule 7). */
  readonly values: ValuesOf<Path>;
  /** The declared parameters of the query; undefined where none is declared, and the query is not parsed then. */
  readonly query: ParametersOrNone<Query>;
  /** The declared headers, under the names of their declaration. */
  readonly headers: ParametersOrNone<Headers>;
  readonly body: Body extends Upload ? UploadValue<Body> : Body extends Schema ? InferBody<Body> : undefined;
  /** The text of a JSON body as it was sent, a byte order mark included. */
  readonly text: Body extends Upload ? undefined : Body extends Schema ? string : undefined;
  readonly #input: RouteInput;
  readonly #names: OperationNames;
  readonly #path: object | undefined;
  readonly #typed: (values: RouteValues) => unknown;

  /** `names` has the route names of the operations of the same plugin. */
  constructor(
    input: RouteInput,
    names: OperationNames,
    read: ReadParameters | undefined,
    typed: (values: RouteValues) => unknown,
    body: unknown,
    text: string | undefined,
  ) {
    this.context = input.context;
    this.route = input.route;
    this.values = input.values as ValuesOf<Path>;
    this.query = read?.query as this['query'];
    this.headers = read?.headers as this['headers'];
    this.body = body as this['body'];
    this.text = text as this['text'];
    this.#input = input;
    this.#path = read?.path as object | undefined;
    this.#typed = typed;
    this.#names = names;
  }

  /** The parameters of the path, typed by their declaration or by the constraints of the route. */
  get parameters(): PathValues<Path, Given> {
    return { ...(this.#typed(this.#input.values) as object), ...this.#path } as PathValues<Path, Given>;
  }

  /**
   * Makes links: `link(readOne, { id })` is the path and the query of this operation, behind the base path. Values that
   * are not given come from the request: `link({ page: 2 })` is this operation with another page. It is undefined where
   * the route has no path for the values.
   */
  get link(): OperationLinker {
    return (to: string | OperationReference | LinkValues, values?: LinkValues) => {
      if (typeof to === 'object' && !isOperation(to)) return this.#input.link(to as LinkValues);
      const name = routeNameOf(to, this.#names);
      return name === undefined ? undefined : this.#input.link(name, values);
    };
  }
}
