/**
 * Derives the schema and the typed value of a path parameter from the constraints of its route: `{task:int}` is an
 * integer of 32 bits, `{id:guid}` a text with the format `uuid`, `{n:range(1,5)}` an integer from 1 to 5 (D70).
 */
import { integerOf, numberOf } from '../../core/routing/constraints/constraint-table.ts';
import type { RouteValues } from '../../core/routing/route.ts';
import type { Parameter as RouteParameter, RouteTemplate, TypedValue } from '../../core/routing/template.ts';
import type { Keywords, Schema } from '../schema/schema.ts';

const INTEGER = { type: 'integer', format: 'int64' } as const;

/** An integer with limits. One that a double cannot hold exactly is left out. */
const limited = (limits: Readonly<Record<string, number>>): Keywords => ({
  ...INTEGER,
  ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => Number.isSafeInteger(limit))),
});

/** What each constraint says of the value. */
const KEYWORDS: Readonly<Record<string, (...args: readonly number[]) => Keywords>> = {
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

/** What the constraints of a parameter say, in their order. */
const partsOf = ({ constraints }: RouteParameter): readonly Keywords[] =>
  constraints.map(({ text }) => {
    const [name = '', list = ''] = text.replace(/\)$/, '').split('(');
    return KEYWORDS[name.toLowerCase()]?.(...(list === '' ? [] : list.split(',').map(Number))) ?? {};
  });

/** The schema that the constraints of a path parameter make. Where they disagree, `int` decides, else the last type. */
export function pathSchema(parameter: RouteParameter): Schema {
  const parts = partsOf(parameter);
  const { type = 'string', format } = parts.find(isInt) ?? merged(parts);
  const fitting = parts.filter((part) => (part.type ?? 'string') === type);
  return narrowed({ type }, ...fitting, { type, ...(format !== undefined && { format }) });
}

const isInt = ({ format }: Keywords): boolean => format === 'int32';
const merged = (parts: readonly Keywords[]): Keywords =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(part).filter(([, value]) => value !== undefined)));

/** The keywords of all schemas, the last of each, and of several limits the narrowest. */
export const narrowed = (...parts: readonly Keywords[]): Schema => {
  const limits = (['minimum', 'maximum', 'minLength', 'maxLength'] as const).flatMap((name) => {
    const given = parts.flatMap((part) => part[name] ?? []);
    return given.length === 0 ? [] : [[name, name.startsWith('min') ? Math.max(...given) : Math.min(...given)]];
  });
  return { ...merged(parts), ...Object.fromEntries(limits) } as Schema;
};

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
  const parts = partsOf(parameter);
  const hasType = (wanted: Schema['type']): boolean => parts.some(({ type }) => type === wanted);
  if (hasType('number') || parts.some(isInt)) return numberOf;
  if (hasType('integer')) return (text) => integerOf(text)!;
  return hasType('boolean') ? (text) => /true/i.test(text) : (text) => text;
}
