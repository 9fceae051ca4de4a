/**
 * Decides whether a JSON value has the type of a schema, for bodies and for checked replies (D3, D14).
 *
 * A number beyond the range of a double, such as `1e999`, is a wrong type; so is `1.5` for an integer.
 */
import { article } from '../../http/headers/header-fault.ts';
import type { Schema } from './schema.ts';

/** Returns whether the value has the type of the schema. Members and elements are not checked. */
export function matchesType(schema: Schema, value: unknown): boolean {
  if (value === null) return schema['x-nullable'] === true;
  switch (schema.type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value) && (schema.format !== 'int32' || (value as number) === ((value as number) | 0));
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === schema.type;
  }
}

/** Returns the type in words: `a string or null`. */
export const typeText = ({ type, format, 'x-nullable': nullable }: Schema): string =>
  `${article(type)}${format === 'int32' ? ' of 32 bits' : ''}${nullable ? ' or null' : ''}`;

/** Returns a value of a wrong type in words: `a string`. Where the schema expects a number, a number is in digits. */
export function valueText({ type }: Schema, value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'number' || (type !== 'integer' && type !== 'number'))
    return article(Array.isArray(value) ? 'array' : typeof value);
  return Number.isFinite(value) ? String(value) : 'one beyond the range of a double';
}
