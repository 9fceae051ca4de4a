/** Prepares routes for matching and links. Collects every mistake in their declarations. */
import { foldCase } from '../http/text.ts';
import { thrownMessage } from '../log/thrown-value.ts';
import { nameRemedy } from '../options/assert-options.ts';
import type { RouteConstraint } from './constraints/constraint.ts';
import type { ConstraintTable } from './constraints/constraint-table.ts';
import type { Route } from './route.ts';
import { type Literal, type Parameter, TemplateError } from './template.ts';

/** A route that a collection has accepted. */
export interface PreparedRoute {
  readonly route: Route;
  /** The literal of each segment that consists of one literal; undefined for all other segments. */
  readonly literals: readonly (Literal | undefined)[];
  /** The methods in upper case; undefined if the route takes any method. */
  readonly methods: readonly string[] | undefined;
  /** The minimum number of segments of a path. Later segments are optional or have defaults. */
  readonly requiredSegments: number;
  /** The maximum number of segments of a path; `Infinity` with a catch-all. */
  readonly maxSegments: number;
  /** The defaults by name; the names are in folded case. */
  readonly defaults: ReadonlyMap<string, Default>;
  readonly constrained: readonly ConstrainedValue[];
}

interface Default {
  /** The name as spelt in the template; if the template lacks it, as spelt in the options. */
  readonly name: string;
  /** Null if the route declares the default null: a path may lack the value, which is then null. */
  readonly value: string | null;
  readonly parameter: Parameter | undefined;
}

interface ConstrainedValue {
  /** The name as spelt in the template, otherwise in the defaults, otherwise in the constraints of the options. */
  readonly name: string;
  readonly key: string;
  readonly constraints: readonly RouteConstraint[];
  readonly parameter: Parameter | undefined;
}

type Report = (offset: number, problem: string, remedy: string, options?: ErrorOptions) => void;

/** Prepares a route. If it has mistakes, appends them to `mistakes` and returns undefined. */
export function prepareRoute(
  route: Route,
  table: ConstraintTable,
  mistakes: TemplateError[],
): PreparedRoute | undefined {
  const { text, segments, parameters, mistake } = route.template;
  const before = mistakes.length;
  const report: Report = (...fault) => mistakes.push(new TemplateError(text, ...fault));
  if (mistake) mistakes.push(mistake);
  const defaults = defaultsOf(route, report);
  const constrained = constraintsOf(route, defaults, table, report);
  if (mistakes.length > before) return undefined;
  const methods = [route.method ?? '*'].flat().map((method) => method.toUpperCase());
  const literals = segments.map(([part, ...more]) =>
    part!.kind === 'literal' && more.length === 0 ? part : undefined,
  );
  const lastRequired = segments.findLastIndex(
    ([part, ...more]) =>
      more.length > 0 || part!.kind === 'literal' || !(part!.optional || part!.catchAll || defaults.has(part!.key)),
  );
  return {
    route,
    methods: methods.includes('*') ? undefined : methods,
    literals,
    requiredSegments: lastRequired + 1,
    maxSegments: parameters.at(-1)?.catchAll ? Infinity : segments.length,
    defaults,
    constrained,
  };
}

/** Returns the defaults of a route (rule A.6). */
function defaultsOf(
  { template: { parameters }, defaults: declared = {} }: Route,
  report: Report,
): Map<string, Default> {
  const defaults = new Map<string, Default>();
  for (const [written, value] of Object.entries(declared)) {
    const key = foldCase(written);
    const parameter = parameters.find((parameter) => parameter.key === key);
    const { name, offset, catchAll } = parameter ?? { name: written, offset: 0, catchAll: false };
    if (parameter?.default !== undefined)
      report(offset, `"${name}" has a default here and another in the options`, 'keep one of them');
    if (defaults.has(key)) {
      const remedy = 'keep one of them, case makes no difference';
      report(offset, `the options have two defaults for "${written}"`, remedy);
    }
    defaults.set(key, { name, value: value === null ? (catchAll ? '' : null) : String(value), parameter });
  }
  for (const parameter of parameters) {
    const { key, name, catchAll, default: value } = parameter;
    // A catch-all always has a value, which may be empty (D26).
    if (value !== undefined || (catchAll && !defaults.has(key)))
      defaults.set(key, { name, value: value ?? '', parameter });
  }
  return defaults;
}

/** Returns the constraints of a route: first those in its options, then those in its template. */
function constraintsOf(
  { template: { parameters }, constraints: declared = {} }: Route,
  defaults: ReadonlyMap<string, Default>,
  table: ConstraintTable,
  report: Report,
): readonly ConstrainedValue[] {
  const found = new Map<string, ConstrainedValue & { readonly constraints: RouteConstraint[] }>();
  const add = (written: string, make: () => RouteConstraint, offset?: number, unknown?: string): void => {
    const key = foldCase(written);
    const parameter = parameters.find((parameter) => parameter.key === key);
    const name = parameter?.name ?? defaults.get(key)?.name ?? written;
    const value = found.get(key) ?? { name, key, constraints: [], parameter };
    found.set(key, value);
    try {
      value.constraints.push(make());
    } catch (error) {
      const remedy = unknown === undefined ? 'correct the constraint' : nameRemedy(unknown, table.names);
      report(offset ?? parameter?.offset ?? 0, thrownMessage(error), remedy, { cause: error });
    }
  };
  for (const [name, constraint] of Object.entries(declared)) add(name, () => table.declared(constraint, name));
  for (const { name, constraints } of parameters)
    for (const { text, offset } of constraints) {
      const unknown = table.knows(text) ? undefined : text.replace(/\(.*/s, '');
      add(name, () => table.make(text), offset, unknown);
    }
  return [...found.values()];
}
