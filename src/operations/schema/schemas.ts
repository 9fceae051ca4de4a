/**
 * Derives schemas from other schemas, and adds custom checks to them (D101).
 *
 * A derived schema keeps the properties, `required` and `additionalProperties` of the original. It does not keep the
 * name, texts, default, example and checks, because they belong to the complete value. To name the derived schema, use
 * `schema('Name', …)`.
 */
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

/** The schema of an object with properties. */
type ObjectSchema = Schema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
};

type Properties<S extends ObjectSchema> = S['properties'];
type NameOf<S extends ObjectSchema> = keyof Properties<S> & string;
type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;
type FurtherOf<S> = S extends { readonly additionalProperties: infer Further extends false | Schema }
  ? { readonly additionalProperties: Further }
  : unknown;

/** The schema of an object with these properties. `Required` is the union of the names of required properties. */
type ObjectOf<Members, Required, Further> = {
  readonly type: 'object';
  readonly properties: Members;
  readonly required: readonly (Required & keyof Members)[];
} & Further;

/** The schema `S` with only the properties whose names are in `Name`. */
export type Picked<S extends ObjectSchema, Name> = ObjectOf<
  { readonly [Key in keyof Properties<S> as Key extends Name ? Key : never]: Properties<S>[Key] },
  RequiredOf<S>,
  FurtherOf<S>
>;

/** The schema `S` with all properties optional. */
export type PartialOf<S extends ObjectSchema> = ObjectOf<
  { readonly [Name in keyof Properties<S>]: Absent<Properties<S>[Name]> },
  never,
  FurtherOf<S>
>;

type Absent<P> = (P extends { readonly default: unknown }
  ? { readonly [Keyword in keyof P as Exclude<Keyword, 'default' | typeof definitionName>]: P[Keyword] }
  : P) &
  StaysAbsent;

/**
 * Marks a property of a partial schema: if the client omits the property, it stays absent. The type is exported,
 * because the declaration files of programs need it and cannot name the symbol.
 */
export interface StaysAbsent {
  readonly [staysAbsent]: true;
}

/**
 * Returns the schema with only the properties of these names. Throws a `TypeError` if the schema is not an object with
 * properties, or does not have one of the properties.
 *
 *     const Note = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } } as const;
 *     const NewNote = schema('NewNote', pick(Note, 'text'));
 */
export function pick<const S extends ObjectSchema, const Name extends NameOf<S>>(
  schema: S,
  ...names: readonly Name[]
): Picked<S, Name> {
  const { properties, required, ...rest } = partsOf('pick properties of', schema);
  const unknown = names.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    throw new TypeError(
      `Cannot pick properties of a schema: it has no property "${unknown}"; ` +
        `give some of ${Object.keys(properties).join(', ')}`,
    );
  const isPicked = (name: string): boolean => (names as readonly string[]).includes(name);
  const members = Object.entries(properties).filter(([name]) => isPicked(name));
  return { ...rest, properties: Object.fromEntries(members), required: required.filter(isPicked) } as never;
}

/**
 * Returns the schema with all properties optional, for the body of a PATCH. If the client omits a property, the value
 * for the handler does not have it: neither its default nor null is added. Throws a `TypeError` if the schema is not an
 * object with properties.
 *
 *     const Note = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } as const;
 *     const NoteChange = schema('NoteChange', partial(Note));
 */
export function partial<const S extends ObjectSchema>(schema: S): PartialOf<S> {
  const { properties, ...rest } = partsOf('make a partial schema of', schema);
  const members = Object.entries(properties).map(([name, property]) => [name, absent(property)] as const);
  return { ...rest, properties: Object.fromEntries(members), required: [] } as never;
}

/**
 * Marks the property. Removes its default, which the description would show, and then also its name, which belongs to
 * the schema with the default.
 */
function absent(property: Schema): Schema {
  if (property.default === undefined) return { ...property, [staysAbsent]: true };
  const { default: _, [definitionName]: __, ...rest } = property;
  return { ...rest, [staysAbsent]: true };
}

/** Returns the members that a derived schema keeps. */
function partsOf(attempt: string, schema: ObjectSchema) {
  const { type, properties, required = [], additionalProperties } = schema ?? {};
  if (type !== 'object' || typeof properties !== 'object' || properties === null)
    throw new TypeError(`Cannot ${attempt} a schema: it is not an object with properties; give { type: 'object', … }`);
  return { type, properties, required, ...(additionalProperties !== undefined && { additionalProperties }) };
}

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
 * Returns a schema with a custom format. The format is checked and described in the same way as a standard format. To
 * add keywords, spread the schema into another one. Throws a `TypeError` if the name is empty, or if `check` is not a
 * function.
 *
 *     const iban = ownFormat('iban', (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text));
 *     const Account = { type: 'object', properties: { iban: { ...iban, maxLength: 34 } } } as const;
 */
export function ownFormat<const Type extends 'string' | 'integer' | 'number' = 'string'>(
  name: string,
  check: (value: Infer<{ readonly type: Type }>) => boolean,
  type: Type = 'string' as Type,
): { readonly type: Type; readonly format: OwnFormatName } {
  if (typeof name !== 'string' || name === '' || typeof check !== 'function')
    throw new TypeError(
      `Cannot make the format ${JSON.stringify(name)}: its name or its check is missing; ` +
        "give ownFormat('iban', (text) => boolean)",
    );
  const format = { type, format: name as OwnFormatName, [formatCheck]: check };
  return format;
}
