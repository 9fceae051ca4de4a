/**
 * Lists all responses of an operation: the declared responses, the derived responses (D14, D69), and the responses of
 * stages (D79). Does not list a 5xx, or a refusal before the route is matched, because they do not belong to an
 * operation (D14).
 *
 * A body adds 400, 413 and 415; parameters add 400; security adds 401, and 403 for roles. A response with a `location`
 * gets the Location header (D66). Plugins and the controller declare the responses of their stages. If a status is
 * declared several times, the headers are combined, and the text of the operation wins over the text of the controller
 * and of plugins.
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

/** Returns the responses by status. */
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
    Object.values(parameters as PathParameters).some((parameter) => !isFreeText(parameter));
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

/** Merges two lists of responses. If both have a text, or the same header in any case, `nearer` wins. */
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
 * Returns the responses that each plugin adds to the operation. Throws a `PluginError` for invalid responses, and for a
 * function that throws.
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

/** True if a path of this template can begin with these segments. A parameter can have any value. */
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

/** Removes undefined responses. Returns another value than a plain object unchanged; the caller rejects it. */
function withoutUndefined(responses: unknown): unknown {
  if (!isRecord(responses) || 'then' in responses) return responses;
  return Object.fromEntries(Object.entries(responses).filter(([, response]) => response !== undefined));
}
