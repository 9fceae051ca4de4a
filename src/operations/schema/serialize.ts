/**
 * Serializes values as JSON, with the properties in the order of the schema and the spelling of the naming (D1).
 *
 * Leaves out properties that are not in the schema. Throws if a value has a wrong type, because `JSON.stringify`
 * changes some values silently, such as NaN to null.
 */
import { compiled } from './compile.ts';
import { Fault } from './faults.ts';
import type { PropertyNaming } from './names.ts';
import type { InferReply, NamedSchemas, Schema } from './schema.ts';
import { type CopyRules, copyForms } from './write-value.ts';

/** The error for a value with a wrong type or without a required member. */
export class WrongValue extends TypeError {
  readonly fault: string;
  /** A JSON Pointer with the names of the code. */
  readonly pointer: string;

  constructor(fault: string, pointer: string) {
    super(`Cannot write the value as JSON: "${pointer}": ${fault}`);
    this.fault = fault;
    this.pointer = pointer;
  }
}

/**
 * Compiles a schema to a function that serializes its values. The function leaves out properties that are undefined or
 * `writeOnly`. It throws a `TypeError` with the place of the value if the type is wrong, such as NaN for a number, or
 * if a required member is missing. It does not check keywords such as `maxLength`, because that would take more than 3
 * % of a request. In tests, `verification()` checks them (D14).
 *
 *     const write = serializer({ type: 'object', properties: { name: { type: 'string' } } }, 'PascalCase');
 *     const json = write({ name: 'Rest' });
 */
export function serializer<const S extends Schema>(
  schema: S,
  naming: PropertyNaming,
): (value: InferReply<S>) => string {
  const copy = copier(schema, { from: 'camelCase', to: naming });
  return (value) => JSON.stringify(copy(value));
}

function copier(schema: Schema, rules: CopyRules, named?: NamedSchemas): (value: unknown) => unknown {
  const write = compiled(schema, copyForms(rules), named);
  return (value) => {
    const copy = write(value);
    if (copy instanceof Fault) throw new WrongValue(copy.flaw.detail, copy.pointer);
    return copy;
  };
}

/**
 * Returns a function that serializes one item of an array. `write` is the serializer of the array. The pointer of an
 * error begins with the position of the item. For any other schema, returns `write`.
 */
export function rowSerializer(
  schema: Schema,
  write: (value: any) => string,
): (row: unknown, position: number) => string {
  if (schema.type !== 'array') return write;
  return (row, position) => {
    try {
      return write([row]).slice(1, -1);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      throw new WrongValue(error.fault, error.pointer.replace(/^\/0/, `/${position}`));
    }
  };
}

/** Returns a function that parses a text of `serializer` to a value with the names of the code. */
export function deserializer(schema: Schema, naming: PropertyNaming): (text: string) => unknown {
  if (naming === 'camelCase') return JSON.parse;
  const copy = copier(schema, { from: naming, to: 'camelCase', hasWriteOnly: true });
  return (text) => copy(JSON.parse(text));
}

/** Returns a default or an example, with `writeOnly` properties and names as in JSON. `named` has the outer schemas. */
export const spelled = (value: unknown, schema: Schema, naming: PropertyNaming, named: NamedSchemas): unknown =>
  JSON.parse(JSON.stringify(copier(schema, { from: 'camelCase', to: naming, hasWriteOnly: true }, named)(value)));
