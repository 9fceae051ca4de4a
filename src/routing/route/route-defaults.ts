/**
 * Collects the defaults of a route: those of its options, then those of its template, each in order (reference A.6).
 *
 * One name has one default: `{controller=Home}` and a default `Controller` in the options are a mistake.
 */
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
  if (given === undefined && !parameters.some(hasDefault)) return NO_DEFAULTS;
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
      mistakes.push(
        new TemplateError(text, parameter?.offset ?? 0, problem, 'keep one of them, case makes no difference'),
      );
    }
    defaults.set(key, { name: parameter?.name ?? name, value: value === null ? null : String(value), parameter });
  }
  for (const parameter of parameters) {
    if (parameter.default !== undefined)
      defaults.set(foldCase(parameter.name), { name: parameter.name, value: parameter.default, parameter });
  }
  return defaults;
}

const hasDefault = (parameter: Parameter): boolean => parameter.default !== undefined;
