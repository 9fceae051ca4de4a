/**
 * Collects the defaults and constraints of a route: those of its options, then those of its template, each in order
 * (reference A.6, D23). A name of the options need not be that of a parameter.
 *
 * One name has one default: `{controller=Home}` and a default `Controller` in the options are a mistake. As a
 * constraint of the options `range(1,5)` is the known one, and `list|get` is an expression for the whole value.
 */
import { type ConstraintPredicate, PredicateConstraint, type RouteConstraint } from '../constraints/constraint.ts';
import type { ConstraintTable } from '../constraints/constraint-table.ts';
import { expression } from '../constraints/expression.ts';
import type { Parameter } from '../template/template.ts';
import { TemplateError } from '../template/template-error.ts';
import { foldCase, sameText } from '../text/fold-case.ts';
import type { Route } from './route.ts';

export interface Default {
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
export function defaultsOf({ template, defaults: given }: Route, mistakes: TemplateError[]): Defaults {
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
export function constraintsOf(route: Route, defaults: Defaults, table: ConstraintTable, mistakes: TemplateError[]) {
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
