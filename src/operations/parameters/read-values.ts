/** Parses and validates the declared parameters of one part of a request (D70). */
import type { Violation } from '../../core/http/problem.ts';
import { expected, type Flaw, typeText } from '../schema/faults.ts';
import { setMember } from '../schema/free-value.ts';
import { propertyLookup, unescapeToken } from '../schema/names.ts';
import { formValidator, uncheckedValidator } from '../schema/read-value.ts';
import type { Schema } from '../schema/schema.ts';
import {
  canRepeat,
  formatOf,
  type ParameterDeclaration,
  type Parameters,
  type SentPlace,
  schemaOf,
} from './parameter.ts';

const MAX_FAULTS = 100;

export const MISSING_PARAMETER: Flaw = { detail: 'This parameter is required', keyword: 'required' };

const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', pipes: '|' };

/**
 * Returns a function that parses the texts of one parameter, and adds the errors to `flaws`. A list is split at each
 * separator, also at an escaped separator (`%2C`), because some clients escape the separators between values. Values
 * that may contain a separator need a `multi` list, which is not split (D70).
 */
function textReader(parameter: ParameterDeclaration, place: SentPlace) {
  const schema = schemaOf(parameter);
  const { type, items = schema, maxItems = Infinity } = schema;
  const separator = SEPARATORS[formatOf(parameter, place)];
  const flawOf = (text: string, which = ''): Flaw => ({
    detail: `${which}Expected ${typeText(items)}, not ${JSON.stringify(text.slice(0, 40))}`,
    keyword: 'type',
    limit: items.type,
  });

  function readOne(texts: readonly string[], flaws: Flaw[]): unknown {
    const [text = '', ...more] = texts;
    const value = scalarOf(schema, text, place);
    if (more.length > 0) flaws.push(expected('maxItems', 1, `one value, not ${texts.length}`));
    else if (value === undefined) flaws.push(flawOf(text));
    return value;
  }

  function readList(texts: readonly string[], flaws: Flaw[]): unknown {
    const pieces =
      separator === undefined ? texts : texts.flatMap((text) => (text === '' ? [] : text.split(separator)));
    // If the list is too long, only its length is reported.
    if (pieces.length > maxItems) return pieces;
    const values: unknown[] = [];
    for (const [at, sent] of pieces.entries()) {
      const piece = place === 'header' ? sent.trim() : sent;
      values.push(scalarOf(items, piece, place));
      if (values[at] === undefined) flaws.push(flawOf(piece, `Value ${at + 1}: `));
      if (flaws.length === MAX_FAULTS) break;
    }
    return values;
  }

  return type === 'array' ? readList : readOne;
}

const INTEGER = /^[+-]?\d{1,20}$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a text as the type of a schema. Returns undefined for a text that is not a value of the type. */
function scalarOf({ type }: Schema, text: string, place: SentPlace): unknown {
  const value = Number(text);
  if (type === 'integer') return INTEGER.test(text) && Number.isSafeInteger(value) ? value : undefined;
  if (type === 'number') return NUMBER.test(text) && Number.isFinite(value) ? value : undefined;
  if (type !== 'boolean') return text;
  // The value of a ticked box that has no value in the page (D128).
  if (text === 'on' && canRepeat(place)) return true;
  return /^(?:true|false)$/i.test(text) ? text.length === 4 : undefined;
}

/**
 * Returns a function that leaves out the blank texts of a parameter, unless an empty text is a value of it: a page sends
 * them for the fields that nobody filled in (D128).
 */
function blanksRemover(parameter: ParameterDeclaration, place: SentPlace) {
  const schema = schemaOf(parameter);
  const { type, items = schema } = schema;
  const isSplit = type === 'array' && formatOf(parameter, place) !== 'multi';
  const [checked, blank] = isSplit ? [schema, []] : [items, scalarOf(items, '', place)];
  const validate = formValidator(checked);
  return (texts: readonly string[]): readonly string[] => {
    if (!texts.includes('') || validate(blank).errors === undefined) return texts;
    return texts.filter((text) => text !== '');
  };
}

/**
 * Returns a function that groups values by declared name, in the order of the request. Names ignore case, like the
 * members of a body (D1). Undeclared names are left out.
 */
export function groupedBy(names: readonly string[]) {
  const lookUp = propertyLookup(names);
  return <Value>(sent: Iterable<readonly [name: string, value: Value]>): ReadonlyMap<string, readonly Value[]> => {
    const groups = new Map<string, Value[]>();
    for (const [written, value] of sent) {
      const at = lookUp(written);
      if (at === undefined) continue;
      const group = groups.get(names[at]!) ?? [];
      groups.set(names[at]!, group);
      group.push(value);
    }
    return groups;
  };
}

/**
 * Returns a function that returns the values of these parameters by name, and adds the errors to `violations`.
 * `textsOf` returns the texts of one parameter.
 */
export function placeReader<Input>(
  declared: Parameters,
  place: SentPlace,
  textsOf: (input: Input, name: string) => readonly string[],
): (input: Input, violations: Violation[]) => unknown {
  const names = Object.keys(declared);
  const schemas = Object.fromEntries(names.map((name) => [name, schemaOf(declared[name]!)]));
  const schema = { type: 'object', properties: schemas } as Schema;
  const isForm = canRepeat(place);
  const validate = isForm ? formValidator(schema) : uncheckedValidator(schema, 'camelCase');
  const readers = names.map((name) => ({
    name,
    read: textReader(declared[name]!, place),
    withoutBlanks: isForm ? blanksRemover(declared[name]!, place) : undefined,
  }));
  return (input, violations) => {
    const found: Record<string, unknown> = {};
    for (const { name, read, withoutBlanks } of readers) {
      const texts = textsOf(input, name);
      const sent = withoutBlanks?.(texts) ?? texts;
      const flaws: Flaw[] = [];
      const value = sent.length > 0 ? read(sent, flaws) : undefined;
      if (sent.length === 0 && declared[name]!.required === true) flaws.push(MISSING_PARAMETER);
      if (flaws.length === 0) setMember(found, name, value);
      violations.push(...flaws.map((flaw) => ({ parameter: name, in: place, ...flaw })));
    }
    // An absent parameter is not a fault here, so a parameter has only the faults of one of the two steps.
    const { value, errors = [] } = validate(found);
    for (const { pointer = '', detail, keyword, limit } of errors) {
      const [name = '', ...rest] = pointer.slice(1).split('/').map(unescapeToken);
      const which = rest.length === 0 ? '' : `Value ${Number(rest[0]) + 1}: `;
      violations.push({ parameter: name, in: place, detail: which + detail, keyword, limit });
    }
    return value;
  };
}
