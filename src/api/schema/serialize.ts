/**
 * A value's JSON text, in the schema's order and the wire's spelling: a schema compiled to closures (D1).
 *
 * Properties that the schema does not name are not sent, absent ones neither; null, numbers, lone surrogates come out as
 * `JSON.stringify` writes them. Written by hand because every changed item goes through here.
 */
import { type PropertyNaming, wireName } from './property-naming.ts';
import type { Infer, Schema } from './schema.ts';

type Writer = (value: unknown) => string;

/** Compiles a schema into the function that writes its values. Throws only what `JSON.stringify` throws. */
export function serializer<const S extends Schema>(schema: S, naming: PropertyNaming): (value: Infer<S>) => string {
  return writerOf(schema, naming);
}

function writerOf(schema: Schema, naming: PropertyNaming): Writer {
  switch (schema.type) {
    case 'object':
      return schema.properties ? objectWriter(schema.properties, naming) : writeAny;
    case 'array':
      return schema.items ? arrayWriter(writerOf(schema.items, naming)) : writeAny;
    case 'string':
      return writeString;
    case 'boolean':
      return writeBoolean;
    default:
      return writeNumber;
  }
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

/** A value of another type than the schema's is written as what it is, never bent to fit: the check of replies shall see it. */
const writeAny: Writer = (value) => JSON.stringify(value) ?? 'null';

// What JSON.stringify would escape; most texts have none of it, and testing is cheaper than writing.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

const writeString: Writer = (value) =>
  typeof value === 'string' && value.length < 64 && !ESCAPED.test(value) ? `"${value}"` : writeAny(value);
const writeBoolean: Writer = (value) => (value === true ? 'true' : value === false ? 'false' : writeAny(value));
const writeNumber: Writer = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : writeAny(value);
