/**
 * Lists the differences between a JSON value that was sent and the schema that describes it (D14).
 *
 * The check is stricter than the validation of a body: names are compared exactly, and an undescribed member is a
 * difference.
 */
import type { Violation } from '../../http/message/problem.ts';
import { type PropertyNaming, wireName } from './property-naming.ts';
import type { Schema } from './schema.ts';
import { matchesType, typeText } from './value-types.ts';

/** Returns every difference, each with its place below `pointer`; an empty array if there is none. */
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
