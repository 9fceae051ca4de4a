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
  /** Made with the first link: most routes never make one. */
  linkParts: readonly LinkPart[] | undefined;
}

/** Declares where values come from: a segment, the rest of the path from a segment on, or the parts of a segment. */
interface Capture {
  /** The name of the value; empty if there are parts. */
  readonly name: string;
  readonly depth: number;
  readonly catchAll: boolean;
  readonly parts: Segment | undefined;
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

interface Default {
  /** As the template spells it, otherwise as the options do. */
  readonly name: string;
  /** Null is a default without a value. */
  readonly value: string | null;
  readonly parameter: Parameter | undefined;
}

/** Defaults by folded name. */
export type Defaults = ReadonlyMap<string, Default>;

export interface ConstrainedValue {
  /** As the template spells it, otherwise as the default does, otherwise as the options do. */
  readonly name: string;
  readonly key: string;
  readonly constraints: readonly RouteConstraint[];
  readonly parameter: Parameter | undefined;
}

/** Prepares a route. If it has faults, appends them to `mistakes` and returns undefined. */
export function prepareRoute(
  route: Route,
  position: number,
  table: ConstraintTable,
  mistakes: TemplateError[],
): PreparedRoute | undefined {
  const { segments, parameters, mistake } = route.template;
  const before = mistakes.length;
  if (mistake) mistakes.push(mistake);
  const defaults = defaultsOf(route, mistakes);
  const constrained = constraintsOf(route, defaults, table, mistakes);
  if (mistakes.length > before) return undefined;
  const captures = capturesOf(route.template);
  return {
    route,
    position,
    methods: methodsOf(route.method),
    requiredSegments: requiredSegments(segments, defaults),
    captures,
    plain:
      defaults.size === 0 &&
      constrained.length === 0 &&
      captures.every(({ parts, catchAll }) => parts === undefined && !catchAll) &&
      parameters.every(({ optional }) => !optional),
    catchAll: captures.find(({ catchAll }) => catchAll)?.name,
    defaults,
    constrained,
    linkParts: undefined,
  };
}

// Routes share what is equal: at ten thousand of them a match takes a sixth less time.
const methodLists = new Map<string, readonly string[]>();
let lastCaptures: { readonly template: RouteTemplate; readonly captures: readonly Capture[] } | undefined;

function methodsOf(method: Route['method'] = '*'): readonly string[] | undefined {
  const methods = [method].flat().map((one) => one.toUpperCase());
  if (methods.includes('*')) return undefined;
  const text = JSON.stringify(methods);
  if (!methodLists.has(text)) methodLists.set(text, methods);
  return methodLists.get(text);
}

function capturesOf(template: RouteTemplate): readonly Capture[] {
  if (lastCaptures?.template !== template) lastCaptures = { template, captures: template.segments.flatMap(captureOf) };
  return lastCaptures.captures;
}

function captureOf(segment: Segment, depth: number): Capture | readonly Capture[] {
  const part = segment[0]!;
  if (segment.length > 1) return { name: '', depth, catchAll: false, parts: segment };
  return part.kind === 'literal' ? [] : { name: part.name, depth, catchAll: part.catchAll, parts: undefined };
}

/** Counts the segments up to the last one that is neither optional nor a catch-all and has no default. */
const requiredSegments = (segments: readonly Segment[], defaults: Defaults): number =>
  1 +
  segments.findLastIndex(([part, ...more]) => {
    if (more.length > 0 || part!.kind === 'literal') return true;
    return !part!.optional && !part!.catchAll && !defaults.has(foldCase(part!.name));
  });

const NO_DEFAULTS: Defaults = new Map();

/** Returns the defaults of a route (reference A.6). Appends every fault to `mistakes`. */
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

const NO_CONSTRAINTS: readonly ConstrainedValue[] = [];

/** Returns the constraints of a route, those of its options first. Appends every fault to `mistakes`. */
function constraintsOf(
  { template, constraints: given = {} }: Route,
  defaults: Defaults,
  table: ConstraintTable,
  mistakes: TemplateError[],
): readonly ConstrainedValue[] {
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
  for (const [name, constraint] of Object.entries(given)) {
    const parameter = template.parameters.find((one) => sameText(one.name, name));
    add(name, parameter, parameter?.offset ?? 0, () => constraintFrom(constraint, name, table));
  }
  for (const parameter of template.parameters)
    for (const { text, offset } of parameter.constraints)
      add(parameter.name, parameter, offset, () => table.make(text));
  return found.size === 0 ? NO_CONSTRAINTS : [...found.values()];
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

/** The parts of the template of a route. */
export const linkPartsOf = (prepared: PreparedRoute): readonly LinkPart[] =>
  (prepared.linkParts ??= prepared.route.template.segments.flatMap((segment) =>
    segment.map((part, index) => {
      const startsSegment = index === 0;
      const before = segment[index - 1];
      if (part.kind === 'literal')
        return { startsSegment, literal: encode(part.text), key: '', parameter: undefined, followsSeparator: false };
      const followsSeparator = part.optional && before?.kind === 'literal' && before.optionalSeparator;
      return { startsSegment, literal: '', key: foldCase(part.name), parameter: part, followsSeparator };
    }),
  ));
