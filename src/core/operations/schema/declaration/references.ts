/** Finds the references to named schemas in a schema. */
import type { Schema } from './schema.ts';

/** The references that a value follows before it comes to a member or an item. */
export const directReferences = ({ $ref, allOf = [], oneOf = [] }: Schema): readonly string[] =>
  $ref !== undefined ? [$ref] : [...allOf, ...oneOf].flatMap(directReferences);

/** Whether a schema refers to one around it. */
export function refersTo(schema: Schema, named: ReadonlyMap<string, Schema>): boolean {
  if (schema.$ref !== undefined) return named.has(schema.$ref);
  const { properties = {}, items, additionalProperties, allOf = [], oneOf = [] } = schema;
  const parts = [...Object.values(properties), ...allOf, ...oneOf];
  if (items !== undefined) parts.push(items);
  if (typeof additionalProperties === 'object') parts.push(additionalProperties);
  return parts.some((part) => refersTo(part, named));
}
