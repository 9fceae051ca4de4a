/**
 * Writes values as JSON, with the properties in the order of the schema and in the spelling of the naming (D1).
 *
 * Properties that the schema does not name are left out. A value of another type than the schema says is not written:
 * JSON would change it silently, NaN to null. A schema is compiled to closures, because every changed item is written.
 */

import { article } from '../../core/options/assert-options.ts';
import { type Judging, judgeOf, judges, newState, tryJudge } from './judge.ts';
import { typeCheck, typeText } from './keyword-checks.ts';
import { escapeToken, type PropertyNaming, wireName } from './names.ts';
import type { InferReply, Scalar, Schema } from './schema.ts';
import { branchesOf, compiled, joinedObject, type NamedSchemas, namedParts, type Visitor } from './walk.ts';

type Writer = (value: unknown) => string;

/** The error for a value of another type than its schema says, or without a required member. */
export class WrongValue extends TypeError {
  readonly fault: string;
  /** A JSON Pointer with the names of the code. */
  pointer: string;

  constructor(fault: string, pointer = '') {
    super(fault);
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
  const whole: Whole = {};
  const write = compiled(schema, writers(naming, whole));
  return (value) => {
    try {
      return write(value);
    } catch (error) {
      throw withMessage(error);
    } finally {
      whole.state = undefined;
    }
  };
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
      if (error instanceof WrongValue) error.pointer = error.pointer.replace(/^\/0/, `/${position}`);
      throw withMessage(error);
    }
  };
}

function withMessage(error: unknown): unknown {
  if (error instanceof WrongValue) error.message = `Cannot write the value as JSON: "${error.pointer}" ${error.fault}`;
  return error;
}

/** Reads the text that `serializer` wrote: the value with the names of the code. */
export function deserializer(schema: Schema, naming: PropertyNaming): (text: string) => unknown {
  if (naming === 'camelCase') return JSON.parse;
  const read = compiled(schema, {
    ...judges({ naming, isOpen: true }),
    choice(one, branches, named) {
      const judgeFor = branchFinder(one, branches, naming, named);
      return (value, state) => judgeFor(value, { state })(value, state);
    },
  });
  return (text) => read(JSON.parse(text), newState());
}

/** A default or an example as JSON spells it, with what is `writeOnly`. `named` are the named schemas around. */
export const spelled = (value: unknown, schema: Schema, naming: PropertyNaming, named: NamedSchemas): unknown =>
  JSON.parse(compiled(schema, writers(naming, {}, true), named)(value));

/** What is remembered of the value that is written now, so that each part of it is judged once. */
interface Whole {
  state?: Judging | undefined;
}

const writers = (naming: PropertyNaming, whole: Whole, keepsWriteOnly = false): Visitor<Writer> => ({
  orNull: (write) => (value) => (value === null ? 'null' : write(value)),
  reference: (target) => (value) => target()(value),
  choice(schema, branches, named) {
    const writerFor = branchFinder(schema, branches, 'camelCase', named);
    return (value) => writerFor(value, whole)(value);
  },
  object: (schema, part) => objectWriter(schema, part, naming, keepsWriteOnly),
  array: arrayWriter,
  free: freeWriter,
  scalar: scalarWriter,
});

/**
 * Finds what is made of the schema of a choice by which a value is written: that of the discriminator, the first that
 * describes every member of the value, the first that it matches, or else the one that names most of its members, the
 * first of several. So what is `writeOnly` stays back. `naming` is that of the value.
 */
function branchFinder<Made>(
  schema: Schema,
  branches: ReadonlyMap<Schema, Made>,
  naming: PropertyNaming,
  named: NamedSchemas,
): (value: unknown, whole: Whole) => Made {
  const { oneOf = [], discriminator } = schema;
  const name = discriminator && wireName(discriminator.propertyName, naming);
  const selected = new Map(Array.from(branchesOf(schema), ([value, branch]) => [value, branches.get(branch)!]));
  const checks = [false, true].flatMap((isOpen) =>
    name === undefined ? oneOf.map((one) => [one, judgeOf(one, { naming, isOpen }, named)] as const) : [],
  );
  return (value, whole) => {
    const chosen = name && selected.get((value as Readonly<Record<string, Scalar>> | null)?.[name]!);
    if (chosen) return chosen;
    const state = (whole.state ??= newState());
    const found = checks.find(([, check]) => tryJudge(check, value, state) !== undefined);
    if (found !== undefined) return branches.get(found[0])!;
    const counts = oneOf.map((one) => nearness(value, one, naming, named));
    return branches.get(oneOf[counts.indexOf(Math.max(...counts))]!)!;
  };
}

/** How many members of a value a schema names; -1 for a value of another type. */
function nearness(value: unknown, schema: Schema, naming: PropertyNaming, outer: NamedSchemas): number {
  const schemas = new Map([...outer, ...namedParts(schema)]);
  const { $ref, oneOf } = schema;
  if ($ref !== undefined) return nearness(value, schemas.get($ref)!, naming, schemas);
  if (oneOf !== undefined) return Math.max(...oneOf.map((one) => nearness(value, one, naming, schemas)));
  const typed = joinedObject(schema) ?? schema;
  if (!typeCheck(typed)(value)) return -1;
  if (typed.type !== 'object') return 0;
  const names = new Set(Object.keys(typed.properties ?? {}).map((name) => wireName(name, naming)));
  return Object.keys(value as object).filter((name) => names.has(name)).length;
}

function objectWriter(
  schema: Schema,
  part: (schema: Schema) => Writer,
  naming: PropertyNaming,
  keepsWriteOnly: boolean,
): Writer {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const members = Object.entries(properties)
    .filter(([, property]) => keepsWriteOnly || !property.writeOnly)
    .map(([name, property]) => ({
      name,
      first: `{${JSON.stringify(wireName(name, naming))}:`,
      next: `,${JSON.stringify(wireName(name, naming))}:`,
      isRequired: required.includes(name) && !property.writeOnly,
      // A property named `constructor` must not be read from the prototype.
      isInherited: name in Object.prototype,
      writeMember: part(property),
    }));
  const writeFurther = additionalProperties ? part(additionalProperties) : undefined;
  const known = new Set(Object.keys(properties).flatMap((name) => [name, wireName(name, naming)]));
  const write: Writer = (value) => {
    if (typeof value !== 'object' || value === null || (writeFurther !== undefined && Symbol.iterator in value))
      return otherwise(value, schema, write);
    let text = '';
    let place = '';
    try {
      for (const { name, first, next, isRequired, isInherited, writeMember } of members) {
        place = name;
        const member = (value as Readonly<Record<string, unknown>>)[name];
        if (member !== undefined && (!isInherited || Object.hasOwn(value, name)))
          text += (text === '' ? first : next) + writeMember(member);
        else if (isRequired) throw new WrongValue('is required and missing');
      }
      if (writeFurther !== undefined)
        for (const [name, member] of Object.entries(value)) {
          place = name;
          if (!known.has(name) && member !== undefined)
            text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${writeFurther(member)}`;
        }
    } catch (error) {
      throw within(error, place);
    }
    // What an array or a `Map` holds are no properties.
    if (text === '' && Symbol.iterator in value) return otherwise(value, schema, write);
    return text === '' ? '{}' : `${text}}`;
  };
  return write;
}

function arrayWriter(schema: Schema, writeItem: Writer): Writer {
  const write: Writer = (value) => {
    if (!Array.isArray(value)) return otherwise(value, schema, write);
    let text = '[';
    let at = 0;
    try {
      for (; at < value.length; at += 1) text += at === 0 ? writeItem(value[at]) : `,${writeItem(value[at])}`;
    } catch (error) {
      throw within(error, at);
    }
    return `${text}]`;
  };
  return write;
}

/** Writes objects and arrays whose members no schema describes. */
function freeWriter(schema: Schema): Writer {
  const fits = typeCheck(schema);
  const write: Writer = (value) => {
    if (!fits(value)) return otherwise(value, schema, write);
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch (error) {
      throw error instanceof TypeError ? new WrongValue(`is not written: ${error.message}`) : error;
    }
    if (text?.[0] !== (schema.type === 'array' ? '[' : '{'))
      throw new WrongValue(`has a toJSON() that gives ${text}, not ${typeText(schema)}`);
    const place = text.includes('null') ? lostIn(value) : undefined;
    if (place !== undefined) throw new WrongValue('is no value of JSON, which would make it null', place);
    return text;
  };
  return write;
}

/** The place of the first value that `JSON.stringify` makes null and that is not; undefined for none. */
function lostIn(value: unknown): string | undefined {
  const given: unknown = typeof value === 'object' && isSelfWriting(value) ? value.toJSON() : value;
  if (typeof given === 'number') return Number.isFinite(given) ? undefined : '';
  if (typeof given !== 'object' || given === null) return LOST.includes(typeof given) ? '' : undefined;
  const isList = Array.isArray(given);
  for (const [name, member] of Object.entries(isList ? Array.from(given) : given)) {
    // A member that JSON lacks is left out, as an absent one.
    const place = isList || !LOST.includes(typeof member) ? lostIn(member) : undefined;
    if (place !== undefined) return `/${escapeToken(name)}${place}`;
  }
  return undefined;
}

const LOST = ['undefined', 'function', 'symbol'];

function scalarWriter(schema: Schema): Writer {
  const fits = typeCheck(schema);
  const write: Writer = (value) => {
    if (!fits(value)) return otherwise(value, schema, write);
    // A PUT takes 4 % longer with JSON.stringify for each short text, as measured.
    return typeof value === 'string' && value.length < 64 && !ESCAPED.test(value)
      ? `"${value}"`
      : JSON.stringify(value);
  };
  return write;
}

/** The characters that `JSON.stringify` escapes. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Writes what writes itself, as a `Date` does. Refuses every other value. */
function otherwise(value: unknown, schema: Schema, write: Writer): string {
  if (isSelfWriting(value)) {
    const written = value.toJSON();
    return written === null && schema['x-nullable'] === true ? 'null' : write(written);
  }
  throw new WrongValue(`is ${inWords(value)}, not ${typeText(schema)}`);
}

const isSelfWriting = (value: unknown): value is { toJSON(): unknown } =>
  typeof (value as { readonly toJSON?: unknown } | null | undefined)?.toJSON === 'function';

const inWords = (value: unknown): string =>
  value === null || value === undefined || typeof value === 'number'
    ? String(value)
    : article(Object.prototype.toString.call(value).slice(8, -1).toLowerCase());

/** The error of a member, with its name in front of its place. */
function within(error: unknown, name: string | number): unknown {
  if (error instanceof WrongValue) error.pointer = `/${escapeToken(String(name))}${error.pointer}`;
  return error;
}
