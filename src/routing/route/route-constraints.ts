/**
 * The constraints of a route by name: those given outside its template first, then those inside (reference A.6, D23).
 *
 * Outside, `range(1,5)` is the known constraint, `list|get` an expression for the whole value; the name need not be a parameter's.
 */
import type { RouteConstraint } from '../constraints/constraint.ts';
import type { ConstraintTable } from '../constraints/constraint-table.ts';
import { expression } from '../constraints/expression.ts';
import type { Parameter } from '../template/template.ts';
import { TemplateError } from '../template/template-error.ts';
import { foldCase, sameText } from '../text/fold-case.ts';
import type { Route } from './route.ts';
import type { Defaults } from './route-defaults.ts';

/** The constraints on one name, which all have to accept. */
export interface Constrained {
  /** As the template spells it, else as the default does, else as it was given. */
  readonly name: string;
  /** The name, folded. */
  readonly key: string;
  readonly constraints: readonly RouteConstraint[];
  readonly parameter: Parameter | undefined;
}

const NONE: readonly Constrained[] = [];

/** The constraints of a route; what is wrong with them goes to `mistakes`. */
export function constraintsOf(
  route: Route,
  defaults: Defaults,
  table: ConstraintTable,
  mistakes: TemplateError[],
): readonly Constrained[] {
  if (route.constraints === undefined && !route.template.parameters.some(isConstrained)) return NONE;
  return collect(route, defaults, table, mistakes);
}

// Apart, because a function with others inside sets something up for them before it can find that there is nothing to do.
function collect(
  route: Route,
  defaults: Defaults,
  table: ConstraintTable,
  mistakes: TemplateError[],
): readonly Constrained[] {
  const { template, constraints: given } = route;
  const found = new Map<string, Constrained & { constraints: RouteConstraint[] }>();
  const constrain = (
    name: string,
    parameter: Parameter | undefined,
    offset: number,
    make: () => RouteConstraint,
  ): void => {
    const key = foldCase(name);
    let entry = found.get(key);
    if (entry === undefined)
      found.set(
        key,
        (entry = { name: parameter?.name ?? defaults.get(key)?.name ?? name, key, constraints: [], parameter }),
      );
    try {
      entry.constraints.push(make());
    } catch (error) {
      mistakes.push(
        new TemplateError(
          template.text,
          offset,
          error instanceof Error ? error.message : String(error),
          remedyFor(error, table),
          {
            cause: error,
          },
        ),
      );
    }
  };
  for (const [name, constraint] of Object.entries(given ?? {})) {
    const parameter = template.parameters.find((one) => sameText(one.name, name));
    constrain(name, parameter, parameter?.offset ?? 0, () => outside(constraint, table));
  }
  for (const parameter of template.parameters) {
    for (const { text, offset } of parameter.constraints)
      constrain(parameter.name, parameter, offset, () => table.make(text));
  }
  return [...found.values()];
}

function outside(given: string | RegExp | RouteConstraint, table: ConstraintTable): RouteConstraint {
  if (typeof given === 'string') return table.knows(given) ? table.make(given) : expression(given, given);
  if (given instanceof RegExp) return expression(given);
  if (typeof given?.accepts === 'function') return given;
  throw new TypeError('a constraint is neither text nor an expression nor an object that accepts');
}

const remedyFor = (error: unknown, table: ConstraintTable): string =>
  error instanceof Error && error.message.startsWith('there is no constraint')
    ? `use one of ${table.names.join(', ')}`
    : 'correct the constraint';

const isConstrained = (parameter: Parameter): boolean => parameter.constraints.length > 0;
