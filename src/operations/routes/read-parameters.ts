/**
 * Reads and validates the declared parameters of a request. Refuses invalid parameters with 400 and their names (D70).
 * The query is parsed only if the operation declares query parameters or is strict.
 */

import { headerValues } from '../../core/http/context.ts';
import type { Violation } from '../../core/http/problem.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import type { RouteInput } from '../../core/routing/route.ts';
import type { RouteTemplate } from '../../core/routing/template.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation } from '../operation/operation.ts';
import {
  isFreeText,
  type ParameterDeclaration,
  type Parameters,
  type PathParameters,
  type ReadParameters,
  type SentTexts,
} from '../parameters/parameter.ts';
import { pathSchema } from '../parameters/path-parameter.ts';
import { groupedBy, placeReader } from '../parameters/read-values.ts';
import { propertyLookup } from '../schema/names.ts';
import { needsOf } from '../security.ts';

type Read = (input: RouteInput) => ReadParameters;

/**
 * Returns a function that reads the declared parameters of a request, or undefined if there is nothing to read or to
 * check. The function throws an `HttpProblem` 400 with every error. If the operation is strict, an undeclared query
 * parameter is an error too.
 */
export function parameterReader(
  { operation, isStrict, security = [] }: RoutedOperation,
  template: RouteTemplate,
): Read | undefined {
  const { query, headers } = operation as { query?: Parameters; headers?: Parameters };
  const path = declaredInPath(operation, template);
  const readPath = path && placeReader(path, 'path', pathTexts);
  const groupQuery = query && groupedBy(Object.keys(query));
  const readQuery = query && placeReader(query, 'query', (sent: SentTexts, name) => sent.get(name) ?? []);
  const headerTexts = ({ context }: RouteInput, name: string) => headerValues(context, name.toLowerCase());
  const readHeaders = headers && placeReader(headers, 'header', headerTexts);
  const keys = security
    .flatMap(needsOf)
    .flatMap(({ scheme: { kind } }) => ('in' in kind && kind.in === 'query' ? kind.name : []));
  const refuseOthers = isStrict ? undeclared([...Object.keys(query ?? {}), ...keys]) : undefined;
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
      throw new HttpProblem(400, 'The parameters do not match their declaration', { errors: violations });
    return read;
  };
}

/** Returns a function that adds an error for each undeclared parameter of a query, up to a maximum. */
function undeclared(names: readonly string[]) {
  const lookUp = propertyLookup(names);
  return (query: URLSearchParams, violations: Violation[]): void => {
    const others = [...new Set(query.keys())].filter((name) => lookUp(name) === undefined);
    for (const name of others.slice(0, MAX_UNDECLARED)) {
      const parameter = name.slice(0, 100);
      const detail = `This parameter is not declared${hint(parameter, names)}`;
      violations.push({ parameter, in: 'query', detail, keyword: 'additionalProperties' });
    }
  };
}
const MAX_UNDECLARED = 10;

/** Returns the path parameters whose declaration can reject a value. */
function declaredInPath({ parameters = {} }: AnyOperation, { parameters: inTemplate }: RouteTemplate) {
  const declared: Record<string, ParameterDeclaration> = {};
  for (const [name, parameter] of Object.entries(parameters as PathParameters)) {
    const inPath = inTemplate.find((part) => part.name === name)!;
    if (typeof parameter === 'string' || (isFreeText(parameter) && pathSchema(inPath).type === 'string')) continue;
    declared[name] = { ...parameter, required: parameter.required ?? !inPath.optional };
  }
  return Object.keys(declared).length === 0 ? undefined : declared;
}

function pathTexts({ values }: RouteInput, name: string): readonly string[] {
  const text = values[name];
  return text === undefined ? [] : [text];
}

const NOTHING: SentTexts = new Map();
