/** Reads the declared parameters of one place and validates them (D70). */
import type { Violation } from '../../message/problem.ts';
import type { Spending } from '../../routing/constraints/expression-cost.ts';
import type { Schema } from '../schema/declaration/schema.ts';
import { unescapeToken } from '../schema/json-members.ts';
import { bodyValidator } from '../schema/validate.ts';
import { type Parameters, type SentPlace, schemaOf } from './parameter.ts';
import { Fault, textReader } from './parameter-text.ts';

/** Returns the values of a place by name, and appends what is wrong. `spending` is that of the request. */
export type PlaceReader<Input> = (input: Input, violations: Violation[], spending?: Spending) => unknown;

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
