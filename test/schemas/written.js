/**
 * Returns the schemas that the description writes, for ajv. A schema of OpenAPI 3.1 is JSON Schema 2020-12, so ajv reads
 * it unchanged. Swagger 2.0 has other forms of some keywords. This file converts them.
 */
import { openApiSchemas } from '../../src/plugins/description/describe-openapi.ts';
import { swaggerSchemas } from '../../src/plugins/description/describe-swagger.ts';

const OPTIONS = { title: 'The oracle' };

/** Returns the schema of OpenAPI 3.1 on these sides, with the named schemas where its references lead. */
export function writtenIn31(schema, sides) {
  const writer = openApiSchemas(OPTIONS, 'camelCase', undefined, new Set(sides));
  return { ...writer.write(schema), components: { schemas: writer.definitions } };
}

/** Returns the schema of Swagger 2.0 as JSON Schema 2020-12: `x-nullable` adds null, and exclusive limits are numbers. */
export function writtenIn20(schema) {
  const writer = swaggerSchemas(OPTIONS, 'camelCase');
  const written = { ...writer.write(schema), definitions: writer.definitions };
  return eachSchema(written, ({ definitions, 'x-nullable': isNullable, ...one }) => {
    for (const limit of ['Minimum', 'Maximum'])
      if (one[`exclusive${limit}`]) {
        one[`exclusive${limit}`] = one[limit.toLowerCase()];
        delete one[limit.toLowerCase()];
      }
    const made = isNullable ? { anyOf: [one, { type: 'null' }] } : one;
    return definitions === undefined ? made : { ...made, definitions };
  });
}

/** Returns the written schema in which `change` has replaced each schema, the inner schemas first. */
export function eachSchema(schema, change) {
  if (typeof schema !== 'object') return schema;
  const inner = (one) => eachSchema(one, change);
  const named = (schemas) => Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, inner(one)]));
  const list = (schemas) => schemas.map(inner);
  const innerOf = { properties: named, definitions: named, items: inner, additionalProperties: inner };
  const holders = {
    ...innerOf,
    allOf: list,
    anyOf: list,
    oneOf: list,
    components: ({ schemas }) => ({ schemas: named(schemas) }),
  };
  return change(
    Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, holders[name]?.(value) ?? value])),
  );
}

/**
 * Returns the schema of a value that was read from a body and is then written. The value has lost members, so its items
 * can be equal, and several schemas of a choice can match.
 */
export const rewritten = (written) =>
  eachSchema(written, ({ oneOf, uniqueItems: _, ...one }) => {
    if (one.writeOnly) return false;
    return oneOf === undefined ? one : { ...one, anyOf: oneOf };
  });
