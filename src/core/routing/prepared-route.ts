/** Prepares routes for matching and links, and collects every mistake in their declarations. */

import { thrownMessage } from '../log/thrown-value.ts';
import { foldCase, sameText } from '../message/text.ts';
import type { RouteConstraint } from './constraints/constraint.ts';
import type { ConstraintTable } from './constraints/constraint-table.ts';
import type { Route } from './route.ts';
import { type Parameter, TemplateError } from './template.ts';

/** A route that a collection has accepted. */
export interface PreparedRoute {
  readonly route: Route;
  /** The index of the route in its collection. */
  readonly position: number;
  /** In upper case; undefined for any method. */
  readonly methods: readonly string[] | undefined;
  /** The least number of segments of a path. Segments after those are optional or have defaults. */
  readonly requiredSegments: number;
  readonly defaults: readonly Default[];
  readonly constrained: readonly ConstrainedValue[];
}

interface Default {
  readonly key: string;
  /** As the template spells it, otherwise as the options do. */
  readonly name: string;
  /** Null is a default without a value. */
  readonly value: string | null;
  readonly parameter: Parameter | undefined;
}

/** The default of a value, by its folded name. */
export const defaultOf = (defaults: readonly Default[], key: string): Default | undefined =>
  defaults.find((one) => one.key === key);

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
  const { segments, mistake } = route.template;
  const before = mistakes.length;
  if (mistake) mistakes.push(mistake);
  const defaults = defaultsOf(route, mistakes);
  const constrained = constraintsOf(route, defaults, table, mistakes);
  if (mistakes.length > before) return undefined;
  const methods = [route.method ?? '*'].flat().map((method) => method.toUpperCase());
  const lastRequired = segments.findLastIndex(
    ([part, ...more]) =>
      more.length > 0 ||
      part!.kind === 'literal' ||
      !(part!.optional || part!.catchAll || defaultOf(defaults, part!.key)),
  );
  return {
    route,
    position,
    methods: methods.includes('*') ? undefined : methods,
    requiredSegments: lastRequired + 1,
    defaults,
    constrained,
  };
}

/** Returns the defaults of a route (reference A.6). Appends every fault to `mistakes`. */
function defaultsOf({ template, defaults: given = {} }: Route, mistakes: TemplateError[]): readonly Default[] {
  const { text, parameters } = template;
  const defaults: Default[] = [];
  for (const [written, value] of Object.entries(given)) {
    const key = foldCase(written);
    const parameter = parameters.find((one) => one.key === key);
    const { name, offset, catchAll } = parameter ?? { name: written, offset: 0, catchAll: false };
    if (parameter?.default !== undefined) {
      const problem = `"${name}" has a default here and another outside`;
      mistakes.push(new TemplateError(text, offset, problem, 'keep one of them'));
    }
    if (defaultOf(defaults, key)) {
      const problem = `two defaults are given outside for "${written}"`;
      mistakes.push(new TemplateError(text, offset, problem, 'keep one of them, case makes no difference'));
    }
    defaults.push({ key, name, value: value === null ? (catchAll ? '' : null) : String(value), parameter });
  }
  for (const parameter of parameters) {
    const { key, name, catchAll, default: value } = parameter;
    // The rest of a path is never absent, but it may be empty (D26).
    if (value !== undefined || (catchAll && !defaultOf(defaults, key)))
      defaults.push({ key, name, value: value ?? '', parameter });
  }
  return defaults;
}

/** Returns the constraints of a route, those of its options first. Appends every fault to `mistakes`. */
function constraintsOf(
  { template: { text, parameters }, constraints: given = {} }: Route,
  defaults: readonly Default[],
  table: ConstraintTable,
  mistakes: TemplateError[],
): readonly ConstrainedValue[] {
  const found = new Map<string, ConstrainedValue & { readonly constraints: RouteConstraint[] }>();
  const outside = Object.entries(given).map(([name, constraint]) => {
    const parameter = parameters.find((one) => sameText(one.name, name));
    const make = (): RouteConstraint => table.declared(constraint, name);
    return { written: name, parameter, offset: parameter?.offset ?? 0, make, isKnown: true };
  });
  const inside = parameters.flatMap((parameter) =>
    parameter.constraints.map(({ text: constraint, offset }) => {
      const make = (): RouteConstraint => table.make(constraint);
      return { written: parameter.name, parameter, offset, make, isKnown: table.knows(constraint) };
    }),
  );
  for (const { written, parameter, offset, make, isKnown } of [...outside, ...inside]) {
    const key = foldCase(written);
    const name = parameter?.name ?? defaultOf(defaults, key)?.name ?? written;
    const value = found.get(key) ?? { name, key, constraints: [], parameter };
    found.set(key, value);
    try {
      value.constraints.push(make());
    } catch (error) {
      const remedy = isKnown ? 'correct the constraint' : `use one of ${table.names.join(', ')}`;
      mistakes.push(new TemplateError(text, offset, thrownMessage(error), remedy, { cause: error }));
    }
  }
  return [...found.values()];
}
