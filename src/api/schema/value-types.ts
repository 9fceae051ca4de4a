/**
 * Which JSON values have a schema's type: asked for every body that comes in and for every reply that is checked (D3, D14).
 *
 * `1e999` is valid JSON but no number that a program holds, `1.5` is no integer; both are a wrong type.
 */
import type { Schema } from './schema.ts';

/** Has the value the type of the schema? Members and elements are not looked at. */
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

/** The type in words: `a string or null`. */
export const typeText = (schema: Schema): string =>
  `${WORDS[schema.type]}${schema.format === 'int32' ? ' of 32 bits' : ''}${schema['x-nullable'] ? ' or null' : ''}`;

const WORDS: Readonly<Record<Schema['type'], string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
};
