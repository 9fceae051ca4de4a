/** Reads what a client sent for the declared parameters of one place as their types, and validates it (D70). */
import type { Violation } from '../../message/reply.ts';
import type { Spending } from '../../routing/constraints/expression-cost.ts';
import { bodyValidator } from '../schema/judge.ts';
import { typeText } from '../schema/keyword-checks.ts';
import { propertyLookup, unescapeToken } from '../schema/names.ts';
import type { Schema } from '../schema/schema.ts';
import { formatOf, type ParameterDeclaration, type Parameters, type SentPlace, schemaOf } from './parameter.ts';

/** Why texts are no value of their parameter. */
class Fault {
  readonly details: readonly string[];

  constructor(...details: readonly string[]) {
    this.details = details;
  }
}

/** Limits the problem that answers a long list of wrong values. */
const MAX_FAULTS = 100;

const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', pipes: '|' };

/** Returns the function that reads the texts that were sent for one parameter. */
function textReader(parameter: ParameterDeclaration, place: SentPlace): (texts: readonly string[]) => unknown {
  const { type, items, maxItems = Infinity } = parameter;
  if (type !== 'array') {
    const read = scalarReader(schemaOf(parameter));
    return (texts) => (texts.length > 1 ? new Fault(`Expected one value, not ${texts.length}`) : read(texts[0]!));
  }
  const read = scalarReader(items ?? { type: 'string' });
  const separator = SEPARATORS[formatOf(parameter, place)];
  return (texts) => {
    const pieces =
      separator === undefined ? texts : texts.flatMap((text) => (text === '' ? [] : text.split(separator)));
    // Of a list that is too long, nothing but that is told.
    if (pieces.length > maxItems) return pieces;
    const values: unknown[] = [];
    const faults: string[] = [];
    for (const [at, piece] of pieces.entries()) {
      const value = read(place === 'header' ? piece.trim() : piece);
      if (!(value instanceof Fault)) values.push(value);
      else if (faults.push(...value.details.map((detail) => `Value ${at + 1}: ${detail}`)) >= MAX_FAULTS) break;
    }
    return faults.length === 0 ? values : new Fault(...faults);
  };
}

const INTEGER = /^[+-]?\d{1,20}$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Reads a text as the type of a schema. An integer that a double cannot hold exactly is refused, not rounded. */
function scalarReader(schema: Schema): (text: string) => unknown {
  const refused = (text: string): Fault =>
    new Fault(`Expected ${typeText(schema)}, not ${JSON.stringify(text.slice(0, 40))}`);
  switch (schema.type) {
    case 'integer':
      return (text) => {
        const value = Number(text);
        return INTEGER.test(text) && Number.isSafeInteger(value) ? value : refused(text);
      };
    case 'number':
      return (text) => {
        const value = Number(text);
        return NUMBER.test(text) && Number.isFinite(value) ? value : refused(text);
      };
    case 'boolean':
      return (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : refused(text));
    default:
      return (text) => text;
  }
}

/**
 * Makes a function that groups values by declared name, in the order in which they were sent. Names ignore case, as the
 * members of a body do (D1); others are left out.
 */
export function groupedBy(names: readonly string[]) {
  const lookUp = propertyLookup(names);
  return <Value>(sent: Iterable<readonly [name: string, value: Value]>): ReadonlyMap<string, readonly Value[]> => {
    const groups = new Map<string, Value[]>();
    for (const [written, value] of sent) {
      const at = lookUp(written);
      if (at === undefined) continue;
      const name = names[at]!;
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [value]);
      else group.push(value);
    }
    return groups;
  };
}

/** Returns the values of a place by name, and appends what is wrong. `spending` is that of the request. */
type PlaceReader<Input> = (input: Input, violations: Violation[], spending?: Spending) => unknown;

/** The reader of these parameters. `texts` returns the function that gives the texts that were sent for one of them. */
export function placeReader<Input>(
  declared: Parameters,
  place: SentPlace,
  texts: (input: Input) => (name: string) => readonly string[],
): PlaceReader<Input> {
  const names = Object.keys(declared);
  const schemas = Object.fromEntries(names.map((name) => [name, schemaOf(declared[name]!)]));
  const required = names.filter((name) => declared[name]!.required === true);
  const validate = bodyValidator({ type: 'object', properties: schemas, required } as Schema, 'camelCase');
  const readers = names.map((name) => [name, textReader(declared[name]!, place)] as const);
  return (input, violations, spending) => {
    const found: Record<string, unknown> = {};
    const faulty = new Set<string>();
    const textsOf = texts(input);
    for (const [name, read] of readers) {
      const sent = textsOf(name);
      if (sent.length === 0) continue;
      const value = read(sent);
      if (value instanceof Fault) {
        for (const detail of value.details) violations.push({ parameter: name, in: place, detail });
        faulty.add(name);
      } else found[name] = value;
    }
    const { value, errors = [] } = validate(found, '', spending);
    for (const { pointer = '', detail } of errors) {
      const [name = '', ...rest] = pointer.slice(1).split('/').map(unescapeToken);
      if (faulty.has(name)) continue;
      const missing = detail === 'This member is required' && rest.length === 0;
      const which = rest.length === 0 ? '' : `Value ${Number(rest[0]) + 1}: `;
      violations.push({ parameter: name, in: place, detail: missing ? 'This parameter is required' : which + detail });
    }
    return value;
  };
}
