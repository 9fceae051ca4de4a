/**
 * A route made ready to be asked: methods in upper case, defaults and constraints merged, and where each value comes from.
 *
 * Everything that can be wrong with a route shows here, all of it at once.
 */
import type { ConstraintTable } from '../constraints/constraint-table.ts';
import type { Parameter, RouteTemplate, Segment } from '../template/template.ts';
import type { TemplateError } from '../template/template-error.ts';
import { foldCase } from '../text/fold-case.ts';
import { Writing } from './link-parts.ts';
import type { Route } from './route.ts';
import type { Constrained } from './route-constraints.ts';
import { constraintsOf } from './route-constraints.ts';
import type { Defaults } from './route-defaults.ts';
import { defaultsOf } from './route-defaults.ts';

/** Where values come from: a whole segment of the path, the rest of the path from there, or the parts of a segment. */
export interface Capture {
  readonly name: string;
  readonly depth: number;
  readonly rest: boolean;
  readonly parts: Segment | undefined;
}

/** A route, made ready. */
export interface PreparedRoute {
  readonly route: Route;
  /** Its place in the collection. */
  readonly position: number;
  /** The only method, in upper case; undefined when there are several or it takes any. */
  readonly method: string | undefined;
  /** In upper case; undefined for any method. */
  readonly methods: readonly string[] | undefined;
  /** How many segments a path must have at least; those behind are optional or have defaults. */
  readonly required: number;
  readonly captures: readonly Capture[];
  /** Every value is a whole segment that must be there, and nothing constrains it: such a route cannot refuse any more. */
  readonly plain: boolean;
  /** The name of the catch-all. */
  readonly rest: string | undefined;
  readonly defaults: Defaults;
  readonly constrained: readonly Constrained[];
  /** For a link: the parts of the template, names folded and literals encoded. */
  readonly written: Writing;
}

/** Prepares a route; what is wrong with it goes to `mistakes`, and there is no prepared route then. */
export function prepareRoute(
  route: Route,
  position: number,
  table: ConstraintTable,
  mistakes: TemplateError[],
): PreparedRoute | undefined {
  const { template } = route,
    before = mistakes.length;
  if (template.mistake) mistakes.push(template.mistake);
  const { captures, plain, written } = shapeOf(template);
  const defaults = defaultsOf(route, mistakes);
  const constrained = constraintsOf(route, defaults, table, mistakes);
  if (mistakes.length > before) return undefined;
  const methods = methodsOf(route.methods);
  const last = captures.length === 0 ? undefined : captures[captures.length - 1];
  return {
    route,
    position,
    captures,
    methods,
    defaults,
    constrained,
    method: methods?.length === 1 ? methods[0] : undefined,
    required: plain && defaults.size === 0 ? template.segments.length : requiredOf(template, defaults),
    plain: plain && defaults.size === 0 && constrained.length === 0,
    rest: last?.rest ? last.name : undefined,
    written,
  };
}

/** Segments from the end that need not be there: optional, with a default, or a catch-all. */
function requiredOf({ segments }: RouteTemplate, defaults: Defaults): number {
  let required = segments.length;
  for (; required > 0; required--) {
    const segment = segments[required - 1]!,
      part = segment[0]!;
    if (segment.length > 1 || part.kind === 'literal') break;
    if (!part.optional && !part.catchAll && !defaults.has(foldCase(part.name))) break;
  }
  return required;
}

/** What can be said of a template alone. One template is parsed once for all its methods, which follow each other. */
interface Shape {
  readonly template: RouteTemplate | undefined;
  readonly captures: readonly Capture[];
  /** Every parameter is a segment that has to be there. */
  readonly plain: boolean;
  readonly written: Writing;
}

// Passed on and not looped with, because code that is not compiled yet allocates for each step of `for … of`.
const isWhole = ({ parts, rest }: Capture): boolean => parts === undefined && !rest;
const isOptional = ({ optional }: Parameter): boolean => optional;

let last: Shape = { template: undefined, captures: [], plain: true, written: new Writing([]) };
const NONE: readonly Capture[] = [];

function shapeOf(template: RouteTemplate): Shape {
  if (last.template === template) return last;
  const captures = template.parameters.length === 0 ? NONE : capturesOf(template.segments);
  const plain = captures.every(isWhole) && !template.parameters.some(isOptional);
  return (last = { template, captures, plain, written: new Writing(template.segments) });
}

function capturesOf(segments: readonly Segment[]): readonly Capture[] {
  const captures: Capture[] = [];
  for (let depth = 0; depth < segments.length; depth++) {
    const segment = segments[depth]!,
      part = segment[0]!;
    if (segment.length > 1) captures.push({ name: '', depth, rest: false, parts: segment });
    else if (part.kind === 'parameter')
      captures.push({ name: part.name, depth, rest: part.catchAll, parts: undefined });
  }
  return captures.slice(); // a list that grew keeps room for sixteen more
}

const SINGLE = new Map<string, readonly string[]>();

/** In upper case; undefined for any. A single method has one list for all routes. */
function methodsOf(methods: Route['methods']): readonly string[] | undefined {
  if (methods === undefined) return undefined;
  if (typeof methods !== 'string')
    return methods.length === 1
      ? methodsOf(methods[0])
      : methods.includes('*')
        ? undefined
        : methods.map((method) => method.toUpperCase());
  let list = SINGLE.get(methods);
  if (list === undefined && methods !== '*') SINGLE.set(methods, (list = [methods.toUpperCase()]));
  return list;
}
