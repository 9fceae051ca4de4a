/** Declares a route, its handler, its match and its links. A route is written as one object, as an operation is. */
import type { Context, Reply } from '../../message/context.ts';
import type { Pipeline } from '../../pipeline/stage.ts';
import type { RouteTemplate } from '../template/template.ts';
import { TemplateParser } from '../template/template-parser.ts';
import type { ValuesOf } from '../template/values-of.ts';
import { assertDeclaration } from './assert-declaration.ts';
import type { LinkValues } from './link-values.ts';
import { addOptions, type RouteOptions } from './route-options.ts';
import { stagedHandler } from './staged-handler.ts';

/** A template, a handler and options. */
export interface Route extends RouteOptions {
  readonly template: RouteTemplate;
  readonly handle: RouteHandler;
}

/** A route as it is written: `path` is the text of its template. */
export interface RouteDeclaration<Template extends string = string> extends RouteOptions {
  readonly path: Template;
  /** Stages behind the match, in front of the handler (D73). */
  readonly stages?: Pipeline;
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
}

/**
 * Returns the path and the query of the route with this name, or of the one that matched, behind the base path. Values
 * of the path that are not given come from the request. It is undefined where the route has no path for the values.
 */
export interface RouteLinker {
  (name: string, values?: LinkValues): string | undefined;
  (values: LinkValues): string | undefined;
}

/** Answers the requests that its route matches. */
export type RouteHandler<Values = RouteValues> = (input: RouteInput<Values>) => Reply | Promise<Reply>;

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

/** Where a link is made: `name` or `route` selects one route, `ambient` holds the values of the current request. */
export interface LinkOrigin {
  readonly name?: string;
  readonly route?: Route;
  readonly ambient?: RouteValues;
  /** Beginnings of the name, tried before the name alone. */
  readonly scopes?: readonly string[] | undefined;
}

/** Path and query, and the route that made them. */
export interface Link {
  readonly path: string;
  readonly route: Route;
}

const parser = new TemplateParser();

/** Parses a template. Never throws: `RouteCollection.add` reports a mistake in it. */
export const parseTemplate = (text: string): RouteTemplate => parser.parse(text);

/**
 * Makes a route; the values of `handle` follow from `path`. Throws a `TypeError` where one of the two is missing.
 * `RouteCollection.add` reports a mistake in the template or the options.
 */
export function route<const Template extends string>(declaration: RouteDeclaration<Template>): Route {
  assertDeclaration(declaration);
  const { path, handle, stages } = declaration;
  const staged = stagedHandler(stages, handle as RouteHandler, `the route "${path}"`);
  return addOptions({ template: parseTemplate(path), handle: staged }, declaration);
}
