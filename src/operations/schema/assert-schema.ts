/**
 * Rejects unknown and wrong keywords of a schema when the application is composed. Otherwise a misspelt keyword would
 * have no effect (D68). Some keywords have limits, so that the time to validate a body is at most proportional to its
 * length; the time of a `pattern` is the responsibility of its author (D37).
 */
import { isObject } from '../../core/log/thrown-value.ts';
import { nameRemedy } from '../../core/options/assert-options.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import { each, FLAG, isRecord, isText, isTexts, type Kind, TEXT } from '../../core/options/shape.ts';
import { FACTORS, FORMATS, isFactor } from './keyword-checks.ts';
import type { PropertyNaming } from './names.ts';
import { exampleFaults, uncheckedValidator } from './read-value.ts';
import {
  branchesOf,
  definitionName,
  type Form,
  formatCheck,
  joinedObject,
  KEYWORDS,
  type NamedSchemas,
  namedParts,
  type Schema,
  valuesOf,
} from './schema.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Compiles a schema to a validator of bodies. The validator returns the errors, or a value whose properties have the
 * names of the code and the order of the schema. An absent property gets its default, or null if it is nullable;
 * otherwise it stays absent (D5). `readOnly` properties are always left out. The validator throws if a custom check
 * throws. Throws the errors of `assertSchema` for a wrong schema.
 *
 *     const validate = bodyValidator({ type: 'object', properties: { name: { type: 'string' } } }, 'PascalCase');
 *     const { value, errors } = validate({ Name: 'Rest' });
 */
export function bodyValidator<const S extends Schema>(
  schema: S,
  naming: PropertyNaming,
): ReturnType<typeof uncheckedValidator<S>> {
  assertSchema(schema, 'a validator');
  return uncheckedValidator(schema, naming);
}

/**
 * Throws a `TypeError` if the schema is wrong. The message has the place, the keyword and the remedy of each mistake.
 * `subject` describes the owner of the schema: `the body of the operation "ApiTodoPost"`.
 */
export function assertSchema(schema: Schema, subject: string): void {
  const faults = [...faultsIn(schema, '', new Map())].map(([place, fault]) => `${place || 'it'} ${fault}`);
  if (faults.length > 0) {
    const name = schema?.[definitionName];
    const which = name === undefined ? 'the schema' : `the schema "${name}"`;
    throw new TypeError(`Cannot use ${which} of ${subject}: ${faults.join('; ')}`);
  }
}

type Fault = readonly [place: string, fault: string];

function* faultsIn(schema: Schema, place: string, outer: NamedSchemas): Generator<Fault> {
  if (!isRecord(schema)) return yield [place, 'is not a schema; give { type: … }'];
  const forms = (Object.keys(KEYWORDS) as Form[]).filter(
    (form) => schema.type === form || (schema as Members)[form] !== undefined,
  );
  const [form] = forms;
  if (form === undefined) {
    const { type }: Members = schema;
    const mistake = type === undefined ? 'has no type' : `has the type ${JSON.stringify(type)}`;
    return yield [place, `${mistake}; ${nameRemedy(String(type), Object.keys(KEYWORDS))}`];
  }
  if (forms.length > 1) return yield [place, `is both ${forms.join(' and ')}; give one of them`];
  const known: readonly string[] = KEYWORDS[form];
  for (const keyword of Object.keys(schema)) {
    if (!known.includes(keyword) && (schema as Members)[keyword] !== undefined)
      yield [place, `has the keyword "${keyword}", which ${form} does not have here; ${nameRemedy(keyword, known)}`];
  }
  const named = new Map([...outer, ...namedParts(schema)]);
  const faults = [...keywordFaults(schema, form, named)].map((fault): Fault => [place, fault]);
  for (const [name, part] of partsOf(schema)) faults.push(...faultsIn(part, `${place}/${name}`, named));
  yield* faults;
  if (faults.length > 0) return;
  const together = [...joinFaults(schema), ...choiceFaults(schema, named)];
  for (const fault of together.length > 0 ? together : valueFaults(schema, named)) yield [place, fault];
}

/** Returns the schemas in a schema, each with its place. */
export function partsOf({
  properties,
  items,
  additionalProperties,
  allOf,
  oneOf,
}: Schema): [place: string, part: Schema][] {
  const lists = Object.entries({ properties, allOf, oneOf }).filter(([, list]) => isObject(list));
  const parts = lists.flatMap(([keyword, list]) =>
    Object.entries(list!).map(([name, part]): [string, Schema] => [`${keyword}/${name}`, part]),
  );
  if (items !== undefined) parts.push(['items', items]);
  if (additionalProperties) parts.push(['additionalProperties', additionalProperties]);
  return parts;
}

function* keywordFaults(schema: Schema, form: Form, named: NamedSchemas): Generator<string> {
  for (const [keyword, [wanted, fits]] of Object.entries(KINDS)) {
    const value = (schema as Members)[keyword];
    if (value !== undefined && !fits(value)) yield `has ${keyword}: ${JSON.stringify(value)}; give ${wanted}`;
  }
  const { format, pattern, readOnly, writeOnly, required = [], properties = {}, $ref } = schema;
  const { uniqueItems, items } = schema;
  const formats = Object.keys(FORMATS[form] ?? {});
  if (format !== undefined && !formats.includes(format) && schema[formatCheck] === undefined)
    yield `has the format "${format}", which ${form} does not have; ${nameRemedy(format, formats)}, or define a custom format`;
  const name = schema[definitionName];
  if (name !== undefined && directReferences(schema).includes(name))
    yield `refers to itself as "${name}" without a property or an item between, so values would never end`;
  if (uniqueItems && !SCALARS.includes(items?.type))
    yield `has uniqueItems, but its items are not ${SCALARS.join(', ')}; compare the items in a custom check`;
  if (readOnly && writeOnly) yield 'is readOnly and writeOnly; give one of them';
  if ($ref !== undefined && !named.has($ref))
    yield `refers to "${$ref}", which is not a named schema around it${hint($ref, named.keys())}; give the schema itself`;
  if (Array.isArray(required))
    for (const name of required)
      if (!Object.hasOwn(properties, name))
        yield `requires "${name}", which is not one of its properties${hint(name, Object.keys(properties))}`;
  if (schema.const !== undefined && schema.enum !== undefined) yield 'has both a const and an enum; keep one of them';
  for (const [least, most] of RANGES) {
    const [low, high] = [schema[least], schema[most]];
    if (typeof low !== 'number' || typeof high !== 'number') continue;
    if (low > high || (low === high && `${least}${most}`.includes('exclusive')))
      yield `has ${least} ${low} and ${most} ${high}; no value matches both`;
  }
  if (typeof pattern === 'string') {
    const fault = compileFault(pattern);
    if (fault !== undefined) yield `has the pattern "${pattern}", which does not compile: ${fault}`;
  }
}

function compileFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export const SCALARS: readonly unknown[] = ['string', 'boolean', 'integer', 'number'];
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isScalar = (value: unknown): boolean => isText(value) || typeof value === 'boolean' || Number.isFinite(value);
const isFilledList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;

/**
 * The allowed values of each keyword. `faultsIn` checks nested schemas. `valueFaults` checks values such as `default`.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  ...each(TEXT, 'title', 'description', 'format', 'pattern', '$ref'),
  ...each(FLAG, 'x-nullable', 'readOnly', 'writeOnly', 'uniqueItems'),
  ...each(['a count from 0', isCount], 'minLength', 'maxLength', 'minItems', 'maxItems'),
  ...each(['a number', Number.isFinite], 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...each(['a list of schemas', isFilledList], 'allOf', 'oneOf'),
  multipleOf: [FACTORS, isFactor],
  const: ['a string, a number, true or false', isScalar],
  enum: [
    'a list of different strings, numbers, true or false',
    (value) => isFilledList(value) && value.every(isScalar) && new Set(value).size === value.length,
  ],
  required: ['a list of names', isTexts],
  properties: ['an object of schemas', isRecord],
  discriminator: [
    '{ propertyName }',
    (value) => isRecord(value) && isText(value['propertyName']) && Object.keys(value).length === 1,
  ],
};

const RANGES = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'maximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
] as const;

function* joinFaults({ allOf = [] }: Schema): Generator<string> {
  const declared = new Set<string>();
  for (const part of allOf) {
    const joined = joinedObject(part);
    if (joined === undefined || part.additionalProperties !== undefined || part['x-nullable'])
      return yield 'has a schema in allOf that is not a plain object; give schemas of objects without additionalProperties and x-nullable';
    for (const name of Object.keys(joined.properties ?? {})) {
      if (declared.has(name)) yield `declares the property "${name}" in two schemas of allOf; declare it once`;
      declared.add(name);
    }
  }
}

function* choiceFaults(schema: Schema, named: NamedSchemas): Generator<string> {
  const { oneOf = [], discriminator } = schema;
  if (discriminator === undefined) {
    const tries = triesOf(schema);
    if (tries > MAX_TRIES)
      yield `has a oneOf that tries ${tries} schemas for one value; give it a discriminator, or at most ${MAX_TRIES} schemas in all`;
    if (oneOf.some((branch) => refersTo(branch, named)) && readsTwice(oneOf, named))
      yield 'has schemas in oneOf that read the same part of a nested value to any depth, so each level is read again for all levels around it; give it a discriminator, or let only one schema read that part to any depth';
    return;
  }
  const name = discriminator.propertyName;
  const count = oneOf.flatMap((branch) => valuesOf(branch, name)).length;
  const branchesThat = (lack: (branch: Schema) => boolean): string =>
    oneOf.flatMap((branch, at) => (lack(branch) ? [`oneOf/${at}`] : [])).join(', ');
  const unnamed = branchesThat((branch) => branch[definitionName] === undefined);
  if (unnamed !== '')
    yield `has the discriminator "${name}", but no name for ${unnamed}; declare each as schema('…', …)`;
  const unmarked = branchesThat(
    (branch) => valuesOf(branch, name).length === 0 || !joinedObject(branch)!.required?.includes(name),
  );
  const properties = oneOf.flatMap((branch) => Object.keys(joinedObject(branch)?.properties ?? {}));
  const meant = properties.includes(name) ? '' : hint(name, properties);
  if (unmarked !== '')
    yield `has the discriminator "${name}"${meant}, but no required property "${name}" with a const in ${unmarked}; add it`;
  const nullable = branchesThat((branch) => branch['x-nullable'] === true);
  if (nullable !== '')
    yield `has the discriminator "${name}", but allows null in ${nullable}; give x-nullable beside oneOf`;
  if (branchesOf(schema).size < count)
    yield `has the discriminator "${name}", for which two schemas have the same value`;
}

const MAX_TRIES = 8;

/** Returns how many schemas of `oneOf` are tried for one value. Each tried schema may have a `oneOf` of its own. */
function triesOf(schema: Schema): number {
  const tries = partsOf(schema).map(([, part]) => triesOf(part));
  const isTried = schema.oneOf !== undefined && schema.discriminator === undefined;
  return isTried ? tries.reduce((sum, count) => sum + count, 0) : Math.max(1, ...tries);
}

/** Returns true if two of these schemas read the same part of a value to any depth. */
const readsTwice = (branches: readonly Schema[], named: NamedSchemas): boolean =>
  branches.some((branch, at) => {
    const others = branches.slice(at + 1).flatMap((other) => deepPlaces(other, named));
    return deepPlaces(branch, named).some((place) =>
      others.some((other) => place.startsWith(other) || other.startsWith(place)),
    );
  });

/**
 * Returns the places at which a schema reads a value to any depth: a `$ref`, and an array or object whose parts have no
 * schema. A place has the types and names that lead to it, and begins each place inside it. Names are in lower case,
 * because case is ignored. Only the first `$ref` on a way is followed.
 */
function deepPlaces(schema: Schema, named: NamedSchemas, place = ''): readonly string[] {
  const { oneOf, $ref } = schema;
  if (oneOf !== undefined) return oneOf.flatMap((branch) => deepPlaces(branch, named, place));
  const target = $ref === undefined ? undefined : named.get($ref);
  if (target !== undefined) return deepPlaces(target, new Map(), place);
  if ($ref !== undefined) return [`${place}/`];
  const { type, items, properties, additionalProperties: further } = joinedObject(schema) ?? schema;
  const whole = `${place}/${type}`;
  const isFree = (items ?? properties ?? further) === undefined && (type === 'array' || type === 'object');
  // A further member may have any name.
  if (isFree || (further && deepPlaces(further, named).length > 0)) return [whole];
  const parts = Object.entries(items === undefined ? (properties ?? {}) : { '': items });
  return parts.flatMap(([name, part]) => deepPlaces(part, named, `${whole}/${name.toLowerCase()}`));
}

/** Returns the defaults, examples and values of `enum` and `const` that do not match the schema. */
function* valueFaults(schema: Schema, named: NamedSchemas): Generator<string> {
  for (const keyword of ['default', 'example'] as const) {
    const value = schema[keyword];
    const [fault] = value === undefined ? [] : exampleFaults(value, schema, named);
    if (fault !== undefined) yield `has the wrong ${keyword} ${JSON.stringify(value)}: ${fault.detail}`;
  }
  const { enum: values = [], const: only, ...rest } = schema;
  for (const value of only === undefined ? values : [...values, only]) {
    const [fault] = exampleFaults(value, rest, named);
    const keyword = value === only ? 'const' : 'enum value';
    if (fault !== undefined) yield `has the wrong ${keyword} ${JSON.stringify(value)}: ${fault.detail}`;
  }
}

/** Returns the references that apply to the value itself, not to its members or items. */
const directReferences = ({ $ref, allOf = [], oneOf = [] }: Schema): readonly string[] =>
  $ref !== undefined ? [$ref] : [...allOf, ...oneOf].flatMap(directReferences);

const refersTo = (schema: Schema, named: NamedSchemas): boolean =>
  schema.$ref === undefined ? partsOf(schema).some(([, part]) => refersTo(part, named)) : named.has(schema.$ref);
