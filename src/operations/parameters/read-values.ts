/** Reads what a client sent for the declared parameters of one place as their types, and validates it (D70). */
import type { Violation } from '../../core/message/reply.ts';
import { bodyValidator } from '../schema/judge.ts';
import { typeText } from '../schema/keyword-checks.ts';
import { propertyLookup, unescapeToken } from '../schema/names.ts';
import { isRounded } from '../schema/rounded-numbers.ts';
import type { Schema } from '../schema/schema.ts';
import { formatOf, type ParameterDeclaration, type Parameters, type SentPlace, schemaOf } from './parameter.ts';

/** Limits the problem that answers a long list of wrong values. */
const MAX_FAULTS = 100;

const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', pipes: '|' };

/** Reads the texts that were sent for one parameter, and tells what is wrong with them. */
type TextReader = (texts: readonly string[], tell: (detail: string) => void) => unknown;

function textReader(parameter: ParameterDeclaration, place: SentPlace): TextReader {
  const schema = schemaOf(parameter);
  const { type, items = schema, maxItems = Infinity } = schema;
  const readOne = (text: string, tell: (detail: string) => void): unknown => {
    const value = scalarOf(items, text);
    if (value === undefined) tell(`Expected ${typeText(items)}, not ${JSON.stringify(text.slice(0, 40))}`);
    return value;
  };
  if (type !== 'array')
    return (texts, tell) =>
      texts.length > 1 ? tell(`Expected one value, not ${texts.length}`) : readOne(texts[0]!, tell);
  const separator = SEPARATORS[formatOf(parameter, place)];
  return (texts, tell) => {
    const pieces =
      separator === undefined ? texts : texts.flatMap((text) => (text === '' ? [] : text.split(separator)));
    // Of a list that is too long, nothing but that is told.
    if (pieces.length > maxItems) return pieces;
    const values: unknown[] = [];
    let faults = 0;
    // What comes behind the last fault that is told is not read: each text of a message takes time.
    for (let at = 0; at < pieces.length && faults < MAX_FAULTS; at++) {
      const piece = place === 'header' ? pieces[at]!.trim() : pieces[at]!;
      values.push(
        readOne(piece, (detail) => {
          faults++;
          tell(`Value ${at + 1}: ${detail}`);
        }),
      );
    }
    return values;
  };
}

const INTEGER = /^[+-]?\d{1,20}$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads a text as the type of a schema; undefined for a text that is not a value of the type, and for a number that
 * would be rounded.
 */
function scalarOf({ type }: Schema, text: string): unknown {
  const value = Number(text);
  if (type === 'integer') return INTEGER.test(text) && Number.isSafeInteger(value) ? value : undefined;
  if (type === 'number') return NUMBER.test(text) && !isRounded(text) ? value : undefined;
  if (type !== 'boolean') return text;
  return /^(?:true|false)$/i.test(text) ? text.length === 4 : undefined;
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

/** Returns the values of a place by name, and appends what is wrong. */
type PlaceReader<Input> = (input: Input, violations: Violation[]) => unknown;

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
  return (input, violations) => {
    const found: Record<string, unknown> = {};
    const faulty = new Set<string>();
    const textsOf = texts(input);
    for (const [name, read] of readers) {
      const sent = textsOf(name);
      if (sent.length === 0) continue;
      const value = read(sent, (detail) => {
        violations.push({ parameter: name, in: place, detail });
        faulty.add(name);
      });
      if (!faulty.has(name)) found[name] = value;
    }
    const { value, errors = [] } = validate(found, '');
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
