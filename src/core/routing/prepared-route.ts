/** Prepares routes for matching and links, and collects every mistake in their declarations. */

import {
  type ConstraintPredicate,
  expression,
  PredicateConstraint,
  type RouteConstraint,
} from './constraints/constraint.ts';
import type { ConstraintTable } from './constraints/constraint-table.ts';

import { encode } from './link-values.ts';
import type { Route } from './route.ts';
import { type Parameter, type RouteTemplate, type Segment, TemplateError } from './template.ts';
import { foldCase, sameText } from './text.ts';

interface Default {
  /** As the template spells it, otherwise as the options do. */
  readonly name: string;
  /** Null is a default without a value. */
  readonly value: string | null;
  readonly parameter: Parameter | undefined;
}

/** Defaults by folded name. */
export type Defaults = ReadonlyMap<string, Default>;

const NO_DEFAULTS: Defaults = new Map();

/** Returns the defaults of a route. Appends every fault to `mistakes`. */
function defaultsOf({ template, defaults: given }: Route, mistakes: TemplateError[]): Defaults {
  const { text, parameters } = template;
  if (given === undefined && !parameters.some((one) => one.default !== undefined)) return NO_DEFAULTS;
  const defaults = new Map<string, Default>();
  for (const [name, value] of Object.entries(given ?? {})) {
    const key = foldCase(name);
    const parameter = parameters.find((one) => sameText(one.name, name));
    if (parameter?.default !== undefined) {
      const problem = `"${parameter.name}" has a default here and another outside`;
      mistakes.push(new TemplateError(text, parameter.offset, problem, 'keep one of them'));
    }
    if (defaults.has(key)) {
      const problem = `two defaults are given outside for "${name}"`;
      const remedy = 'keep one of them, case makes no difference';
      mistakes.push(new TemplateError(text, parameter?.offset ?? 0, problem, remedy));
    }
    defaults.set(key, { name: parameter?.name ?? name, value: value === null ? null : String(value), parameter });
  }
  for (const parameter of parameters) {
    if (parameter.default !== undefined)
      defaults.set(foldCase(parameter.name), { name: parameter.name, value: parameter.default, parameter });
  }
  return defaults;
}

export interface ConstrainedValue {
  /** As the template spells it, otherwise as the default does, otherwise as the options do. */
  readonly name: string;
  readonly key: string;
  readonly constraints: readonly RouteConstraint[];
  readonly parameter: Parameter | undefined;
}

const NO_CONSTRAINTS: readonly ConstrainedValue[] = [];

/** Returns the constraints of a route. Appends every fault to `mistakes`. */
function constraintsOf(route: Route, defaults: Defaults, table: ConstraintTable, mistakes: TemplateError[]) {
  return route.constraints === undefined && !route.template.parameters.some((one) => one.constraints.length > 0)
    ? NO_CONSTRAINTS
    : collect(route, defaults, table, mistakes);
}

// A function of its own: a route without constraints makes no closure that holds its arguments.
function collect(route: Route, defaults: Defaults, table: ConstraintTable, mistakes: TemplateError[]) {
  const { template, constraints: given } = route;
  const found = new Map<string, ConstrainedValue & { constraints: RouteConstraint[] }>();
  const add = (name: string, parameter: Parameter | undefined, offset: number, make: () => RouteConstraint): void => {
    const key = foldCase(name);
    const spelled = parameter?.name ?? defaults.get(key)?.name ?? name;
    const value = found.get(key) ?? { name: spelled, key, constraints: [], parameter };
    found.set(key, value);
    try {
      value.constraints.push(make());
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      mistakes.push(new TemplateError(template.text, offset, problem, remedyFor(error, table), { cause: error }));
    }
  };
  for (const [name, constraint] of Object.entries(given ?? {})) {
    const parameter = template.parameters.find((one) => sameText(one.name, name));
    add(name, parameter, parameter?.offset ?? 0, () => constraintFrom(constraint, name, table));
  }
  for (const parameter of template.parameters) {
    for (const { text, offset } of parameter.constraints)
      add(parameter.name, parameter, offset, () => table.make(text));
  }
  return [...found.values()];
}

type DeclaredConstraint = NonNullable<Route['constraints']>[string];

function constraintFrom(given: DeclaredConstraint, name: string, table: ConstraintTable): RouteConstraint {
  if (typeof given === 'string') return table.knows(given) ? table.make(given) : expression(given, given);
  if (given instanceof RegExp) return expression(given);
  if (typeof given === 'function') return new PredicateConstraint(textOf(given, name), given);
  if (typeof given?.accepts === 'function') return given;
  throw new TypeError('a constraint is neither text nor an expression nor a predicate nor an object that accepts');
}

// In `{ n: (value) => … }` JavaScript gives the function the name `n`, which says nothing about it.
const textOf = (predicate: ConstraintPredicate, name: string): string =>
  predicate.name === '' || predicate.name === name ? 'predicate' : predicate.name;

const remedyFor = (error: unknown, table: ConstraintTable): string =>
  error instanceof Error && error.message.startsWith('there is no constraint')
    ? `use one of ${table.names.join(', ')}`
    : 'correct the constraint';

/** A route that a collection has accepted. */
export interface PreparedRoute {
  readonly route: Route;
  /** The index of the route in its collection. */
  readonly position: number;
  /** In upper case; undefined for any method. */
  readonly methods: readonly string[] | undefined;
  /** The least number of segments of a path. Segments after those are optional or have defaults. */
  readonly requiredSegments: number;
  readonly captures: readonly Capture[];
  /** True if each value is a whole required segment without constraints: the route matches where its literals do. */
  readonly plain: boolean;
  readonly catchAll: string | undefined;
  readonly defaults: Defaults;
  readonly constrained: readonly ConstrainedValue[];
  readonly linkParts: LinkParts;
}

/** Declares where values come from: a segment, the rest of the path from a segment on, or the parts of a segment. */
interface Capture {
  /** The name of the value; empty if there are parts. */
  readonly name: string;
  readonly depth: number;
  readonly catchAll: boolean;
  readonly parts: Segment | undefined;
}

/** What a template alone decides. It is plain if every parameter is a whole required segment. */
interface Shape extends Pick<PreparedRoute, 'captures' | 'plain' | 'linkParts'> {
  readonly template: RouteTemplate;
}

export class RoutePreparer {
  readonly #constraints: ConstraintTable;
  // The methods of one template usually follow each other, and share its shape.
  #shape: Shape | undefined;
  // One list for all routes with the same single method.
  readonly #singleMethods = new Map<string, readonly string[]>();

  constructor(constraints: ConstraintTable) {
    this.#constraints = constraints;
  }

  /** Prepares a route. If it has faults, appends them to `mistakes` and returns undefined. */
  prepare(route: Route, position: number, mistakes: TemplateError[]): PreparedRoute | undefined {
    const { template } = route;
    const before = mistakes.length;
    if (template.mistake) mistakes.push(template.mistake);
    const { captures, plain, linkParts } = this.#shapeOf(template);
    const defaults = defaultsOf(route, mistakes);
    const constrained = constraintsOf(route, defaults, this.#constraints, mistakes);
    if (mistakes.length > before) return undefined;
    return {
      route,
      position,
      methods: this.#methodsOf(route.method),
      requiredSegments: plain && defaults.size === 0 ? template.segments.length : requiredSegments(template, defaults),
      captures,
      plain: plain && defaults.size === 0 && constrained.length === 0,
      catchAll: captures.find((one) => one.catchAll)?.name,
      defaults,
      constrained,
      linkParts,
    };
  }

  #shapeOf(template: RouteTemplate): Shape {
    if (this.#shape?.template === template) return this.#shape;
    const { parameters, segments } = template;
    const captures = parameters.length === 0 ? NO_CAPTURES : capturesOf(segments);
    const plain = parameters.every(({ catchAll, optional }) => !catchAll && !optional) && !captures.some(hasParts);
    return (this.#shape = { template, captures, plain, linkParts: new LinkParts(segments) });
  }

  #methodsOf(method: Route['method']): readonly string[] | undefined {
    if (method === undefined || method === '*') return undefined;
    if (typeof method !== 'string') {
      if (method.length === 1) return this.#methodsOf(method[0]);
      return method.includes('*') ? undefined : method.map((one) => one.toUpperCase());
    }
    let list = this.#singleMethods.get(method);
    if (list === undefined) this.#singleMethods.set(method, (list = [method.toUpperCase()]));
    return list;
  }
}

const NO_CAPTURES: readonly Capture[] = [];
const hasParts = ({ parts }: Capture): boolean => parts !== undefined;

function capturesOf(segments: readonly Segment[]): readonly Capture[] {
  const captures: Capture[] = [];
  for (let depth = 0; depth < segments.length; depth++) {
    const segment = segments[depth]!;
    const part = segment[0]!;
    if (segment.length > 1) captures.push({ name: '', depth, catchAll: false, parts: segment });
    else if (part.kind === 'parameter')
      captures.push({ name: part.name, depth, catchAll: part.catchAll, parts: undefined });
  }
  return captures.slice(); // `push` reserves room for sixteen more
}

/** Counts the segments up to the last one that is neither optional nor a catch-all and has no default. */
function requiredSegments({ segments }: RouteTemplate, defaults: Defaults): number {
  let required = segments.length;
  for (; required > 0; required--) {
    const segment = segments[required - 1]!;
    const part = segment[0]!;
    if (segment.length > 1 || part.kind === 'literal') break;
    if (!part.optional && !part.catchAll && !defaults.has(foldCase(part.name))) break;
  }
  return required;
}

/** A part as a link needs it. */
interface LinkPart {
  readonly startsSegment: boolean;
  /** The encoded text of a literal; empty for a parameter. */
  readonly literal: string;
  /** The folded name of a parameter; empty for a literal. */
  readonly key: string;
  readonly parameter: Parameter | undefined;
  /** True for an optional parameter after a period, which is omitted together with the value. */
  readonly followsSeparator: boolean;
}

/** The parts of one template, made when the first link is made: most routes never make one. */
class LinkParts {
  readonly #segments: readonly Segment[];
  #all: readonly LinkPart[] | undefined;
  #parameters: readonly LinkPart[] | undefined;

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  get all(): readonly LinkPart[] {
    return (this.#all ??= this.#segments.flatMap(partsOf));
  }

  get parameters(): readonly LinkPart[] {
    return (this.#parameters ??= this.all.filter((part) => part.parameter !== undefined));
  }
}

const partsOf = (segment: Segment): readonly LinkPart[] =>
  segment.map((part, index) => {
    const startsSegment = index === 0;
    const before = segment[index - 1];
    if (part.kind === 'literal')
      return { startsSegment, literal: encode(part.text), key: '', parameter: undefined, followsSeparator: false };
    const followsSeparator = part.optional && before?.kind === 'literal' && before.optionalSeparator;
    return { startsSegment, literal: '', key: foldCase(part.name), parameter: part, followsSeparator };
  });
