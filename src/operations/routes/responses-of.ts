/**
 * Lists all responses of an operation: the declared responses, the derived responses (D14, D69), and the responses of
 * stages (D79). Does not list a 5xx, or a refusal before the route is matched, because they do not belong to an
 * operation (D14).
 *
 * A body adds 400, 413 and 415; parameters add 400; security adds 401, and 403 for roles and for a cookie that another
 * site may have sent. A redirect and a response with a `location` get the Location header (D66). A stage says which
 * responses it adds. If a status is declared several times, the headers are combined, and the text of the operation wins,
 * then the text of the nearest stage.
 */
import { REDIRECTS } from '../../core/http/replies.ts';
import { capitalised } from '../../core/http/text.ts';
import type { Pipeline, Stage } from '../../core/pipeline/stage.ts';
import { assertSharedResponses } from '../media-types/assert-responses.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration, Responses } from '../operation/operation.ts';
import { isOwnBody } from '../operation/own-body.ts';
import { isFreeText, type PathParameters } from '../parameters/parameter.ts';
import { needsOf, type SecuritySchemeKind } from '../security.ts';
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
export function responsesOf({ operation, security = [], isStrict, stageResponses = [] }: RoutedOperation): Responses {
  const { method, body, responses, parameters = {}, query, headers } = operation;
  const isValidated =
    isStrict ||
    query !== undefined ||
    headers !== undefined ||
    Object.values(parameters as PathParameters).some((parameter) => !isFreeText(parameter));
  const needs = security.flatMap(needsOf);
  const isChange = method !== 'GET';
  const faults = [
    ...(body === undefined ? [] : [isOwnBody(body) ? UNREADABLE : MALFORMED]),
    ...(isValidated ? [WRONG_PARAMETER] : []),
  ];
  const leading = Object.entries(responses as Responses).filter(
    ([status, { location }]) => location !== undefined || REDIRECTS.includes(Number(status)),
  );
  const derived: Responses = {
    ...Object.fromEntries(leading.map(([status]) => [status, LOCATION])),
    ...(faults.length > 0 && { 400: { description: capitalised(faults.join(', or ')) } }),
    ...(security.length > 0 && { 401: UNAUTHORIZED }),
    ...(needs.some(({ scheme: { kind }, roles }) => roles.length > 0 || (isChange && isCookie(kind))) && { 403: {} }),
    ...(body !== undefined && {
      413: { description: 'The body is larger than the limit' },
      415: {
        description: `The body ${isOwnBody(body) ? 'has another media type' : 'is not JSON in UTF-8'}, or has a content coding that the service does not read`,
        headers: refusedMediaTypeHeaders(method),
      },
    }),
  };
  return [...stageResponses, responses].reduce(merged, derived);
}

const isCookie = (kind: SecuritySchemeKind): boolean => kind.type === 'apiKey' && kind.in === 'cookie';

/** Merges two lists of responses. If both have a text, or the same header in any case, `nearer` wins. */
function merged(farther: Responses, nearer: Responses): Responses {
  const all: Record<number, ResponseDeclaration> = { ...farther };
  for (const [key, response] of Object.entries(nearer) as Iterable<[string, ResponseDeclaration | undefined]>) {
    if (response === undefined) continue;
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
 * The responses of a stage by status, or a function that returns them for one operation, else `{}`. Without
 * `exactOptionalPropertyTypes`, the type of `isOpen ? {} : { 503: {} }` has an undefined member, which is omitted.
 */
export type StageResponses =
  | Responses
  | ((routed: RoutedOperation) => { readonly [status: number]: ResponseDeclaration | undefined });

/** The key of the responses of a stage. A registered symbol is equal in all copies of the library. */
const stageResponses = Symbol.for('todo-item-service responses of a stage');

/**
 * Adds to a stage the responses that it may send instead of an operation, with their texts and headers. Both documents
 * then list them for each operation behind the stage (D79). Returns the stage. `application(…)` throws if a response is
 * invalid.
 *
 *     const closed = answering((context) => problemReply(context, 503, 'Closed today'), { 503: {} });
 */
export const answering = (stage: Stage, responses: StageResponses): Stage =>
  Object.assign(stage, { [stageResponses]: responses });

/** Returns the responses of these stages for an operation. Throws a `TypeError` that names the stage of a wrong one. */
export const responsesOfStages = (stages: Pipeline, routed: RoutedOperation): readonly Responses[] =>
  stages.flatMap((stage) => {
    const added = (stage as { readonly [stageResponses]?: StageResponses })[stageResponses];
    if (added === undefined) return [];
    const responses = (typeof added === 'function' ? added(routed) : added) as Responses;
    assertSharedResponses(responses, `the stage "${stage.name}" in front of the operation "${routed.id}"`);
    return [responses];
  });
