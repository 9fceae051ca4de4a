/**
 * Lists every response of an operation: those that it declares, those that follow from its declaration (D14, D69), and
 * those that stages answer in its place (D79).
 *
 * Where a body is declared, reading it can be answered with 400, 413 or 415; where parameters are, 400; where security
 * is, 401, and 403 for roles. A response with a `location` has the header (D66). Plugins and the controller say what
 * their stages answer. Of one status, the text that is nearest to the operation counts; the headers of all are listed.
 */

import { PluginError } from '../../core/application/plugin.ts';
import { thrownMessage } from '../../core/log/thrown-value.ts';
import { splitPath } from '../../core/message/path.ts';
import { capitalised, sameText } from '../../core/message/text.ts';
import { isRecord } from '../../core/options/shape.ts';
import type { Offered } from '../../core/routing/composition.ts';
import type { RouteTemplate } from '../../core/routing/template.ts';
import { assertSharedResponses } from '../media-types/assert-responses.ts';
import type { AddedResponses, RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration, Responses } from '../operation/operation.ts';
import { isOwnBody } from '../operation/own-body.ts';
import { isFreeText, type PathParameters } from '../parameters/parameter.ts';
import { requirementsOf } from '../security.ts';
import { refusedMediaTypeHeaders } from './json-body.ts';

const UNAUTHORIZED = {
  headers: {
    'WWW-Authenticate': {
      type: 'string',
      description: 'The authentication schemes that the operation accepts',
      always: true,
    },
  },
} as const;

const LOCATION = {
  headers: { Location: { type: 'string', description: 'The URI of the resource that the response points to' } },
} as const;

const MALFORMED = 'the body is absent, is not JSON or does not match its schema';
const UNREADABLE = 'the body is malformed, or a part of it does not match its declaration';
const WRONG_PARAMETER = 'a parameter does not match its schema';

/** The responses by status. */
export function responsesOf({
  controller,
  operation,
  security = [],
  isStrict,
  pluginResponses = [],
}: RoutedOperation): Responses {
  const { method, body, responses, parameters = {}, query, headers } = operation;
  const isValidated =
    isStrict ||
    query !== undefined ||
    headers !== undefined ||
    Object.values(parameters as PathParameters).some((one) => !isFreeText(one));
  const faults = [
    ...(body === undefined ? [] : [isOwnBody(body) ? UNREADABLE : MALFORMED]),
    ...(isValidated ? [WRONG_PARAMETER] : []),
  ];
  const leading = Object.entries(responses as Responses).filter(([, { location }]) => location !== undefined);
  const derived: Responses = {
    ...Object.fromEntries(leading.map(([status]) => [status, LOCATION])),
    ...(faults.length > 0 && { 400: { description: capitalised(faults.join(', or ')) } }),
    ...(security.length > 0 && { 401: UNAUTHORIZED }),
    ...(requirementsOf(security).some(({ roles }) => roles.length > 0) && { 403: {} }),
    ...(body !== undefined && {
      413: { description: 'The body is larger than the limit' },
      415: {
        description: `The body ${isOwnBody(body) ? 'has another media type' : 'is not JSON in UTF-8'}, or has a content coding that the service does not read`,
        headers: refusedMediaTypeHeaders(method),
      },
    }),
  };
  return [...pluginResponses, controller.responses ?? {}, responses].reduce(merged, derived);
}

/** The nearer list wins where both have a text, or a header of one name in any case. */
function merged(farther: Responses, nearer: Responses): Responses {
  const all: Record<number, ResponseDeclaration> = { ...farther };
  for (const [key, response] of Object.entries(nearer) as Iterable<[string, ResponseDeclaration]>) {
    const status = Number(key);
    const names = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
    const others = Object.entries(farther[status]?.headers ?? {}).filter(([name]) => !names.has(name.toLowerCase()));
    const headers = { ...Object.fromEntries(others), ...response.headers };
    const both: object = { ...farther[status], ...response, ...(Object.keys(headers).length > 0 && { headers }) };
    all[status] = both as ResponseDeclaration;
  }
  return all;
}

/**
 * The responses that the plugins add to the operation, for each plugin. Throws a `PluginError` for responses that
 * cannot be described, and for a function that fails.
 */
export const responsesOfPlugins = (
  added: readonly Offered<AddedResponses>[],
  routed: RoutedOperation,
  template: RouteTemplate,
): readonly Responses[] =>
  added.map(({ value, plugin, prefix }) => {
    if (prefix !== undefined && !canBeBelow(template, splitPath(prefix))) return {};
    try {
      const responses: unknown = typeof value === 'function' ? withoutUndefined(value(routed)) : value;
      const receiver = typeof value === 'function' ? ` to the operation "${routed.id}"` : '';
      assertSharedResponses(responses, `the plugin "${plugin}"${receiver}`);
      return responses as Responses;
    } catch (error) {
      const reason = thrownMessage(error).replace(/^Cannot declare /, '');
      throw new PluginError('Cannot add the responses of the plugin', plugin, reason, { cause: error });
    }
  });

/** Can a path of this template have these segments at its beginning? A parameter can have any value. */
function canBeBelow({ segments }: RouteTemplate, prefix: readonly string[]): boolean {
  const [last] = segments.at(-1) ?? [];
  const hasCatchAll = last?.kind === 'parameter' && last.catchAll;
  return prefix.every((text, depth) => {
    const segment = segments[depth];
    if (segment === undefined) return hasCatchAll;
    const [part] = segment;
    return segment.length > 1 || part!.kind === 'parameter' || sameText(part!.text, text);
  });
}

/** Without the statuses that are undefined. A value that is not a plain object stays as it is, and is refused. */
function withoutUndefined(responses: unknown): unknown {
  if (!isRecord(responses) || 'then' in responses) return responses;
  return Object.fromEntries(Object.entries(responses).filter(([, response]) => response !== undefined));
}
