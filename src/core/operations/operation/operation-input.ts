/** Declares the input of an operation's handler: that of a route, the body, and links to operations. */

import type { Context } from '../../message/context.ts';
import { encode, linkTexts } from '../../routing/link-route.ts';
import type { LinkValues, Route, RouteInput, RouteValues } from '../../routing/route.ts';
import type { ValuesOf } from '../../routing/template.ts';
import { foldCase, sameText } from '../../routing/text.ts';
import type { Parameters, ParameterValues, PathValues } from '../parameters/parameter.ts';
import type { InferBody, Schema } from '../schema/schema.ts';
import { isOperation, type OperationNames, type OperationReference, routeNameOf } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';

/**
 * Makes the path of an operation of the same plugin, of a named route, or of this one. Values of the path that are not
 * given, or given as undefined, come from the request. A link to this operation keeps the declared query parameters of
 * the request in the same way, as they were sent; null leaves one out. It is undefined where the route has no path for
 * the values.
 */
export interface OperationLinker {
  (to: string | OperationReference, values?: LinkValues): string | undefined;
  (values: LinkValues): string | undefined;
}

/** The texts that were sent, by declared name. */
export type SentTexts = ReadonlyMap<string, readonly string[]>;

/** The values of the declared parameters of each place. A place without a declaration is undefined. */
export interface ReadParameters {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  /** The declared parameters of the query, as they were sent. */
  readonly sentQuery: SentTexts;
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
  readonly body: Body extends OwnBody<infer Value> ? Value : Body extends Schema ? InferBody<Body> : undefined;
  /** The text of a JSON body as it was sent, a byte order mark included. */
  readonly text: Body extends OwnBody ? undefined : Body extends Schema ? string : undefined;
  readonly #input: RouteInput;
  readonly #names: OperationNames;
  readonly #path: object | undefined;
  readonly #sentQuery: SentTexts | undefined;
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
    this.#sentQuery = read?.sentQuery;
    this.#typed = typed;
    this.#names = names;
  }

  /** The parameters of the path, typed by their declaration or by the constraints of the route. */
  get parameters(): PathValues<Path, Given> {
    return { ...(this.#typed(this.#input.values) as object), ...this.#path } as PathValues<Path, Given>;
  }

  /**
   * Makes links: `link(readOne, { id })` is the path of that operation, behind the base path, and `link({ page: 2 })`
   * this operation with another page. What is not given comes from the request: values of the path, and for a link to
   * this operation its declared query parameters. Null leaves one out.
   */
  get link(): OperationLinker {
    return (to: string | OperationReference | LinkValues, values?: LinkValues) => {
      const isValues = typeof to === 'object' && !isOperation(to);
      const given = isValues ? (to as LinkValues) : (values ?? {});
      // An iterator gives its pairs once, and they are read twice.
      const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
      if (isValues) return this.#withSentQuery(this.#input.link(pairs), pairs);
      const name = routeNameOf(to, this.#names);
      if (name === undefined) return undefined;
      const link = this.#input.link(name, pairs);
      return sameText(name, this.route.name ?? '') ? this.#withSentQuery(link, pairs) : link;
    };
  }

  #withSentQuery(link: string | undefined, values: LinkValues): string | undefined {
    if (link === undefined || this.#sentQuery === undefined) return link;
    const given = linkTexts(values);
    const kept = [...this.#sentQuery].filter(([name]) => !given.has(foldCase(name)));
    const pairs = kept.flatMap(([name, texts]) => texts.map((text) => `${encode(name)}=${encode(text)}`));
    return pairs.length === 0 ? link : `${link}${link.includes('?') ? '&' : '?'}${pairs.join('&')}`;
  }
}
