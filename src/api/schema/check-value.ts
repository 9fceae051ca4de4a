/**
 * Checks JSON values against a schema: the type of one value, for bodies and for replies (D3), and everything in a
 * value that was sent (D14).
 */
import { article } from '../../http/headers/header-fault.ts';
import type { Violation } from '../../http/message/problem.ts';
import { type PropertyNaming, wireName } from './property-naming.ts';
import type { Schema } from './schema.ts';

/**
 * Returns whether the value has the type of the schema. Members and elements are not checked. A number beyond the range
 * of a double, such as `1e999`, is a wrong type; so is `1.5` for an integer.
 */
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

/**
 * Returns every difference, each with its place below `pointer`. This is stricter than the validation of a body: names
 * are compared exactly, and an undescribed member is a difference.
 */
export function checkValue(value: unknown, schema: Schema, naming: PropertyNaming, pointer = ''): Violation[] {
  if (!matchesType(schema, value)) return [{ pointer, detail: `is not ${typeText(schema)}` }];
  const { items, properties, required } = schema;
  if (Array.isArray(value)) {
    return items ? value.flatMap((item, index) => checkValue(item, items, naming, `${pointer}/${index}`)) : [];
  }
  if (typeof value !== 'object' || value === null || !properties) return [];
  const undescribed = new Map(Object.entries(value));
  const violations: Violation[] = [];
  for (const [property, propertySchema] of Object.entries(properties)) {
    const name = wireName(property, naming);
    const memberPointer = `${pointer}/${name}`;
    if (undescribed.has(name)) {
      violations.push(...checkValue(undescribed.get(name), propertySchema, naming, memberPointer));
      undescribed.delete(name);
    } else if (required?.includes(property)) {
      violations.push({ pointer: memberPointer, detail: 'is required and missing' });
    }
  }
  for (const name of undescribed.keys()) violations.push({ pointer: `${pointer}/${name}`, detail: 'is not described' });
  return violations;
}
