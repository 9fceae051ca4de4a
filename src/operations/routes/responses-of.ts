/**
 * Lists every response of an operation: those that it declares, those that follow from its declaration (D14, D69), and
 * those that stages answer in its place (D79).
 *
 * Where a body is declared, reading it can be answered with 400, 413 or 415; where parameters are, 400; where security
 * is, 401, and 403 for roles. A response with a `location` has the header (D66). Plugins and the controller say what
 * their stages answer. Of one status, the text that is nearest to the operation counts; the headers of all are listed.
 */

import { capitalised } from '../../core/message/text.ts';
import { refusedMediaTypeHeaders } from '../media-types/refused-media-type.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration, Responses } from '../operation/operation.ts';
import { isOwnBody } from '../operation/own-body.ts';
import { isFreeText, type PathParameters } from '../parameters/parameter.ts';
import { requirementsOf } from '../security.ts';

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
