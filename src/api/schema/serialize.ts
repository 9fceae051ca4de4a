/**
 * Writes values as JSON, with the properties in the order of the schema and in the spelling of the naming (D1).
 *
 * Properties that the schema does not name are left out. A schema is compiled to closures, because every changed item
 * is serialized.
 */
import { type PropertyNaming, wireName } from './property-naming.ts';
import type { Infer, Schema } from './schema.ts';

type Writer = (value: unknown) => string;

/**
 * Compiles a schema to the function that writes its values. The function leaves out undefined properties, and throws
 * what `JSON.stringify` throws.
 */
export function serializer<const S extends Schema>(schema: S, naming: PropertyNaming): (value: Infer<S>) => string {
  return writerOf(schema, naming);
}

function writerOf({ type, properties, items }: Schema, naming: PropertyNaming): Writer {
  if (type === 'object') return properties ? objectWriter(properties, naming) : writeAny;
  if (type === 'array') return items ? arrayWriter(writerOf(items, naming)) : writeAny;
  if (type === 'string') return writeString;
  return type === 'boolean' ? writeBoolean : writeNumber;
}

function objectWriter(properties: Readonly<Record<string, Schema>>, naming: PropertyNaming): Writer {
  const names = Object.keys(properties);
  const labels = names.map((name) => `${JSON.stringify(wireName(name, naming))}:`);
  const writers = Object.values(properties).map((property) => writerOf(property, naming));
  return (value) => {
    if (typeof value !== 'object' || value === null) return writeAny(value);
    let text = '{';
    for (let at = 0; at < names.length; at += 1) {
      const member = (value as Readonly<Record<string, unknown>>)[names[at]!];
      if (member === undefined) continue;
      text += (text.length === 1 ? '' : ',') + labels[at]! + (member === null ? 'null' : writers[at]!(member));
    }
    return `${text}}`;
  };
}

const arrayWriter =
  (write: Writer): Writer =>
  (value) =>
    Array.isArray(value) ? `[${value.map(write).join(',')}]` : writeAny(value);

/** Also writes values of a wrong type unconverted, so that the check of replies finds them (D14). */
const writeAny: Writer = (value) => JSON.stringify(value) ?? 'null';

// The characters that JSON.stringify escapes. Testing a short text for them is cheaper than calling it.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;
const writeString: Writer = (value) =>
  typeof value === 'string' && value.length < 64 && !ESCAPED.test(value) ? `"${value}"` : writeAny(value);
const writeBoolean: Writer = (value) => (value === true ? 'true' : value === false ? 'false' : writeAny(value));
const writeNumber: Writer = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : writeAny(value);
