/**
 * Derives the schema and the typed value of a path parameter from the constraints of its route (D70): `{task:int}` is a
 * 32-bit integer, `{id:guid}` is a string with the format `uuid`, and `{n:range(1,5)}` is an integer from 1 to 5.
 *
 * No keyword forbids a value that the constraint takes. A text says what keywords cannot express (D130): a constraint
 * counts UTF-16 units, but `minLength` and `maxLength` count characters, each of which has one or two units.
 */
import { integerOf, numberOf } from '../../core/routing/constraints/constraint-table.ts';
import type { RouteValues } from '../../core/routing/route.ts';
import type { Parameter as RouteParameter, RouteTemplate, TypedValue } from '../../core/routing/template.ts';
import type { Keywords, Schema } from '../schema/schema.ts';

const INTEGER = { type: 'integer', format: 'int64' } as const;

/** Returns an integer schema with these limits. Leaves out limits that a double cannot represent exactly. */
const limited = (limits: Readonly<Record<string, number>>): Keywords => ({
  ...INTEGER,
  ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => Number.isSafeInteger(limit))),
});

const ALSO_TAKEN = 'NaN, Infinity and -Infinity are accepted, too';

const KEYWORDS: Readonly<Record<string, (...args: readonly number[]) => Keywords>> = {
  int: () => ({ type: 'integer', format: 'int32' }),
  long: () => INTEGER,
  float: () => ({ type: 'number', format: 'float', description: ALSO_TAKEN }),
  double: () => ({ type: 'number', format: 'double', description: ALSO_TAKEN }),
  decimal: () => ({ type: 'number' }),
  bool: () => ({ type: 'boolean' }),
  guid: () => ({ type: 'string', format: 'uuid' }),
  min: (least) => limited({ minimum: least! }),
  max: (most) => limited({ maximum: most! }),
  range: (least, most) => limited({ minimum: least!, maximum: most! }),
  minlength: (least) => ({ minLength: Math.ceil(least! / 2), description: `UTF-16 units: at least ${least}` }),
  maxlength: (most) => ({ maxLength: most!, description: `UTF-16 units: at most ${most}` }),
  length: (least, most = least) => ({
    minLength: Math.ceil(least! / 2),
    maxLength: most!,
    description: `UTF-16 units: ${least === most ? most : `${least} to ${most}`}`,
  }),
  alpha: () => ({ pattern: '^[A-Za-z]*$' }),
  required: () => ({ minLength: 1 }),
};

const partsOf = ({ constraints }: RouteParameter): readonly Keywords[] =>
  constraints.map(({ text }) => {
    const [name = '', list = ''] = text.replace(/\)$/, '').split('(');
    return KEYWORDS[name.toLowerCase()]?.(...(list === '' ? [] : list.split(',').map(Number))) ?? {};
  });

/**
 * Returns the schema of a path parameter. If constraints have several types, the type of `int` wins, else the last. The
 * `description` says what the keywords cannot.
 */
export function pathSchema(parameter: RouteParameter): Schema {
  const parts = partsOf(parameter);
  const { type = 'string', format } = parts.find(isInt) ?? merged(parts);
  const fitting = parts.filter((part) => (part.type ?? 'string') === type);
  const texts = fitting.flatMap(({ description }) => description ?? []);
  const description = texts.length > 0 ? texts.join('; ') : undefined;
  return narrowed({ type }, ...fitting, { type, ...(format !== undefined && { format }), description });
}

const isInt = ({ format }: Keywords): boolean => format === 'int32';
const merged = (parts: readonly Keywords[]): Keywords =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(part).filter(([, value]) => value !== undefined)));

/**
 * Combines the keywords of all parts. Of several limits, the narrowest applies. Of other keywords, the last applies.
 */
export const narrowed = (...parts: readonly Keywords[]): Schema => {
  const limits = (['minimum', 'maximum', 'minLength', 'maxLength'] as const).flatMap((name) => {
    const values = parts.flatMap((part) => part[name] ?? []);
    return values.length === 0 ? [] : [[name, name.startsWith('min') ? Math.max(...values) : Math.min(...values)]];
  });
  return { ...merged(parts), ...Object.fromEntries(limits) } as Schema;
};

/** Returns a function that converts the values of a route to the types of their constraints. */
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

/** Returns a function that converts the text of a parameter to the type that `TypedValuesOf` declares. */
function converterOf(parameter: RouteParameter): (text: string) => TypedValue {
  const parts = partsOf(parameter);
  const hasType = (wanted: Schema['type']): boolean => parts.some(({ type }) => type === wanted);
  if (hasType('number') || parts.some(isInt)) return numberOf;
  if (hasType('integer')) return (text) => integerOf(text)!;
  return hasType('boolean') ? (text) => /true/i.test(text) : (text) => text;
}
