/**
 * Makes schemas of schemas, and gives them checks of a program's own: `todo-item-service/schemas` (D101).
 *
 * A schema that is derived has the properties, which of them are required, and `additionalProperties`. What is said of
 * the whole value is not taken over: its name, texts, default, example and checks. `schema('Name', …)` names it.
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
  valueCheck,
} from '../../operations/schema/schema.ts';

export type { OwnFormatName } from '../../operations/schema/schema.ts';

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

/** An object with these properties, of which those of `Required` are required. */
type ObjectOf<Members, Required, Further> = {
  readonly type: 'object';
  readonly properties: Members;
  readonly required: readonly (Required & keyof Members)[];
} & Further;

/** The schema with some of its properties. */
export type Picked<S extends ObjectSchema, Name> = ObjectOf<
  { readonly [One in keyof Properties<S> as One extends Name ? One : never]: Properties<S>[One] },
  RequiredOf<S>,
  FurtherOf<S>
>;

/** The schema, none of its properties required. */
export type PartialOf<S extends ObjectSchema> = ObjectOf<
  { readonly [Name in keyof Properties<S>]: Absent<Properties<S>[Name]> },
  never,
  FurtherOf<S>
>;

type Absent<P> = (P extends { readonly default: unknown }
  ? { readonly [Keyword in keyof P as Exclude<Keyword, 'default' | typeof definitionName>]: P[Keyword] }
  : P) &
  StaysAbsent;

/** The mark of a property that stays absent. Declarations of a program can name an interface, but not its symbol. */
export interface StaysAbsent {
  readonly [staysAbsent]: true;
}

/**
 * The schema with only these properties. Throws a `TypeError` for a schema without properties, and for a name that is
 * none of them.
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
 * The schema, each property of which may be absent, and then stays so: it gets neither its default nor null, which is
 * what a PATCH needs. Throws a `TypeError` for a schema without properties.
 *
 *     const Note = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } as const;
 *     const NoteChange = schema('NoteChange', partial(Note));
 */
export function partial<const S extends ObjectSchema>(schema: S): PartialOf<S> {
  const { properties, ...rest } = partsOf('make a partial schema of', schema);
  const members = Object.entries(properties).map(([name, property]) => [name, absent(property)] as const);
  return { ...rest, properties: Object.fromEntries(members), required: [] } as never;
}

/** A default is described in documents, so it has to go, and with it the name of the schema that has it. */
function absent(property: Schema): Schema {
  if (property.default === undefined) return { ...property, [staysAbsent]: true };
  const { default: _, [definitionName]: __, ...rest } = property;
  return { ...rest, [staysAbsent]: true };
}

/** What a derived schema takes over. */
function partsOf(attempt: string, schema: ObjectSchema) {
  const { type, properties, required = [], additionalProperties } = schema ?? {};
  if (type !== 'object' || typeof properties !== 'object' || properties === null)
    throw new TypeError(`Cannot ${attempt} a schema: it is no object with properties; give { type: 'object', … }`);
  return { type, properties, required, ...(additionalProperties !== undefined && { additionalProperties }) };
}

/**
 * A copy of the schema whose values in bodies are checked: `check` is called with each that the keywords take, as the
 * handler is given it, and returns what is wrong, which is told with the other violations of the 400. It answers at
 * once. `rule` says it in the documents, behind the description. Replies are not checked.
 *
 *     const day = { type: 'integer' } as const;
 *     const Stay = checked(
 *       { type: 'object', required: ['from', 'to'], properties: { from: day, to: day } },
 *       ({ from, to }) => (from < to ? undefined : { pointer: '/to', detail: `Expected more than ${from}` }),
 *       'It ends after it begins.',
 *     );
 */
export function checked<const S extends Schema>(
  schema: S,
  check: (value: InferBody<S>) => ValueFault | readonly ValueFault[] | undefined,
  rule?: string,
): S {
  if (typeof check !== 'function')
    throw new TypeError('Cannot check the values of a schema without a function; give (value) => violation');
  const { description, [valueCheck]: inner } = schema as Schema;
  const both: ValueCheck = (value) => [inner?.(value) ?? [], check(value) ?? []].flat();
  const texts = [description, rule].filter((text) => text !== undefined);
  return {
    ...(schema as S),
    ...(texts.length > 0 && { description: texts.join(' ') }),
    [valueCheck]: inner === undefined ? (check as ValueCheck) : both,
  };
}

/** What `ownFormat` makes. */
export interface OwnFormat<Type extends 'string' | 'integer' | 'number'> {
  readonly type: Type;
  readonly format: OwnFormatName;
}

/**
 * A schema with a format of the program's own, which is checked and described as the others are. Further keywords are
 * spread beside it. Throws a `TypeError` for a name that is empty.
 *
 *     const iban = ownFormat('iban', (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text));
 *     const Account = { type: 'object', properties: { iban: { ...iban, maxLength: 34 } } } as const;
 */
export function ownFormat<const Type extends 'string' | 'integer' | 'number' = 'string'>(
  name: string,
  check: (value: Infer<{ readonly type: Type }>) => boolean,
  type: Type = 'string' as Type,
): OwnFormat<Type> {
  if (typeof name !== 'string' || name === '' || typeof check !== 'function')
    throw new TypeError(
      `Cannot make the format ${JSON.stringify(name)}: it has no name or no check; give ownFormat('iban', (text) => boolean)`,
    );
  const format = { type, format: name as OwnFormatName, [formatCheck]: check };
  return format;
}
