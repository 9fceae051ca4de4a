/**
 * Collects the constraints of a route by name: those of its options, then those of its template (reference A.6, D23).
 *
 * In the options `range(1,5)` is the known constraint, and `list|get` is an expression for the whole value. A name need
 * not be that of a parameter.
 */
import type { RouteConstraint } from '../constraints/constraint.ts';
import type { ConstraintTable } from '../constraints/constraint-table.ts';
import { expression } from '../constraints/expression.ts';
import type { Parameter } from '../template/template.ts';
import { TemplateError } from '../template/template-error.ts';
import { foldCase, sameText } from '../text/fold-case.ts';
import type { Route } from './route.ts';
import type { Defaults } from './route-defaults.ts';

export interface ConstrainedValue {
  /** As the template spells it, otherwise as the default does, otherwise as the options do. */
  readonly name: string;
  readonly key: string;
  readonly constraints: readonly RouteConstraint[];
  readonly parameter: Parameter | undefined;
}

const NO_CONSTRAINTS: readonly ConstrainedValue[] = [];

/** Returns the constraints of a route. Appends every fault to `mistakes`. */
export function constraintsOf(
  route: Route,
  defaults: Defaults,
  table: ConstraintTable,
  mistakes: TemplateError[],
): readonly ConstrainedValue[] {
  return route.constraints === undefined && !route.template.parameters.some(isConstrained)
    ? NO_CONSTRAINTS
    : collect(route, defaults, table, mistakes);
}

// A function of its own: `constraintsOf` makes no closure for a route without constraints.
function collect(
  { template, constraints: given }: Route,
  defaults: Defaults,
  table: ConstraintTable,
  mistakes: TemplateError[],
): readonly ConstrainedValue[] {
  const found = new Map<string, ConstrainedValue & { constraints: RouteConstraint[] }>();
  const add = (name: string, parameter: Parameter | undefined, offset: number, make: () => RouteConstraint): void => {
    const key = foldCase(name);
    const value = found.get(key) ?? {
      name: parameter?.name ?? defaults.get(key)?.name ?? name,
      key,
      constraints: [],
      parameter,
    };
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
    add(name, parameter, parameter?.offset ?? 0, () => constraintFrom(constraint, table));
  }
  for (const parameter of template.parameters) {
    for (const { text, offset } of parameter.constraints)
      add(parameter.name, parameter, offset, () => table.make(text));
  }
  return [...found.values()];
}

const isConstrained = (parameter: Parameter): boolean => parameter.constraints.length > 0;

function constraintFrom(given: string | RegExp | RouteConstraint, table: ConstraintTable): RouteConstraint {
  if (typeof given === 'string') return table.knows(given) ? table.make(given) : expression(given, given);
  if (given instanceof RegExp) return expression(given);
  if (typeof given?.accepts === 'function') return given;
  throw new TypeError('a constraint is neither text nor an expression nor an object that accepts');
}

const remedyFor = (error: unknown, table: ConstraintTable): string =>
  error instanceof Error && error.message.startsWith('there is no constraint')
    ? `use one of ${table.names.join(', ')}`
    : 'correct the constraint';
