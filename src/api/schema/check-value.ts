/**
 * A value that was sent against the schema that describes it: stricter than what a body is held to (D14).
 *
 * Here names are compared exactly, and a member that the schema does not name is a difference too: the description would
 * not tell of it.
 */
import type { Violation } from '../../http/message/problem.ts';
import { type PropertyNaming, wireName } from './property-naming.ts';
import type { Schema } from './schema.ts';
import { matchesType, typeText } from './value-types.ts';

/** Every difference between a JSON value and its schema. */
export function checkValue(value: unknown, schema: Schema, naming: PropertyNaming, pointer = ''): Violation[] {
  if (!matchesType(schema, value)) return [{ pointer, detail: `is not ${typeText(schema)}` }];
  const { items } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((item, at) => checkValue(item, items, naming, `${pointer}/${at}`)) : [];
  if (typeof value !== 'object' || value === null || !schema.properties) return [];
  const sent = new Map(Object.entries(value));
  const violations: Violation[] = [];
  for (const [property, described] of Object.entries(schema.properties)) {
    const name = wireName(property, naming),
      here = `${pointer}/${name}`;
    if (sent.has(name)) violations.push(...checkValue(sent.get(name), described, naming, here));
    else if (schema.required?.includes(property)) violations.push({ pointer: here, detail: 'is required and missing' });
    sent.delete(name);
  }
  for (const name of sent.keys()) violations.push({ pointer: `${pointer}/${name}`, detail: 'is not described' });
  return violations;
}
