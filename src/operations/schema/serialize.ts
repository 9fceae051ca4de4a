/**
 * Writes values as JSON, with the properties in the order of the schema and in the spelling of the naming (D1).
 *
 * Properties that the schema does not name are left out. A value of another type than the schema says is not written:
 * JSON would change it silently, NaN to null.
 */
import { judgeOf } from './judge.ts';
import { type Judge, newState } from './judging.ts';
import type { PropertyNaming } from './names.ts';
import type { InferReply, NamedSchemas, Schema } from './schema.ts';

/** The error for a value of another type than its schema says, or without a required member. */
export class WrongValue extends TypeError {
  readonly fault: string;
  /** A JSON Pointer with the names of the code. */
  readonly pointer: string;

  constructor(fault: string, pointer: string) {
    super(`Cannot write the value as JSON: "${pointer}" ${fault}`);
    this.fault = fault;
    this.pointer = pointer;
  }
}

/**
 * Compiles a schema to the function that writes its values. The function leaves out undefined properties and those that
 * are `writeOnly`. It throws a `TypeError` with the place of a value that has another type, such as NaN, and of a
 * required member that is missing. Keywords such as `maxLength` it does not check.
 *
 *     const write = serializer({ type: 'object', properties: { name: { type: 'string' } } }, 'PascalCase');
 *     const json = write({ name: 'Rest' });
 */
export function serializer<const S extends Schema>(
  schema: S,
  naming: PropertyNaming,
): (value: InferReply<S>) => string {
  const judge = judgeOf(schema, { act: 'copy', from: 'camelCase', to: naming });
  return (value) => JSON.stringify(copied(value, judge));
}

function copied(value: unknown, judge: Judge): unknown {
  const state = newState(undefined, undefined, 1);
  const copy = judge(value, state);
  const [fault] = state.errors;
  if (fault !== undefined) throw new WrongValue(fault.detail, fault.pointer!);
  return copy;
}

/**
 * The function that writes one item of an array as `write` does, the serializer of the array; an error is placed at the
 * given position. Of another schema it is `write`.
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

/** Reads the text that `serializer` wrote: the value with the names of the code. */
export function deserializer(schema: Schema, naming: PropertyNaming): (text: string) => unknown {
  if (naming === 'camelCase') return JSON.parse;
  const judge = judgeOf(schema, { act: 'copy', from: naming, allowsWriteOnly: true });
  return (text) => copied(JSON.parse(text), judge);
}

/** A default or an example as JSON spells it, with what is `writeOnly`. `named` are the named schemas around. */
export const spelled = (value: unknown, schema: Schema, naming: PropertyNaming, named: NamedSchemas): unknown =>
  JSON.parse(
    JSON.stringify(
      copied(value, judgeOf(schema, { act: 'copy', from: 'camelCase', to: naming, allowsWriteOnly: true }, named)),
    ),
  );
