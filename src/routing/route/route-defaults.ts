/**
 * The defaults of a route: those given outside its template in their order, then those inside from left to right (reference A.6).
 *
 * `{controller=Home}` together with an outside default for `Controller` says two things and is refused.
 */

import type { Parameter } from '../template/template.ts';
import { TemplateError } from '../template/template-error.ts';
import { foldCase, sameText } from '../text/fold-case.ts';
import type { Route } from './route.ts';

/** One default. */
export interface Default {
  /** As the template spells it; else as it was given. */
  readonly name: string;
  /** Null is a default without a value. */
  readonly value: string | null;
  readonly parameter: Parameter | undefined;
}

/** By folded name. */
export type Defaults = ReadonlyMap<string, Default>;

const NONE: Defaults = new Map();

/** The defaults of a route; what is wrong with them goes to `mistakes`. */
export function defaultsOf({ template, defaults: given }: Route, mistakes: TemplateError[]): Defaults {
  if (given === undefined && !template.parameters.some(hasDefault)) return NONE;
  const defaults = new Map<string, Default>();
  for (const [name, value] of Object.entries(given ?? {})) {
    const parameter = template.parameters.find((one) => sameText(one.name, name));
    if (parameter?.default !== undefined) {
      mistakes.push(
        new TemplateError(
          template.text,
          parameter.offset,
          `"${parameter.name}" has a default here and another outside`,
          'keep one of them',
        ),
      );
    }
    if (defaults.has(foldCase(name))) {
      mistakes.push(
        new TemplateError(
          template.text,
          parameter?.offset ?? 0,
          `two defaults are given outside for "${name}"`,
          'keep one of them, case makes no difference',
        ),
      );
    }
    defaults.set(foldCase(name), {
      name: parameter?.name ?? name,
      value: value === null ? null : String(value),
      parameter,
    });
  }
  for (const parameter of template.parameters) {
    if (parameter.default !== undefined)
      defaults.set(foldCase(parameter.name), { name: parameter.name, value: parameter.default, parameter });
  }
  return defaults;
}

const hasDefault = (parameter: Parameter): boolean => parameter.default !== undefined;
