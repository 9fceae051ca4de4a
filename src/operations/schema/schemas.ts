/**
 * Derives schemas from other schemas, and adds custom checks to them (D101).
 *
 * A derived schema keeps the properties, `required` and `additionalProperties` of the original. It does not keep the
 * name, texts, default, example and checks, because they belong to the complete value. To name the derived schema, use
 * `schema('Name', …)`.
 */
import { FORMATS } from './keyword-checks.ts';
import {
  definitionName,
  formatCheck,
  type Infer,
  type InferBody,
  type OwnFormatName,
  type Schema,
  staysAbsent,
  type ValueCheck,
  type ValueFault,
  valueChecks,
} from './schema.ts';

export type { OwnFormatName } from './schema.ts';

type ObjectSchema = Schema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
};

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** The schema of an object with these properties, and the `additionalProperties` of the schema `S`. */
type ObjectOf<S, Properties, Required> = Pick<S, Extract<keyof S, 'additionalProperties'>> & {
  readonly type: 'object';
  readonly properties: Properties;
  readonly required: readonly Required[];
};

/** The schema `S` with only the properties whose names are in `Name`. */
export type Picked<S extends ObjectSchema, Name extends keyof S['properties']> = ObjectOf<
  S,
  Pick<S['properties'], Name>,
  RequiredOf<S> & Name
>;

/** The schema `S` with all properties optional. */
export type PartialOf<S extends ObjectSchema> = ObjectOf<
  S,
  { readonly [Name in keyof S['properties']]: Absent<S['properties'][Name]> },
  never
>;

type Absent<P> = (P extends { readonly default: unknown } ? Omit<P, 'default' | typeof definitionName> : P) &
  StaysAbsent;

/**
 * Marks a property of a partial schema: if the client omits the property, it stays absent. The type is exported,
 * because the declaration files of programs need it and cannot name the symbol.
 */
export interface StaysAbsent {
  readonly [staysAbsent]: true;
}

/**
 * Returns the schema with only the properties of these names, in this order.
 *
 *     const Note = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } } as const;
 *     const NewNote = schema('NewNote', pick(Note, 'text'));
 */
export function pick<const S extends ObjectSchema, const Name extends keyof S['properties'] & string>(
  schema: S,
  ...names: readonly Name[]
): Picked<S, Name> {
  const { properties, required } = schema;
  return {
    ...keptOf(schema),
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    required: required?.filter((name) => (names as readonly string[]).includes(name)) ?? [],
  } as never;
}

/**
 * Returns the schema with all properties optional, for the body of a PATCH. If the client omits a property, the value
 * for the handler does not have it: neither its default nor null is added.
 *
 *     const Note = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } as const;
 *     const NoteChange = schema('NoteChange', partial(Note));
 */
export function partial<const S extends ObjectSchema>(schema: S): PartialOf<S> {
  const members = Object.entries(schema.properties).map(([name, property]) => {
    // A name belongs to the schema with the default, which the description would show.
    const { default: byDefault, [definitionName]: _, ...others } = property;
    const kept = byDefault === undefined ? property : others;
    return [name, { ...kept, [staysAbsent]: true }] as const;
  });
  return { ...keptOf(schema), properties: Object.fromEntries(members), required: [] } as never;
}

/** Returns the members that a derived schema keeps. */
const keptOf = ({ type, additionalProperties }: ObjectSchema) => ({
  type,
  ...(additionalProperties !== undefined && { additionalProperties }),
});

/**
 * Returns a copy of the schema with a further check of values in request bodies. `check` is called with each value that
 * the keywords of the schema allow, in the form that the handler gets. `check` returns its errors synchronously, and
 * the 400 lists them together with the other errors. Replies are not checked. Throws a `TypeError` if `check` is not a
 * function.
 *
 *     const day = { type: 'integer' } as const;
 *     const Stay = checked(
 *       { type: 'object', required: ['from', 'to'], properties: { from: day, to: day } },
 *       ({ from, to }) => (from < to ? undefined : { pointer: '/to', detail: `Expected more than ${from}` }),
 *     );
 */
export function checked<const S extends Schema>(
  schema: S,
  check: (value: InferBody<S>) => ValueFault | readonly ValueFault[] | undefined,
): S {
  if (typeof check !== 'function')
    throw new TypeError('Cannot check the values of a schema: the check is not a function; give (value) => error');
  return { ...schema, [valueChecks]: [...((schema as Schema)[valueChecks] ?? []), check as ValueCheck] };
}

/**
 * Returns a schema with a custom format. The format is checked and described in the same way as a standard format. `check`
 * returns whether a value has the format. It may return a text instead of false, which becomes the detail of the error.
 * To add keywords, spread the schema into another one. Throws a `TypeError` for the name of a standard format.
 *
 *     const iban = ownFormat('iban', (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text));
 *     const Account = { type: 'object', properties: { iban: { ...iban, maxLength: 34 } } } as const;
 */
export function ownFormat<const Type extends 'string' | 'integer' | 'number' = 'string'>(
  name: string,
  check: (value: Infer<{ readonly type: Type }>) => boolean | string,
  type: Type = 'string' as Type,
): { readonly type: Type; readonly format: OwnFormatName } {
  const fault =
    typeof check !== 'function'
      ? 'the check is not a function; give (value) => true or false'
      : Object.hasOwn(FORMATS[type] ?? {}, name) && 'it is the name of a standard format; choose another name';
  if (fault) throw new TypeError(`Cannot declare the format "${name}": ${fault}`);
  const format = { type, format: name as OwnFormatName, [formatCheck]: check };
  return format;
}
