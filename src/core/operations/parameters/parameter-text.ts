/** Reads the texts of a parameter as its type (D70). */
import { typeText } from '../schema/check-value.ts';
import type { Schema } from '../schema/declaration/schema.ts';
import { formatOf, type ParameterDeclaration, type SentPlace, schemaOf } from './parameter.ts';

/** Why texts are no value of their parameter. */
export class Fault {
  readonly details: readonly string[];

  constructor(...details: readonly string[]) {
    this.details = details;
  }
}

/** Limits the problem that answers a long list of wrong values. */
const MAX_FAULTS = 100;

const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', pipes: '|' };

/** Returns the function that reads the texts that were sent for one parameter. */
export function textReader(parameter: ParameterDeclaration, place: SentPlace): (texts: readonly string[]) => unknown {
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
