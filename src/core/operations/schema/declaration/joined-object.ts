/** Joins the parts of an `allOf` to one schema of an object, from which validation and serialization are made. */
import { definitionName, type Schema } from './schema.ts';

/** The schema of an object: that itself, the parts of an `allOf` joined, or undefined for any other schema. */
export function joinedObject(schema: Schema): Schema | undefined {
  if (schema.type === 'object') return schema;
  if (schema.allOf === undefined) return undefined;
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const part of schema.allOf) {
    const joined = joinedObject(part);
    Object.assign(properties, joined?.properties);
    required.push(...(joined?.required ?? []));
  }
  const isNullable = schema['x-nullable'] === true;
  const name = schema[definitionName];
  return {
    type: 'object',
    properties,
    required,
    ...(isNullable && { 'x-nullable': true }),
    ...(name !== undefined && { [definitionName]: name }),
  };
}

/** The schema and the parts of its `allOf`, as far as they have names: those to which a `$ref` below can lead. */
export function namedParts(schema: Schema): (readonly [name: string, part: Schema])[] {
  const name = schema[definitionName];
  const parts = (schema.allOf ?? []).flatMap(namedParts);
  return name === undefined ? parts : [[name, schema], ...parts];
}
