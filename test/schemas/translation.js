/**
 * Writes a schema of this library as JSON Schema 2020-12 for ajv. The description writer of the service is not used.
 *
 * In a body, null for an optional property means absent, integers are at most 2^53 (D3), and readOnly properties are
 * ignored. In a reply, every member is declared (D14), and no member is writeOnly. A body that is read and then written
 * has lost members. Its items can therefore be equal, and several schemas of a choice can match.
 */
import { scopeOf } from './random-schemas.js';

/** A value without a schema. Its numbers are in the range of a double, as in a value with a schema. */
const ANY = { $ref: '#/$defs/any' };
const ANY_VALUE = {
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  items: ANY,
  additionalProperties: ANY,
};

/** @param side `body`, `reply`, `read` for the value of a body, or `written` for this value in a reply */
export function translated(schema, side) {
  const isOfBody = side === 'read' || side === 'written';
  const $defs = { any: ANY_VALUE };
  const keys = new Map();
  const keyOf = (one) => {
    if (!keys.has(one)) {
      keys.set(one, `d${keys.size}`);
      $defs[keys.get(one)] = plain(one, scopes.get(one));
    }
    return keys.get(one);
  };

  // The position of a named schema decides the meaning of a $ref in it.
  const scopes = new Map();
  const plain = (one, outer) => {
    const scope = scopeOf(one, outer);
    for (const named of scope.values()) if (!scopes.has(named)) scopes.set(named, scope);
    if (one.$ref !== undefined) return nullable(one, { $ref: `#/$defs/${keyOf(scope.get(one.$ref))}` });
    if (one.oneOf !== undefined)
      return nullable(one, {
        ...(one.discriminator && {
          type: 'object',
          required: [one.discriminator.propertyName],
          discriminator: one.discriminator,
        }),
        [isOfBody && !one.discriminator ? 'anyOf' : 'oneOf']: one.oneOf.map((branch) => plain(branch, scope)),
      });
    if (one.allOf !== undefined)
      return nullable(one, {
        allOf: one.allOf.map((part) => object(part, scope, true)),
        ...(side === 'reply' && { unevaluatedProperties: false }),
      });
    if (one.type === 'object') return nullable(one, object(one, scope, false));
    const { type, 'x-nullable': isNullable, readOnly: _, writeOnly: __, default: ___, items, ...rest } = one;
    const made = { type: isNullable ? [type, 'null'] : type, ...rest };
    if (isNullable && rest.enum !== undefined) made.enum = [...rest.enum, null];
    if (isNullable && rest.const !== undefined) {
      delete made.const;
      made.enum = [rest.const, null];
    }
    if (side === 'body' && type === 'integer') {
      made.minimum = Math.max(Number.MIN_SAFE_INTEGER, made.minimum ?? Number.MIN_SAFE_INTEGER);
      made.maximum = Math.min(Number.MAX_SAFE_INTEGER, made.maximum ?? Number.MAX_SAFE_INTEGER);
    }
    if (isOfBody) delete made.uniqueItems;
    if (type === 'array') made.items = items === undefined ? ANY : plain(items, scope);
    return made;
  };

  const object = ({ properties, required, additionalProperties }, scope, isPart) => {
    const made = { type: 'object' };
    if (properties !== undefined)
      made.properties = Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          member(property, required?.includes(name) ?? false, scope),
        ]),
      );
    const ignored = side === 'body' ? 'readOnly' : 'writeOnly';
    if (required !== undefined) made.required = required.filter((name) => !properties[name][ignored]);
    if (additionalProperties !== undefined)
      made.additionalProperties = additionalProperties && plain(additionalProperties, scope);
    else if (properties === undefined && !isPart) made.additionalProperties = ANY;
    else if (side === 'reply' && properties !== undefined && !isPart) made.additionalProperties = false;
    return made;
  };

  const member = (property, isRequired, scope) => {
    if (property.writeOnly && side !== 'body') return side === 'read';
    if (side !== 'body') return plain(property, scope);
    if (property.readOnly) return true;
    const made = plain(property, scope);
    return isRequired || 'default' in property || property['x-nullable'] ? made : { anyOf: [{ type: 'null' }, made] };
  };

  const nullable = (one, made) => (one['x-nullable'] ? { anyOf: [{ type: 'null' }, made] } : made);

  return { ...plain(schema, new Map()), $defs };
}
