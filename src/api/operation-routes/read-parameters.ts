/**
 * Reads the declared parameters of a request and validates them (D70): 400 with the name of each that is wrong. A
 * request whose query nobody declared is not parsed.
 */
import type { Context } from '../../http/message/context.ts';
import { HttpProblem, type Violation } from '../../http/message/problem.ts';
import type { RouteInput } from '../../routing/route/route.ts';
import type { RouteTemplate } from '../../routing/template/template.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { ReadParameters } from '../operation/operation-input.ts';
import {
  formatOf,
  type ParameterDeclaration,
  type ParameterPlace,
  type Parameters,
  schemaOf,
} from '../operation/parameter.ts';
import { typeText } from '../schema/check-value.ts';
import type { Schema } from '../schema/declaration/schema.ts';
import { propertyLookup } from '../schema/property-naming.ts';
import { bodyValidator } from '../schema/validate.ts';

type Read = (input: RouteInput) => ReadParameters;

/** Reads the parameters of one place, and appends what is wrong. */
type PlaceReader = (input: RouteInput, violations: Violation[]) => unknown;

/**
 * The reader of the parameters that an operation declares, or undefined where it declares none. The reader throws an
 * `HttpProblem` 400 that names every violation.
 */
export function parameterReader(operation: AnyOperation, template: RouteTemplate): Read | undefined {
  const { query, headers } = operation as { query?: Parameters; headers?: Parameters };
  const path = declaredInPath(operation, template);
  const readPath = path && placeReader(path, 'path', ({ values }, name) => listOf(values[name]));
  const readQuery = query && placeReader(query, 'query', queryTexts(query));
  const readHeaders = headers && placeReader(headers, 'header', ({ context }, name) => headerTexts(context, name));
  if (readPath === undefined && readQuery === undefined && readHeaders === undefined) return undefined;
  return (input) => {
    const violations: Violation[] = [];
    const read = {
      path: readPath?.(input, violations),
      query: readQuery?.(input, violations),
      headers: readHeaders?.(input, violations),
    };
    if (violations.length > 0)
      throw new HttpProblem(400, 'The parameters are not what this operation takes', { errors: violations });
    return read;
  };
}

/** The parameters of the path that have a declaration, and not a text alone. */
function declaredInPath({ parameters = {} }: AnyOperation, { parameters: inTemplate }: RouteTemplate) {
  const declared: Record<string, ParameterDeclaration> = {};
  for (const [name, given] of Object.entries(parameters as Readonly<Record<string, string | ParameterDeclaration>>)) {
    if (typeof given === 'string') continue;
    const isAlways = !inTemplate.some((one) => one.name === name && one.optional);
    declared[name] = { ...given, required: given.required ?? isAlways };
  }
  return Object.keys(declared).length === 0 ? undefined : declared;
}

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

/** Names in a query ignore case, as the members of a body do (D1). */
function queryTexts(declared: Parameters): (input: RouteInput, name: string) => readonly string[] {
  const names = Object.keys(declared);
  const lookUp = propertyLookup(names);
  return ({ context }, name) =>
    [...context.query].filter(([sent]) => names[lookUp(sent) ?? -1] === name).map(([, text]) => text);
}

function headerTexts({ headers }: Context, name: string): readonly string[] {
  const sent = headers[name.toLowerCase()];
  return typeof sent === 'string' ? [sent] : (sent ?? []);
}

function placeReader(
  declared: Parameters,
  place: ParameterPlace,
  textsOf: (input: RouteInput, name: string) => readonly string[],
): PlaceReader {
  const names = Object.keys(declared);
  const schemas = Object.fromEntries(names.map((name) => [name, schemaOf(declared[name]!)]));
  const required = names.filter((name) => declared[name]!.required === true);
  const validate = bodyValidator({ type: 'object', properties: schemas, required } as Schema, 'camelCase');
  const readers = names.map((name) => [name, valueReader(declared[name]!, place)] as const);
  return (input, violations) => {
    const found: Record<string, unknown> = {};
    const faulty = new Set<string>();
    for (const [name, read] of readers) {
      const texts = textsOf(input, name);
      if (texts.length === 0) continue;
      const value = read(texts);
      if (value instanceof Fault) {
        violations.push({ parameter: name, in: place, detail: value.detail });
        faulty.add(name);
      } else found[name] = value;
    }
    const { value, errors = [] } = validate(found, '');
    for (const { pointer = '', detail } of errors) {
      const [name = '', ...rest] = pointer.slice(1).split('/');
      if (faulty.has(name)) continue;
      const missing = detail === 'This member is required' && rest.length === 0;
      const which = rest.length === 0 ? '' : `Value ${Number(rest[0]) + 1}: `;
      violations.push({ parameter: name, in: place, detail: missing ? 'This parameter is required' : which + detail });
    }
    return value;
  };
}

/** Why a text is no value of its parameter. */
class Fault {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}

const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', pipes: '|' };

/** Reads the texts that were sent for one parameter. */
function valueReader(parameter: ParameterDeclaration, place: ParameterPlace): (texts: readonly string[]) => unknown {
  const { type, items } = parameter;
  if (type !== 'array') {
    const read = scalarReader(schemaOf(parameter));
    return (texts) => (texts.length > 1 ? new Fault(`Expected one value, not ${texts.length}`) : read(texts[0]!));
  }
  const read = scalarReader(items ?? { type: 'string' });
  const separator = SEPARATORS[formatOf(parameter, place)];
  return (texts) => {
    const pieces =
      separator === undefined ? texts : texts.flatMap((text) => (text === '' ? [] : text.split(separator)));
    const values = pieces.map((piece) => read(place === 'header' ? piece.trim() : piece));
    return values.find((value) => value instanceof Fault) ?? values;
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
