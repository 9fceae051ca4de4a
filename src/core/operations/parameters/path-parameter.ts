/**
 * Derives the schema and the typed value of a path parameter from the constraints of its route: `{task:int}` is an
 * integer of 32 bits, `{id:guid}` a text with the format `uuid`, `{n:range(1,5)}` an integer from 1 to 5 (D70).
 */
import { integerOf, numberOf } from '../../routing/constraints/constraint-table.ts';
import type { RouteValues } from '../../routing/route.ts';
import type { Parameter as RouteParameter, RouteTemplate, TypedValue } from '../../routing/template.ts';
import type { Schema } from '../schema/schema.ts';

const INTEGER = { type: 'integer', format: 'int64' } as const;

/** An integer with limits. One that a double cannot hold exactly is left out. */
const limited = (limits: Readonly<Record<string, number>>): Schema => ({
  ...INTEGER,
  ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => Number.isSafeInteger(limit))),
});

/** What each constraint says of the value. */
const KEYWORDS: Readonly<Record<string, (...args: readonly number[]) => Schema>> = {
  int: () => ({ type: 'integer', format: 'int32' }),
  long: () => INTEGER,
  float: () => ({ type: 'number', format: 'float' }),
  double: () => ({ type: 'number', format: 'double' }),
  decimal: () => ({ type: 'number' }),
  bool: () => ({ type: 'boolean' }),
  guid: () => ({ type: 'string', format: 'uuid' }),
  min: (least) => limited({ minimum: least! }),
  max: (most) => limited({ maximum: most! }),
  range: (least, most) => limited({ minimum: least!, maximum: most! }),
  minlength: (minLength) => ({ minLength: minLength! }),
  maxlength: (maxLength) => ({ maxLength: maxLength! }),
  length: (least, most = least) => ({ minLength: least!, maxLength: most! }),
  alpha: () => ({ pattern: '^[A-Za-z]*$' }),
  required: () => ({ minLength: 1 }),
};

/** The name and the arguments of each constraint. */
const constraintsOf = ({ constraints }: RouteParameter): (readonly [name: string, ...args: number[]])[] =>
  constraints.map(({ text }) => {
    const [name = '', list = ''] = text.replace(/\)$/, '').split('(');
    return [name.toLowerCase(), ...(list === '' ? [] : list.split(',').map(Number))];
  });

/** The schema that the constraints of a path parameter make. Where they disagree, `int` decides, else the last type. */
export function pathSchema(parameter: RouteParameter): Schema {
  const parts = constraintsOf(parameter).map(([name, ...args]) => KEYWORDS[name]?.(...args) ?? {});
  const { type = 'string', format } = parts.find((part) => part.format === 'int32') ?? merged(parts);
  const fitting = parts.filter((part) => (part.type ?? 'string') === type);
  return narrowed({ type }, ...fitting, { type, ...(format !== undefined && { format }) });
}

/** The keywords of all schemas, the last of each, and of several limits the narrowest. */
export const narrowed = (...parts: readonly Schema[]): Schema => ({ ...merged(parts), ...limitsOf(parts) });

const merged = (parts: readonly Schema[]): Schema => Object.assign({}, ...parts);

/** Of several limits the narrowest. */
function limitsOf(parts: readonly Schema[]): Schema {
  const limits: Partial<Record<(typeof LIMITS)[number], number>> = {};
  for (const name of LIMITS) {
    const given = parts.flatMap((part) => part[name] ?? []);
    if (given.length > 0) limits[name] = name.startsWith('min') ? Math.max(...given) : Math.min(...given);
  }
  return limits;
}
const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength'] as const;

/** Returns the function that types the values of a route, each by its constraints. */
export function typedValues({ parameters }: RouteTemplate): (values: RouteValues) => Record<string, TypedValue> {
  const converters = parameters.map((parameter) => [parameter.name, converterOf(parameter)] as const);
  return (values) => {
    const typed: Record<string, TypedValue> = Object.create(null);
    for (const [name, convert] of converters) {
      const text = values[name];
      if (text !== undefined) typed[name] = convert(text);
    }
    return typed;
  };
}

/** Returns the converter of the texts of a parameter to the type that `TypedValuesOf` gives it. */
function converterOf(parameter: RouteParameter): (text: string) => TypedValue {
  const names = new Set(constraintsOf(parameter).map(([name]) => name));
  const hasAny = (...wanted: readonly string[]): boolean => wanted.some((name) => names.has(name));
  if (hasAny('int', 'float', 'double', 'decimal')) return numberOf;
  if (hasAny('long', 'min', 'max', 'range')) return (text) => integerOf(text)!;
  return hasAny('bool') ? (text) => /true/i.test(text) : (text) => text;
}
