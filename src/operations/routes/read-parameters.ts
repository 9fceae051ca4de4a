/**
 * Reads the declared parameters of a request and validates them (D70): 400 with the name of each wrong one. The query
 * is parsed only for an operation that declares parameters of it, or refuses others.
 */
import { HttpProblem } from '../../core/message/problem.ts';
import type { Violation } from '../../core/message/reply.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import type { RouteInput } from '../../core/routing/route.ts';
import type { RouteTemplate } from '../../core/routing/template.ts';
import type { AnyOperation } from '../operation/operation.ts';
import {
  isFreeText,
  type ParameterDeclaration,
  type Parameters,
  type ReadParameters,
  type SentTexts,
} from '../parameters/parameter.ts';
import { pathSchema } from '../parameters/path-parameter.ts';
import { groupedBy, placeReader } from '../parameters/read-values.ts';
import { propertyLookup } from '../schema/names.ts';

type Read = (input: RouteInput) => ReadParameters;

/**
 * The reader of the parameters that an operation declares, or undefined where it declares none and is not strict. The
 * reader throws an `HttpProblem` 400 that names every violation; where it is strict, undeclared ones of the query too.
 */
export function parameterReader(operation: AnyOperation, template: RouteTemplate, isStrict: boolean): Read | undefined {
  const { query, headers } = operation as { query?: Parameters; headers?: Parameters };
  const path = declaredInPath(operation, template);
  const readPath = path && placeReader(path, 'path', pathTexts);
  const groupQuery = query && groupedBy(Object.keys(query));
  const readQuery = query && placeReader(query, 'query', queryTexts);
  const readHeaders = headers && placeReader(headers, 'header', headerTexts);
  const refuseOthers = isStrict ? undeclared(Object.keys(query ?? {})) : undefined;
  if ([readPath, readQuery, readHeaders, refuseOthers].every((read) => read === undefined)) return undefined;
  return (input) => {
    const violations: Violation[] = [];
    const sentQuery = groupQuery?.(input.context.query) ?? NOTHING;
    const read = {
      path: readPath?.(input, violations),
      query: readQuery?.(sentQuery, violations),
      headers: readHeaders?.(input, violations),
      sentQuery,
    };
    refuseOthers?.(input.context.query, violations);
    if (violations.length > 0)
      throw new HttpProblem(400, 'The parameters are not what this operation takes', { errors: violations });
    return read;
  };
}

/** Returns the function that adds a violation for each of the first undeclared parameters of a query. */
function undeclared(names: readonly string[]) {
  const lookUp = propertyLookup(names);
  return (query: URLSearchParams, violations: Violation[]): void => {
    const others = [...new Set(query.keys())].filter((name) => lookUp(name) === undefined);
    for (const name of others.slice(0, MAX_UNDECLARED)) {
      const parameter = name.slice(0, 100);
      const detail = `This parameter is not taken${hint(parameter, names)}`;
      violations.push({ parameter, in: 'query', detail });
    }
  };
}
const MAX_UNDECLARED = 10;

/** The parameters of the path that are validated: those with a declaration that can refuse a value. */
function declaredInPath({ parameters = {} }: AnyOperation, { parameters: inTemplate }: RouteTemplate) {
  const declared: Record<string, ParameterDeclaration> = {};
  for (const [name, given] of Object.entries(parameters as Readonly<Record<string, string | ParameterDeclaration>>)) {
    const inPath = inTemplate.find((one) => one.name === name)!;
    if (typeof given === 'string' || (isFreeText(given) && pathSchema(inPath).type === 'string')) continue;
    const isAlways = !inPath.optional;
    declared[name] = { ...given, required: given.required ?? isAlways };
  }
  return Object.keys(declared).length === 0 ? undefined : declared;
}

type TextsOf = (name: string) => readonly string[];

const pathTexts =
  ({ values }: RouteInput): TextsOf =>
  (name) => {
    const text = values[name];
    return text === undefined ? NONE : [text];
  };
const NONE: readonly string[] = [];

const NOTHING: SentTexts = new Map();

const queryTexts =
  (sent: SentTexts): TextsOf =>
  (name) =>
    sent.get(name) ?? NONE;

/** Of lines with one name, Node keeps the first or joins them, so they are counted as they were sent. */
const headerTexts =
  ({ context: { headers, request } }: RouteInput): TextsOf =>
  (name) => {
    const folded = name.toLowerCase();
    const sent = headers[folded];
    if (sent === undefined) return NONE;
    const lines = request.rawHeaders.filter((_, at, all) => at % 2 === 1 && all[at - 1]!.toLowerCase() === folded);
    return lines.length > 1 ? lines : [sent].flat();
  };
