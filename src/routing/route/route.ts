/** Declares a route, its handler, and what the handler receives: the match and a way to make links. */
import type { Context, Reply } from '../../http/message/context.ts';
import type { RouteTemplate } from '../template/template.ts';
import { TemplateParser } from '../template/template-parser.ts';
import type { ValuesOf } from '../template/values-of.ts';
import type { LinkValues } from './link-values.ts';
import { addOptions, type RouteOptions } from './route-options.ts';

/** A template, a handler and options. */
export interface Route extends RouteOptions {
  readonly template: RouteTemplate;
  readonly handler: RouteHandler;
}

/** Answers the requests that its route matches. `routes` is the collection of the route. */
export type RouteHandler<Values = RouteValues> = (
  context: Context,
  match: RouteMatch<Values>,
  routes: RouteLinks,
) => Reply | Promise<Reply>;

/** The route that matched a request, and its values. */
export interface RouteMatch<Values = RouteValues> {
  readonly route: Route;
  readonly values: Values;
}

/** Texts by name, as the template spells it. The object inherits no member (D34). */
export type RouteValues = Readonly<Record<string, string>>;

/** Makes links to routes. */
export interface RouteLinks {
  /** Returns the link by the first route that can make one from the values, or undefined. */
  link(values: LinkValues, from?: LinkOrigin): Link | undefined;
}

/** Where a link is made: `name` selects one route, `ambient` holds the values of the current request. */
export interface LinkOrigin {
  readonly name?: string;
  readonly ambient?: RouteValues;
}

/** Path and query, and the route that made them. */
export interface Link {
  readonly path: string;
  readonly route: Route;
}

const parser = new TemplateParser();

/** Parses a template. Never throws: `RouteCollection.add` reports a mistake in it. */
export const parseTemplate = (text: string): RouteTemplate => parser.parse(text);

/** Makes a route. Never throws: `RouteCollection.add` reports a mistake in its template or options. */
export function route<const Template extends string>(
  template: Template,
  handler: RouteHandler<ValuesOf<Template>>,
  options: RouteOptions = {},
): Route {
  return addOptions({ template: parseTemplate(template), handler: handler as RouteHandler }, options, options.methods);
}
